/* command_validate.c - ntpmu validate: the files are read, nothing runs. */
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/selection/selection.h"

enum exit_code command_validate(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);

    selection_print_files(suite, stderr);
    if (files == EXIT_NOTHING && suite->requirements_files > 0) {
        files = EXIT_OK; /* files of requirements are there to be validated */
    }
    printf("scenarios: %zu, instances: %zu, requirement files: %zu, "
           "invalid files: %zu\n",
        suite->scenario_count, suite->instances->count,
        suite->requirements_files, suite->broken_count);
    if (files == EXIT_NOTHING) {
        fprintf(
            stderr, "ntpmu: nothing selected: no scenario below these paths\n");
    }
    talloc_free(suite);
    return files;
}
