/* manifest_file.c - bytes, text, manifest. */
#include "scenarios/runner/counters/manifest_file.h"

#include <string.h>

#include "api/ctrpp/limits.h"
#include "api/ctrpp/manifest_text.h"
#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/problem_report.h"

static const char standard_input[] = "standard input is not read";

static void refuse(void *context, struct manifest_file *file,
    const char *problem, FILE *errors)
{
    struct diagnostics *diagnostics = diagnostics_new(context);

    if (problem == source_too_large) {
        manifest_problem_add(file->problems, MANIFEST_PROBLEM_LIMIT,
            (struct manifest_place){1, 1, 1},
            "the file is larger than the limit of %d bytes",
            MANIFEST_MOST_BYTES);
        manifest_problem_hint(file->problems, "%s",
            manifest_limit_rows[MANIFEST_LIMIT_BYTES].hint);
        problem_report(file->problems, file->path, NULL, errors);
    } else {
        diagnostics_add_file(
            diagnostics, DIAGNOSTIC_UNREADABLE, file->path, "%s", problem);
        if (problem == standard_input) {
            diagnostics_hint(diagnostics,
                "name a file; one that is called - is written ./-");
        }
        diagnostics_print(diagnostics, errors);
    }
}

bool manifest_file_open(
    void *context, struct manifest_file *file, const char *path, FILE *errors)
{
    const char *problem = NULL;

    *file = (struct manifest_file){
        .path = path, .problems = manifest_problems_new(context)};
    if (strcmp(path, "-") == 0) {
        problem = standard_input;
    } else {
        file->source =
            source_from_file(context, path, MANIFEST_MOST_BYTES, &problem);
    }
    if (file->source == NULL) {
        refuse(context, file, problem, errors);
    }
    return file->source != NULL;
}

/* The text is for showing places and for -migrate, too. */
void manifest_file_read(void *context, struct manifest_file *file,
    const struct ctrpp_settings *settings, const struct rulings *rulings)
{
    size_t length;
    char *text = manifest_text(context, file->source->text,
        file->source->length, file->problems, &length);

    if (text != NULL) {
        file->text = source_from_text(context, file->path, text, length);
        file->manifest = manifest_parse(
            context, text, length, settings, rulings, file->problems);
    }
}

bool manifest_file_report(const struct manifest_file *file, FILE *errors)
{
    problem_report(file->problems, file->path, file->text, errors);
    return file->problems->errors == 0;
}
