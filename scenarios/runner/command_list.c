/* command_list.c - ntpmu list: what `run` with the same options would run. */
#include <talloc.h>

#include "scenarios/runner/commands.h"
#include "scenarios/runner/ctest_list.h"
#include "scenarios/runner/selection.h"

enum exit_code command_list(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);
    enum exit_code code;

    if (options->format == FORMAT_TEXT) {
        selection_print_files(suite, stderr);
    }
    code = selection_apply(suite, options, stderr);
    if (options->format == FORMAT_CTEST) {
        /* A broken file is a test that fails, so the list itself is fine. */
        ctest_list(suite, stdout);
        code = code == EXIT_INVALID ? EXIT_OK : code;
    } else {
        for (size_t i = 0; i < suite->instances->count; i++) {
            printf("%s\n", suite->instances->item[i].id);
        }
        code = code == EXIT_OK ? files : code;
    }
    talloc_free(suite);
    return code;
}
