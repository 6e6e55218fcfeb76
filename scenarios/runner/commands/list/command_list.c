/* command_list.c - ntpmu list: what `run` with the same options would run. */
#include <talloc.h>

#include "scenarios/runner/command_line/commands.h"
#include "scenarios/runner/commands/list/ctest_list.h"
#include "scenarios/runner/commands/list/list_output.h"
#include "scenarios/runner/selection/selection.h"

static void list_selected(
    const struct suite *suite, const struct options *options)
{
    const struct instances *instances = suite->instances;
    struct json_out json = {.out = stdout};

    if (options->format == FORMAT_CTEST) {
        ctest_list(suite, stdout);
        return;
    }
    if (options->format == FORMAT_TEXT) {
        for (size_t i = 0; i < instances->count; i++) {
            list_text(&instances->item[i], options->verbose, stdout);
        }
        return;
    }
    json_out_array(&json, NULL);
    for (size_t i = 0; i < instances->count; i++) {
        list_json(&instances->item[i], &json);
    }
    json_out_array_end(&json);
}

enum exit_code command_list(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);
    enum exit_code code;

    if (options->format != FORMAT_CTEST) {
        selection_print_files(suite, stderr);
    }
    if (options->dropped) {
        code = list_dropped(suite, options, files);
        talloc_free(suite);
        return code;
    }
    code = selection_apply(suite, options, stderr);
    list_selected(suite, options);
    if (options->format == FORMAT_CTEST) {
        /* A broken file is a test that fails, so the list itself is fine. */
        code = code == EXIT_INVALID ? EXIT_OK : code;
    } else {
        code = code == EXIT_OK ? files : code;
    }
    talloc_free(suite);
    return code;
}
