/* scenario_text.h - a scenario out of a text, with requirements of the tests'
 * own: T-01 to T-06. */
#ifndef TESTS_RUNNER_SCENARIO_SCENARIO_TEXT_H
#define TESTS_RUNNER_SCENARIO_SCENARIO_TEXT_H

#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/text_file.h"

/* The first three lines of every file, and a step that is right. */
#define HEAD "ntpmu: 1\nid: t\ntitle: Test\n"
#define STEP_OK                                                                \
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: [T-01]}}\n"
#define STEPS_OK "steps:\n" STEP_OK

struct scenario_text {
    struct text_file file;
    struct requirements requirements;
    struct library *library;
    enum file_kind kind;
    struct outline *outline;         /* NULL: the text is no valid one */
    struct instance instance;        /* the first, open */
    const struct scenario *scenario; /* its scenario */
};

/* Reads it; the errors are in made->file. */
static inline void scenario_text_read(
    struct scenario_text *made, const char *text)
{
    static struct requirement items[] = {
        {.id = "T-01",
            .tag = 'D',
            .source = "the page",
            .text = "The first requirement."},
        {.id = "T-02",
            .tag = 'C',
            .source = "our ruling",
            .text = "The second requirement."},
        {.id = "T-03",
            .tag = 'H',
            .source = "the header",
            .text = "The third requirement."},
        {.id = "T-04",
            .tag = 'O',
            .source = "a driver",
            .text = "The fourth requirement."},
        {.id = "T-05",
            .tag = 'D',
            .source = "the page",
            .text = "The fifth requirement."},
        {.id = "T-06",
            .tag = 'H',
            .source = "the header",
            .text = "The sixth requirement."},
    };

    text_file_init(&made->file, text);
    made->requirements = (struct requirements){.item = items, .count = 6};
    made->library = library_new(made->file.memory, &language_kinds,
        &made->requirements, made->file.diagnostics);
    made->library->no_files = true;
    made->kind = scenario_file_check(
        made->file.memory, made->file.source, made->library, &made->outline);
    made->scenario = NULL;
    if (made->outline != NULL) {
        made->instance =
            instance_open(made->file.memory, &made->outline->instances.item[0]);
        made->scenario = made->instance.scenario;
    }
}

static inline void scenario_text_release(struct scenario_text *made)
{
    text_file_release(&made->file);
}

/* A file and how its errors begin: "" when there is none. */
struct scenario_error_row {
    const char *name;
    const char *text;
    size_t want_errors;
    const char *want;
};

static inline void scenario_error_row(void **state)
{
    const struct scenario_error_row *row = *state;
    struct scenario_text made;

    scenario_text_read(&made, row->text);
    text_file_assert_errors(&made.file, row->want);
    assert_int_equal(
        diagnostics_errors(made.file.diagnostics), row->want_errors);
    assert_int_equal(
        made.kind, row->want_errors == 0 ? FILE_SCENARIO : FILE_BROKEN);
    assert_int_equal(made.outline != NULL, row->want_errors == 0);
    scenario_text_release(&made);
}

#endif
