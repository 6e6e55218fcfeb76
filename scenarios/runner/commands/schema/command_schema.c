/* command_schema.c - ntpmu schema: prints the JSON Schema; it reads no file. */
#include "scenarios/runner/command_line/options.h"

#include <stdio.h>
#include <talloc.h>

#include "scenarios/runner/commands/schema/json_schema.h"

enum exit_code command_schema(const struct options *options)
{
    struct requirements *requirements;

    if (options->path_count != 0) {
        fprintf(stderr,
            "ntpmu: schema takes no path: '%s'\n"
            "       it prints the schema of every file\n",
            options->path[0]);
        return EXIT_USAGE;
    }
    requirements = requirements_built_in(NULL);
    json_schema_write(requirements, stdout);
    talloc_free(requirements);
    return EXIT_OK;
}
