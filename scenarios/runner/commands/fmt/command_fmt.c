/* command_fmt.c - ntpmu fmt [--check] PATH...: files are laid out in place, or
 * it is shown what would change. */
#include "scenarios/runner/command_line/options.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "scenarios/runner/commands/fmt/fmt_diff.h"
#include "scenarios/runner/layout/layout_file.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/yaml_paths.h"
#include "scenarios/runner/yaml/yaml_tree.h"

struct fmt_run {
    bool check;
    struct diagnostics *diagnostics;
    size_t clean, changed, invalid, failed;
};

static void refuse_other(struct fmt_run *run, const char *path)
{
    diagnostics_add_file(run->diagnostics, DIAGNOSTIC_NOT_A_SCENARIO, path,
        "the file is not a scenario");
    diagnostics_hint(run->diagnostics, "its first key must be ntpmu: 1");
}

/* Lays out a text and counts it. NULL when there is none to write. */
static const struct source *lay_out(
    struct fmt_run *run, void *memory, const struct source *source, bool named)
{
    const struct source *made = NULL;
    enum layout_result result =
        layout_file_lay_out(memory, source, run->diagnostics, &made);

    if (result == LAYOUT_OTHER && named) {
        refuse_other(run, source->path);
        result = LAYOUT_INVALID;
    }
    if (result == LAYOUT_OTHER) {
        fprintf(stderr,
            "%s: note: not a scenario, left out: its first key is not ntpmu\n",
            visible_name(source->path));
    }
    if (result == LAYOUT_FAILED) {
        fprintf(stderr,
            "%s: internal error: fmt would change what the file says; it is "
            "left as it was\n",
            visible_name(source->path));
    }
    run->clean += result == LAYOUT_CLEAN;
    run->changed += result == LAYOUT_CHANGED;
    run->invalid += result == LAYOUT_INVALID;
    run->failed += result == LAYOUT_FAILED;
    return result == LAYOUT_CHANGED ? made : NULL;
}

static void fmt_one(struct fmt_run *run, const char *path, bool named)
{
    void *memory = talloc_new(run->diagnostics);
    size_t errors = diagnostics_errors(run->diagnostics);
    const char *problem = NULL;
    const struct source *source =
        source_from_file(memory, path, YAML_FILE_BYTES, &problem);
    const struct source *made;

    if (source == NULL) {
        diagnostics_add_file(
            run->diagnostics, DIAGNOSTIC_UNREADABLE, path, "%s", problem);
        run->invalid++;
        return;
    }
    made = lay_out(run, memory, source, named);
    if (made != NULL && run->check) {
        fmt_diff_print(source, made, stdout);
    } else if (made != NULL) {
        printf("%s\n", visible_name(path));
        if (!layout_file_replace(path, made->text, made->length)) {
            fprintf(stderr, "ntpmu: cannot write '%s': %s\n",
                visible_name(path), strerror(errno));
            run->failed++;
        }
    }
    if (diagnostics_errors(run->diagnostics) == errors) {
        talloc_free(memory); /* no error shows a line of it */
    }
}

static void fmt_path(struct fmt_run *run, const char *path)
{
    struct stat status;
    struct yaml_paths *paths;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        fmt_one(run, path, true);
        return;
    }
    paths = yaml_paths_below(run->diagnostics, path, run->diagnostics);
    for (size_t i = 0; i < paths->count; i++) {
        fmt_one(run, paths->item[i], false);
    }
}

/* Standard input to standard output; nothing is written when it is invalid. */
static void fmt_input(struct fmt_run *run)
{
    const char *problem = NULL;
    const struct source *source = source_from_stream(
        run->diagnostics, "<standard input>", stdin, YAML_FILE_BYTES, &problem);
    const struct source *made;

    if (source == NULL) {
        diagnostics_add_file(run->diagnostics, DIAGNOSTIC_UNREADABLE,
            "<standard input>", "%s", problem);
        run->invalid++;
        return;
    }
    made = lay_out(run, run->diagnostics, source, true);
    if (run->check) {
        if (made != NULL) {
            fmt_diff_print(source, made, stdout);
        }
    } else if (run->invalid + run->failed == 0) {
        const struct source *text = made != NULL ? made : source;

        fwrite(text->text, 1, text->length, stdout);
    }
}

static enum exit_code judge(const struct fmt_run *run)
{
    if (run->failed > 0) {
        return EXIT_INTERNAL;
    }
    if (diagnostics_errors(run->diagnostics) > 0) {
        return EXIT_INVALID;
    }
    if (run->clean + run->changed == 0) {
        fprintf(stderr, "ntpmu: nothing selected: no file of ours below these "
                        "paths\n");
        return EXIT_NOTHING;
    }
    return run->check && run->changed > 0 ? EXIT_FAILED : EXIT_OK;
}

enum exit_code command_fmt(const struct options *options)
{
    struct fmt_run run = {
        .check = options->check, .diagnostics = diagnostics_new(NULL)};
    bool input = false;
    enum exit_code code;

    for (size_t i = 0; i < options->path_count; i++) {
        input |= strcmp(options->path[i], "-") == 0;
    }
    if (input && options->path_count > 1) {
        fprintf(stderr, "ntpmu: '-' is standard input; it stands alone\n");
        talloc_free(run.diagnostics);
        return EXIT_USAGE;
    }
    if (input) {
        fmt_input(&run);
    } else {
        for (size_t i = 0; i < options->path_count; i++) {
            fmt_path(&run, options->path[i]);
        }
        printf("%s: %zu, unchanged: %zu, invalid files: %zu\n",
            options->check ? "to be laid out" : "laid out", run.changed,
            run.clean, run.invalid);
    }
    diagnostics_print(run.diagnostics, stderr);
    code = judge(&run);
    talloc_free(run.diagnostics);
    return code;
}
