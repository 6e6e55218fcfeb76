/* command_explain.c - ntpmu explain WORD..., and why-skipped ID PATH... */
#include "scenarios/runner/command_line/commands.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/commands/explain/why_skipped.h"

static enum exit_code explain_unknown(
    const struct explain *explain, const char *word)
{
    struct suggestion suggestion = explain_suggest(explain, word);

    fprintf(stderr, "ntpmu: nothing is called '%s'\n", word);
    if (suggestion.nearest != NULL) {
        fprintf(stderr, "       did you mean '%s'?\n", suggestion.nearest);
    } else {
        fputs("       words that give lists: ", stderr);
        explain_lists(stderr);
        fputc('\n', stderr);
    }
    return EXIT_USAGE;
}

enum exit_code command_explain(const struct options *options)
{
    void *context = talloc_new(NULL);
    const struct explain explain = {
        context, stdout, requirements_built_in(context)};
    enum exit_code code = EXIT_OK;

    if (strcmp(options->path[0], "why-skipped") == 0) {
        talloc_free(context);
        return why_skipped(options);
    }
    for (size_t i = 0; i < options->path_count; i++) {
        if (i > 0) {
            fputc('\n', stdout);
        }
        if (explain_word(&explain, options->path[i]) == 0) {
            code = explain_unknown(&explain, options->path[i]);
        }
    }
    talloc_free(context);
    return code;
}
