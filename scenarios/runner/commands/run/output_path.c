/* output_path.c - files that ntpmu run is told to write to: which are refused,
 * and what is said when one cannot be written. */
#include "scenarios/runner/commands/run/output_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/yaml_paths.h"

bool output_path_may_be(const char *option, const char *path)
{
    if (!yaml_paths_is_yaml(path)) {
        return true;
    }
    fprintf(stderr,
        "ntpmu: %s would overwrite '%s'\n"
        "       name a file that does not end in .yaml\n",
        option, visible_name(path));
    return false;
}

bool output_path_failed(const char *path)
{
    fprintf(stderr, "ntpmu: cannot write '%s': %s\n", visible_name(path),
        strerror(errno));
    return false;
}
