/* list_rows.c - what has to be seen to fail when exactly that is wrong: a line
 * each of the tables that say what can be expected, and of how a run can end.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "api/core/leaks.h"
#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/run/verdict.h"

/* Of a list the first, one in the middle and the last: any of them may be
 * forgotten. */
static const char *const positions[] = {"first", "middle", "last"};

static void list_positions(const char *what)
{
    for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
        printf("%s, %s\n", what, positions[i]);
    }
}

static void list_matchers(void)
{
    static const char *const matchers[] = {
#define MATCHER(spelling, ...) spelling,
#define MATCHER_WORD(spelling, ...) spelling,
#include "scenarios/runner/language/matchers.def"
    };

    for (size_t i = 0; i < sizeof(matchers) / sizeof(matchers[0]); i++) {
        printf("matcher %s\n", matchers[i]);
    }
    list_positions("member");
    list_positions("element");
    list_positions("processor");
}

/* Which of them an expectation is made of. */
static bool compared[MAPPING_COUNT];

/* What a form leads to; the values of outputs stand behind a form that says
 * nothing of them. */
static void mark(enum mapping mapping)
{
    if (compared[mapping]) {
        return;
    }
    compared[mapping] = true;
    for (size_t i = 0; i < key_row_count; i++) {
        const struct form *form = key_rows[i].form;

        if (key_rows[i].mapping == mapping &&
            (form->shape == SHAPE_MAPPING || form->shape == SHAPE_PROBE ||
                form->shape == SHAPE_COLLECTED || form->shape == SHAPE_KEY ||
                form->shape == SHAPE_STORED)) {
            mark(form->mapping);
        }
    }
}

static bool is_listed(const struct form *form)
{
    return form->arrangement != ARRANGE_ALONE ||
           form->shape == SHAPE_COLLECTED || form->shape == SHAPE_CPUS;
}

/* Of a key what may be wrong in several places. */
static void list_places(const struct key_row *row)
{
    char what[80];

    snprintf(what, sizeof(what), "entry %s.%s", mapping_name(row->mapping),
        row->key);
    if (is_listed(row->form)) {
        list_positions(what);
    }
    if (row->form->word != NULL && strcmp(row->form->word, "all") == 0) {
        printf("all %s.%s\n", mapping_name(row->mapping), row->key);
    }
    /* A handler's runs are compared each; their level is that of its type. */
    if (row->mapping == MAPPING_HANDLER && row->presence == OPTIONAL &&
        row->form->type != NT_KIRQL) {
        snprintf(what, sizeof(what), "run %s", row->key);
        list_positions(what);
    }
}

static void list_keys(void)
{
    mark(MAPPING_EXPECT);
    mark(MAPPING_OUTPUT_VALUE);
    for (size_t i = 0; i < key_row_count; i++) {
        const struct key_row *row = &key_rows[i];

        /* What it cites compares nothing. */
        if (compared[row->mapping] && row->presence != REFUSED &&
            row->form->shape != SHAPE_REQUIREMENTS) {
            printf("key %s.%s\n", mapping_name(row->mapping), row->key);
            list_places(row);
        }
    }
}

static void list_words(enum mapping mapping, const char *key, const char *what)
{
    const char *const *word = key_find(mapping, key)->form->words;

    for (; *word != NULL; word++) {
        printf("%s %s\n", what, *word);
    }
}

/* An actor that ends with it, or a driver that is still loaded. */
static void list_leaks(void)
{
    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        printf("left %s\n", leak_names[leak]);
    }
}

static void list_results(void)
{
    for (enum result result = 0; result < RESULT_COUNT; result++) {
        if (verdict_result_failed(result)) {
            printf("result %s\n", verdict_result_name(result));
        }
    }
}

static void list_exit_codes(void)
{
    static const int codes[] = {
#define EXIT_CODE(name, code) code,
#include "scenarios/runner/run/exit_codes.def"
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        printf("exit %d\n", codes[i]);
    }
}

int main(void)
{
    list_matchers();
    list_keys();
    list_words(MAPPING_EXPECT, "raises", "raises");
    list_words(MAPPING_EXPECT, "unhandled", "unhandled");
    /* It ends otherwise; it passes. */
    list_words(MAPPING_XFAIL, "result", "xfail");
    list_words(MAPPING_XFAIL, "result", "xpass");
    list_leaks();
    list_results();
    list_exit_codes();
    return 0;
}
