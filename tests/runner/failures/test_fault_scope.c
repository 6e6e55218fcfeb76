/* test_fault_scope.c - KEY=VALUE of --fail-scope: read or refused, and asked of
 * calls. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/failures/fault_scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "tests/api/booted_kernel.h"

static struct word_row {
    const char *name;
    const char *word;
    const char *want; /* NULL: it can be read */
} word_rows[] = {
    {"step", "step=3", NULL},
    {"actor", "actor=drv", NULL},
    {"function", "function=start", NULL},
    {"routine", "routine=IoCreateDevice", NULL},
    {"value_with_an_equals_sign", "function=a=b", NULL},
    {"nothing", "", "wants KEY=VALUE, not ''"},
    {"no_value", "step=", "wants KEY=VALUE, not 'step='"},
    {"no_equals_sign", "step", "wants KEY=VALUE, not 'step'"},
    {"no_key", "=3", "wants KEY=VALUE, not '=3'"},
    {"beginning_of_a_key", "st=3", "wants KEY=VALUE, not 'st=3'"},
    {"more_than_a_key", "steps=3", "wants KEY=VALUE, not 'steps=3'"},
    {"routine_that_is_none", "routine=IoCreateDevic",
        "no routine is called 'IoCreateDevic'; did you mean 'IoCreateDevice'?"},
    {"routine_that_cannot_fail", "routine=IoDeleteDevice",
        "IoDeleteDevice fails by its caller's mistakes alone"},
};

static void word_row(void **state)
{
    const struct word_row *row = *state;
    char *said = NULL;
    size_t length = 0;
    FILE *errors = open_memstream(&said, &length);

    assert_non_null(errors);
    assert_int_equal(fault_scope_check(row->word, errors), row->want == NULL);
    fclose(errors);
    if (row->want == NULL) {
        assert_string_equal(said, "");
    } else {
        assert_non_null(strstr(said, row->want));
    }
    free(said);
}

/* A scenario with the steps 1 and 2, whose ordinals are 4 and 7, and actors. */
struct scene {
    struct step step[2];
    struct actor actor[2];
    struct scenario scenario;
};

static void make_scene(struct scene *scene)
{
    *scene = (struct scene){
        .step = {{.number = "1", .ordinal = 4}, {.number = "2", .ordinal = 7}},
    };
    scene->actor[0].driver.name = "sampler";
    scene->actor[1].driver.name = "other";
    scene->scenario.steps = (struct step_list){scene->step, 2};
    scene->scenario.actor = scene->actor;
    scene->scenario.actor_count = 2;
}

static struct has_row {
    const char *name;
    const char *word[3];
    enum routine routine;
    size_t step;
    bool native;
    bool want;
    const char *want_problem;
} has_rows[] = {
    {"everything", {NULL}, ROUTINE_IoCreateDevice, 0, false, true, NULL},
    {"before_the_step", {"step=2"}, ROUTINE_IoCreateDevice, 4, false, false,
        NULL},
    {"at_the_step", {"step=2"}, ROUTINE_IoCreateDevice, 7, false, true, NULL},
    {"from_the_first_of_two", {"step=2", "step=1"}, ROUTINE_IoCreateDevice, 4,
        false, true, NULL},
    {"from_the_first_of_two_that_comes_first", {"step=1", "step=2"},
        ROUTINE_IoCreateDevice, 4, false, true, NULL},
    {"before_the_first_of_two", {"step=2", "step=1"}, ROUTINE_IoCreateDevice, 3,
        false, false, NULL},
    {"no_such_step", {"step=3"}, ROUTINE_IoCreateDevice, 7, false, false,
        "names step 3, and the scenario's steps are 1 to 2"},
    {"its_actor", {"actor=sampler"}, ROUTINE_IoCreateDevice, 0, false, true,
        NULL},
    {"another_actor", {"actor=other"}, ROUTINE_IoCreateDevice, 0, false, false,
        NULL},
    {"one_of_two_actors", {"actor=other", "actor=sampler"},
        ROUTINE_IoCreateDevice, 0, false, true, NULL},
    {"last_actor_that_is_not_there", {"actor=sampler", "actor=nobody"},
        ROUTINE_IoCreateDevice, 0, false, false,
        "--fail-scope names actor 'nobody', which the scenario does not have"},
    {"no_such_actor", {"actor=sample"}, ROUTINE_IoCreateDevice, 0, false, false,
        "which the scenario does not have; it has sampler"},
    {"its_routine", {"routine=IoCreateDevice"}, ROUTINE_IoCreateDevice, 0,
        false, true, NULL},
    {"another_routine", {"routine=ExAllocatePool2"}, ROUTINE_IoCreateDevice, 0,
        false, false, NULL},
    {"one_of_two_routines",
        {"routine=ExAllocatePool2", "routine=IoCreateDevice"},
        ROUTINE_IoCreateDevice, 0, false, true, NULL},
    {"one_of_two_keys", {"routine=IoCreateDevice", "actor=other"},
        ROUTINE_IoCreateDevice, 0, false, false, NULL},
    {"before_the_step_of_its_actor", {"step=2", "actor=sampler"},
        ROUTINE_IoCreateDevice, 4, false, false, NULL},
    {"at_the_step_of_its_actor", {"step=2", "actor=sampler"},
        ROUTINE_IoCreateDevice, 7, false, true, NULL},
    {"function_of_an_actor", {"function=start"}, ROUTINE_IoCreateDevice, 0,
        false, false, NULL},
    {"actor_beside_an_image", {NULL}, ROUTINE_IoCreateDevice, 0, true, false,
        NULL},
    {"actor_beside_an_image_that_is_named", {"actor=sampler"},
        ROUTINE_IoCreateDevice, 0, true, true, NULL},
};

struct scope_asked {
    struct kernel *kernel;
    const struct fault_scope *scope;
    const struct has_row *row;
    bool has;
};

static void ask(void *argument)
{
    struct scope_asked *asked = argument;

    asked->has = fault_scope_has(
        asked->scope, asked->kernel, asked->row->routine, asked->row->step);
}

static void has_row(void **state)
{
    const struct has_row *row = *state;
    void *context = talloc_new(NULL);
    struct scene scene;
    struct booted_kernel booted;
    struct fault_scope scope;
    struct run_words words = {.item = row->word, .count = 0};
    struct scope_asked asked = {&booted.kernel, &scope, row, false};
    const char *problem;

    while (words.count < 3 && row->word[words.count] != NULL) {
        words.count++;
    }
    make_scene(&scene);
    scene.scenario.native = row->native;
    problem = fault_scope_open(context, &scope, &words, &scene.scenario);
    if (row->want_problem != NULL) {
        assert_non_null(problem);
        assert_non_null(strstr(problem, row->want_problem));
    } else {
        assert_null(problem);
        booted_init_usual(&booted);
        booted_run(&booted, 0, ask, &asked);
        assert_int_equal(asked.has, row->want);
        booted_release(&booted);
    }
    talloc_free(context);
}

TEST_FILE(test_fault_scope)
{
    TEST_ADD_ROWS(list, word_row, word_rows);
    TEST_ADD_GROUP(list, "has", has_row, has_rows);
}
