/* command_expand.c - ntpmu expand PATH... --id ID [-o FILE]: an instance is
 * written out as a scenario of its own. */
#include "scenarios/runner/command_line/options.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/new_file.h"
#include "scenarios/runner/commands/expand/written_instance.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/selection/selection.h"

/* What is written names manifests and headers as the instance's file does, so
 * it is read as if it were beside that. */
static const char *path_beside(void *context, const struct instance *instance)
{
    const char *path = instance->outline->source->path;
    const char *slash = strrchr(path, '/');
    bool names_files = instance->scenario->manifests.count > 0 ||
                       node_get(instance->scenario->root, "headers") != NULL;
    bool beside = names_files && slash != NULL;

    return talloc_asprintf(
        context, "%.*sexpanded", beside ? (int)(slash - path) + 1 : 0, path);
}

/* The text as fmt lays it out. One that cannot be read again is told of, but
 * shown all the same: it is for people, too. */
static const char *lay_out(const struct suite *suite,
    const struct instance *instance, const char *text)
{
    void *context = talloc_new(NULL);
    struct diagnostics *diagnostics = diagnostics_new(context);
    struct library *library =
        library_new(context, &language_kinds, suite->requirements, diagnostics);
    const char *made =
        new_file_lay_out((void *)(uintptr_t)suite, text, diagnostics);
    struct source *source = source_from_text(
        context, path_beside(context, instance), made, strlen(made));
    struct outline *outline;

    library->no_files = true;
    library->manifests_only = true;
    if (scenario_file_check(context, source, library, &outline) !=
        FILE_SCENARIO) {
        fprintf(stderr, "ntpmu: note: what is written cannot be read again\n");
        diagnostics_print(diagnostics, stderr);
    }
    talloc_free(context);
    return made;
}

static enum exit_code expand(
    const struct suite *suite, const struct options *options)
{
    const struct instance opened =
        instance_open((void *)(uintptr_t)suite, &suite->instances->item[0]);
    char *text = written_instance((void *)(uintptr_t)suite, &opened);

    return new_file_write(options->output, lay_out(suite, &opened, text));
}

enum exit_code command_expand(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code code = selection_apply_one(suite, options, stderr);

    if (code == EXIT_OK) {
        code = expand(suite, options);
    }
    talloc_free(suite);
    return code;
}
