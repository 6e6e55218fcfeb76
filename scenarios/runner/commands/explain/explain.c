/* explain.c - what ntpmu explain does with a word: finds it in all lists, and
 * writes lists and fields. */
#include "scenarios/runner/commands/explain/explain.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <talloc.h>

#include "scenarios/runner/yaml/plain_word.h"

enum {
    LINE_WIDTH = 80,
    LABEL_WIDTH = 15, /* with the blanks before and behind it */
    NAME_WIDTH = 48,  /* of the longest name that others are aligned with */
};

const struct explain_kind explain_kinds[EXPLAIN_LISTS] = {
#define EXPLAIN(name, noun, plural, also, function, number)                    \
    [EXPLAIN_##name] = {noun, plural, also, name_##function, line_##function,  \
        show_##function, number},
#include "scenarios/runner/commands/explain/explain.def"
};

struct explain explain_open(void *context, FILE *out)
{
    struct explain explain = {.context = context, .out = out};

    explain.requirements = requirements_built_in(context);
    explain_families(&explain);
    return explain;
}

void explain_field(
    const struct explain *explain, const char *label, const char *format, ...)
{
    size_t column = LABEL_WIDTH;
    const char *word;
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = talloc_vasprintf(explain->context, format, arguments);
    va_end(arguments);
    assert(text != NULL);
    fprintf(explain->out, "  %-*s", LABEL_WIDTH - 2, label);
    for (word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");

        if (word != text && column + 1 + length > LINE_WIDTH) {
            fprintf(explain->out, "\n%*s", LABEL_WIDTH, "");
            column = LABEL_WIDTH;
        } else if (word != text) {
            fputc(' ', explain->out);
            column++;
        }
        fwrite(word, 1, length, explain->out);
        column += length;
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', explain->out);
    talloc_free(text);
}

char *explain_append(char *list, const char *item)
{
    return talloc_asprintf_append_buffer(
        list, "%s%s", list[0] == '\0' ? "" : ", ", item);
}

static bool lists_kind(const struct explain_kind *kind, const char *word)
{
    return strcasecmp(kind->plural, word) == 0 ||
           (kind->also != NULL && strcasecmp(kind->also, word) == 0);
}

static void show_list(
    const struct explain *explain, const struct explain_kind *kind)
{
    const char *name;
    size_t width = 0;

    for (size_t n = 0; (name = kind->name(explain, n)) != NULL; n++) {
        size_t length = strlen(name);

        width = length > width && length <= NAME_WIDTH ? length : width;
    }
    fprintf(explain->out, "%s:\n", kind->plural);
    for (size_t n = 0; (name = kind->name(explain, n)) != NULL; n++) {
        fprintf(explain->out, "  %-*s  %s\n", (int)width, name,
            kind->line(explain, n));
    }
}

static void show_one(const struct explain *explain,
    const struct explain_kind *kind, const char *name, size_t n)
{
    fprintf(explain->out, "%s: %s\n", name, kind->noun);
    kind->show(explain, n);
}

static bool is_meant(const struct explain_kind *kind, const char *name,
    size_t n, const char *word)
{
    uint64_t number;

    return strcasecmp(name, word) == 0 ||
           (kind->has_number != NULL && plain_word_number(word, &number) &&
               kind->has_number(n, number));
}

/* Those that show the keys of the mapping with their name. */
static bool shows_keys(size_t list)
{
    return list == EXPLAIN_STEP || list == EXPLAIN_CHECK ||
           list == EXPLAIN_PROBE;
}

size_t explain_word(const struct explain *explain, const char *word)
{
    bool keys_shown = false;
    size_t hits = 0;

    for (size_t i = 0; i < EXPLAIN_LISTS; i++) {
        const struct explain_kind *kind = &explain_kinds[i];
        const char *name;

        for (size_t n = 0; (name = kind->name(explain, n)) != NULL; n++) {
            if (is_meant(kind, name, n, word) &&
                !(i == EXPLAIN_MAPPING && keys_shown)) {
                fputs(hits++ == 0 ? "" : "\n", explain->out);
                show_one(explain, kind, name, n);
                keys_shown |= shows_keys(i);
            }
        }
    }
    for (size_t i = 0; i < EXPLAIN_LISTS; i++) {
        if (lists_kind(&explain_kinds[i], word)) {
            fputs(hits++ == 0 ? "" : "\n", explain->out);
            show_list(explain, &explain_kinds[i]);
        }
    }
    return hits;
}

struct suggestion explain_suggest(
    const struct explain *explain, const char *word)
{
    struct suggestion suggestion = suggest_for(word);

    for (size_t i = 0; i < EXPLAIN_LISTS; i++) {
        const struct explain_kind *kind = &explain_kinds[i];
        const char *name;

        suggest_offer(&suggestion, kind->plural);
        if (kind->also != NULL) {
            suggest_offer(&suggestion, kind->also);
        }
        for (size_t n = 0; (name = kind->name(explain, n)) != NULL; n++) {
            suggest_offer(&suggestion, name);
        }
    }
    return suggestion;
}

void explain_lists(FILE *out)
{
    for (size_t i = 0; i < EXPLAIN_LISTS; i++) {
        fprintf(out, "%s%s", i == 0 ? "" : ", ", explain_kinds[i].plural);
    }
}
