/* command_explain.c - ntpmu explain WORD..., and why-skipped ID PATH...:
 * requires, skip, or a driver that has to be allowed. */
#include "scenarios/runner/command_line/options.h"

#include <ctype.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/text/visible_text.h"

enum { FIRST_PATH = 2 /* behind why-skipped and the id */ };

static void print_place(const struct node *node)
{
    diagnostics_print_place(
        node->source, node->mark, node->width, NULL, stdout);
}

/* Whether `requires` left it out, which is said then. */
static bool is_dropped(const struct outline *outline, const char *id)
{
    for (size_t i = 0; i < outline->dropped_count; i++) {
        if (strcmp(outline->dropped[i], id) == 0) {
            const struct node *requires = node_get(outline->root, "requires");

            printf("%s: left out by requires, %s:%zu:%zu\n", id,
                visible_name(requires->source->path), requires->mark.line,
                requires->mark.column);
            print_place(requires);
            return true;
        }
    }
    return false;
}

static void explain_instance(const struct instance *instance)
{
    const struct node *skip = instance->skip;

    if (skip != NULL) {
        const struct node *when = node_get(skip, "when");

        printf("%s: skipped, %s:%zu:%zu: %s (%s)\n", instance->id,
            visible_name(skip->source->path), skip->mark.line,
            skip->mark.column, visible_name(node_get(skip, "reason")->text),
            visible_name(node_get(skip, "issue")->text));
        print_place(when != NULL ? when : skip);
    } else if (instance->native) {
        printf("%s: runs where --allow-driver has its driver, and is skipped "
               "elsewhere\n",
            instance->id);
    } else {
        printf("%s: is not skipped\n", instance->id);
    }
}

/* Returns whether there is such an instance or scenario. */
static bool explain_id(const struct suite *suite, const char *id)
{
    bool found = false;

    for (size_t i = 0; i < suite->scenario_count; i++) {
        found |= is_dropped(suite->scenario[i], id);
    }
    for (size_t i = 0; i < suite->instances->count; i++) {
        const struct instance *instance = &suite->instances->item[i];

        if (strcmp(instance->id, id) == 0 ||
            strcmp(instance->outline->id, id) == 0) {
            explain_instance(instance);
            found = true;
        }
    }
    return found;
}

/* explain why-skipped ID PATH... */
static enum exit_code why_skipped(const struct options *options)
{
    enum exit_code code = EXIT_OK;
    struct suite *suite;

    if (options->path_count <= FIRST_PATH) {
        fprintf(stderr, "ntpmu: missing operand\n"
                        "       write: ntpmu explain why-skipped ID PATH...\n");
        return EXIT_USAGE;
    }
    suite = suite_read(NULL, &language_kinds, options->path + FIRST_PATH,
        options->path_count - FIRST_PATH);
    diagnostics_print(suite->diagnostics, stderr);
    if (diagnostics_errors(suite->diagnostics) != 0) {
        code = EXIT_INVALID;
    }
    if (!explain_id(suite, options->path[1])) {
        fprintf(stderr, "ntpmu: no instance or scenario '%s'\n",
            visible_name(options->path[1]));
        code = code == EXIT_OK ? EXIT_NOTHING : code;
    }
    talloc_free(suite);
    return code;
}

/* Whether it could be one that a driver imports: a C name with a capital
 * letter, or one that an image of Windows keeps to itself. */
static bool may_be_imported(const char *word)
{
    bool capital = word[0] == '_';

    for (const char *at = word; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && *at != '_') {
            return false;
        }
        capital |= isupper((unsigned char)*at) != 0;
    }
    return capital;
}

static enum exit_code explain_unknown(
    const struct explain *explain, const char *word)
{
    struct suggestion suggestion = explain_suggest(explain, word);

    fprintf(stderr, "ntpmu: nothing is called '%s'\n", visible_name(word));
    if (strncmp(word, "Wdf", 3) == 0) {
        fputs("       what begins so is of KMDF, which is not modelled: a "
              "driver that imports it is\n"
              "       refused: docs/drivers.md, My driver does not load\n",
            stderr);
        return EXIT_USAGE;
    }
    if (suggestion.nearest != NULL) {
        fprintf(stderr, "       did you mean '%s'?\n", suggestion.nearest);
    } else {
        fputs("       words that give lists: ", stderr);
        explain_lists(stderr);
        fputc('\n', stderr);
    }
    if (may_be_imported(word) &&
        (suggestion.nearest == NULL || !may_be_imported(suggestion.nearest))) {
        fputs("       a driver that imports a routine of this name is loaded "
              "all the same, and ends\n"
              "       as ERROR where it calls it: docs/drivers.md, What is "
              "missing\n",
            stderr);
    }
    return EXIT_USAGE;
}

enum exit_code command_explain(const struct options *options)
{
    void *context = talloc_new(NULL);
    const struct explain explain = explain_open(context, stdout);
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
