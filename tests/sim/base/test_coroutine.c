/* test_coroutine.c - who runs when, and what a suspended function keeps. */
#include "sim/base/coroutine.h"
#include "tests/rows.h"

#include <stdlib.h>
#include <string.h>

enum { STACK = 256 * 1024 };

/* A coroutine and the letters that it and its resumer have written. */
struct script {
    struct coroutine coroutine;
    struct script *inner; /* another that it resumes */
    char letter;          /* of its first line; the next ones count up */
    char *paper;
};

static void write_letter(char *paper, char letter)
{
    size_t length = strlen(paper);

    paper[length] = letter;
    paper[length + 1] = '\0';
}

static void script_init(struct script *script, void (*entry)(void *argument),
    char letter, char *paper)
{
    void *stack = malloc(STACK);

    assert_non_null(stack);
    script->letter = letter;
    script->paper = paper;
    script->inner = NULL;
    coroutine_init(&script->coroutine, stack, STACK, entry, script);
}

static struct script *script_resume(struct script *script, char letter)
{
    write_letter(script->paper, letter);
    return (struct script *)(void *)coroutine_resume(&script->coroutine);
}

/* Three lines, a suspension after the first and the second. */
static void three_lines(void *argument)
{
    struct script *script = argument;

    write_letter(script->paper, script->letter);
    coroutine_suspend(&script->coroutine);
    write_letter(script->paper, (char)(script->letter + 1));
    coroutine_suspend(&script->coroutine);
    write_letter(script->paper, (char)(script->letter + 2));
}

static void resume_three_times(struct script *script)
{
    for (char letter = '1'; letter <= '3'; letter++) {
        script_resume(script, letter);
    }
}

static void resumer_and_coroutine_alternate(void **state)
{
    char paper[16] = "";
    struct script script;

    (void)state;
    script_init(&script, three_lines, 'a', paper);
    resume_three_times(&script);
    write_letter(paper, '4');

    assert_string_equal(paper, "1a2b3c4");
    free(script.coroutine.stack);
}

static void nothing_runs_before_the_first_resume(void **state)
{
    char paper[16] = "";
    struct script script;

    (void)state;
    script_init(&script, three_lines, 'a', paper);
    assert_string_equal(paper, "");
    assert_false(script.coroutine.done);
    free(script.coroutine.stack);
}

static void coroutine_is_done_only_when_it_has_returned(void **state)
{
    char paper[16] = "";
    struct script script;

    (void)state;
    script_init(&script, three_lines, 'a', paper);
    script_resume(&script, '1');
    assert_false(script.coroutine.done);
    script_resume(&script, '2');
    assert_false(script.coroutine.done);
    script_resume(&script, '3');
    assert_true(script.coroutine.done);
    free(script.coroutine.stack);
}

static void two_coroutines_keep_their_own_places(void **state)
{
    char paper[16] = "";
    struct script first, second;

    (void)state;
    script_init(&first, three_lines, 'a', paper);
    script_init(&second, three_lines, 'x', paper);
    script_resume(&first, '1');
    script_resume(&second, '1');
    script_resume(&first, '2');
    script_resume(&first, '3');
    script_resume(&second, '2');

    assert_string_equal(paper, "1a1x2b3c2y");
    free(first.coroutine.stack);
    free(second.coroutine.stack);
}

static void resume_inner_twice(void *argument)
{
    struct script *script = argument;

    script_resume(script->inner, '<');
    write_letter(script->paper, '>');
    coroutine_suspend(&script->coroutine);
    script_resume(script->inner, '<');
    write_letter(script->paper, '>');
}

static void inner_coroutine_returns_to_its_own_resumer(void **state)
{
    char paper[16] = "";
    struct script outer, inner;

    (void)state;
    script_init(&outer, resume_inner_twice, 'a', paper);
    script_init(&inner, three_lines, 'x', paper);
    outer.inner = &inner;
    script_resume(&outer, '1');
    script_resume(&outer, '2');
    write_letter(paper, '3');

    assert_string_equal(paper, "1<x>2<y>3");
    free(outer.coroutine.stack);
    free(inner.coroutine.stack);
}

static void coroutine_may_change_its_resumer(void **state)
{
    char paper[16] = "";
    struct script outer, inner;

    (void)state;
    script_init(&outer, resume_inner_twice, 'a', paper);
    script_init(&inner, three_lines, 'x', paper);
    outer.inner = &inner;
    script_resume(&inner, '1');
    script_resume(&outer, '2');
    script_resume(&inner, '3');

    assert_string_equal(paper, "1x2<y>3z");
    assert_true(inner.coroutine.done);
    free(outer.coroutine.stack);
    free(inner.coroutine.stack);
}

static void forgotten_coroutine_leaves_its_stack_to_another(void **state)
{
    char paper[16] = "";
    struct script script;
    void *stack;

    (void)state;
    script_init(&script, three_lines, 'a', paper);
    stack = script.coroutine.stack;
    script_resume(&script, '1');
    script.letter = 'x';
    coroutine_init(&script.coroutine, stack, STACK, three_lines, &script);
    script_resume(&script, '1');
    script_resume(&script, '2');

    assert_string_equal(paper, "1a1x2y");
    free(stack);
}

static void done_coroutine_s_stack_takes_another_function(void **state)
{
    char paper[16] = "";
    struct script script;

    (void)state;
    script_init(&script, three_lines, 'a', paper);
    resume_three_times(&script);
    assert_true(script.coroutine.done);
    script.letter = 'x';
    coroutine_again(&script.coroutine, three_lines, &script);
    assert_false(script.coroutine.done);
    script_resume(&script, '4');
    script_resume(&script, '5');

    assert_string_equal(paper, "1a2b3c4x5y");
    free(script.coroutine.stack);
}

/* Suspends `depth` calls deep; the way back adds 1 + 2 + .. + depth. */
static uint64_t descend(struct coroutine *c, unsigned depth)
{
    volatile unsigned kept[64] = {depth, [63] = depth};

    if (depth == 0) {
        coroutine_suspend(c);
        return 0;
    }
    return descend(c, depth - 1) + (kept[0] + kept[63]) / 2;
}

struct descent {
    struct coroutine coroutine;
    uint64_t sum;
};

static void descent_main(void *argument)
{
    struct descent *descent = argument;

    descent->sum = descend(&descent->coroutine, 100);
}

static void hundred_suspended_calls_keep_their_variables(void **state)
{
    struct descent descent = {.sum = 0};
    void *stack = malloc(STACK);

    (void)state;
    assert_non_null(stack);
    coroutine_init(&descent.coroutine, stack, STACK, descent_main, &descent);
    coroutine_resume(&descent.coroutine);
    assert_int_equal(descent.sum, 0);
    coroutine_resume(&descent.coroutine);
    assert_int_equal(descent.sum, 5050);
    free(stack);
}

struct place {
    struct coroutine coroutine;
    uintptr_t variable;
};

static void place_main(void *argument)
{
    struct place *place = argument;
    volatile char variable = 1;

    place->variable = (uintptr_t)&variable;
    coroutine_suspend(&place->coroutine);
}

static void coroutine_s_variables_lie_on_the_given_stack(void **state)
{
    struct place place = {.variable = 0};
    char *stack = malloc(STACK);

    (void)state;
    assert_non_null(stack);
    coroutine_init(&place.coroutine, stack, STACK, place_main, &place);
    coroutine_resume(&place.coroutine);
    assert_in_range(
        place.variable, (uintptr_t)stack, (uintptr_t)stack + STACK - 1);
    free(stack);
}

/* Three lines: a suspension after the first, and after the second the other one
 * goes on. */
static void switch_after_two(void *argument)
{
    struct script *script = argument;

    write_letter(script->paper, script->letter);
    coroutine_suspend(&script->coroutine);
    write_letter(script->paper, (char)(script->letter + 1));
    coroutine_switch(&script->coroutine, &script->inner->coroutine);
    write_letter(script->paper, (char)(script->letter + 2));
}

static void one_that_another_switched_to_comes_back_to_the_resumer(void **state)
{
    char paper[16] = "";
    struct script first, second;

    (void)state;
    script_init(&first, switch_after_two, 'a', paper);
    script_init(&second, three_lines, 'x', paper);
    first.inner = &second;
    assert_ptr_equal(script_resume(&second, '1'), &second);
    assert_ptr_equal(script_resume(&first, '2'), &first);
    assert_ptr_equal(script_resume(&first, '3'), &second);
    assert_ptr_equal(script_resume(&second, '4'), &second);
    assert_true(second.coroutine.done);
    assert_ptr_equal(script_resume(&first, '5'), &first);
    assert_true(first.coroutine.done);

    assert_string_equal(paper, "1x2a3by4z5c");
    free(first.coroutine.stack);
    free(second.coroutine.stack);
}

static void two_switch_to_and_fro(void **state)
{
    char paper[16] = "";
    struct script first, second;

    (void)state;
    script_init(&first, switch_after_two, 'a', paper);
    script_init(&second, switch_after_two, 'x', paper);
    first.inner = &second;
    second.inner = &first;
    script_resume(&first, '1');
    script_resume(&second, '2');
    assert_ptr_equal(script_resume(&first, '3'), &first);
    assert_true(first.coroutine.done);
    assert_false(second.coroutine.done);
    assert_ptr_equal(script_resume(&second, '4'), &second);
    assert_true(second.coroutine.done);

    assert_string_equal(paper, "1a2x3byc4z");
    free(first.coroutine.stack);
    free(second.coroutine.stack);
}

TEST_FILE(test_coroutine)
{
    test_add(list, "resumer_and_coroutine_alternate",
        resumer_and_coroutine_alternate, NULL);
    test_add(list, "nothing_runs_before_the_first_resume",
        nothing_runs_before_the_first_resume, NULL);
    test_add(list, "done_coroutine_s_stack_takes_another_function",
        done_coroutine_s_stack_takes_another_function, NULL);
    test_add(list, "coroutine_is_done_only_when_it_has_returned",
        coroutine_is_done_only_when_it_has_returned, NULL);
    test_add(list, "two_coroutines_keep_their_own_places",
        two_coroutines_keep_their_own_places, NULL);
    test_add(list, "inner_coroutine_returns_to_its_own_resumer",
        inner_coroutine_returns_to_its_own_resumer, NULL);
    test_add(list, "coroutine_may_change_its_resumer",
        coroutine_may_change_its_resumer, NULL);
    test_add(list, "forgotten_coroutine_leaves_its_stack_to_another",
        forgotten_coroutine_leaves_its_stack_to_another, NULL);
    test_add(list, "hundred_suspended_calls_keep_their_variables",
        hundred_suspended_calls_keep_their_variables, NULL);
    test_add(list, "coroutine_s_variables_lie_on_the_given_stack",
        coroutine_s_variables_lie_on_the_given_stack, NULL);
    test_add(list, "one_that_another_switched_to_comes_back_to_the_resumer",
        one_that_another_switched_to_comes_back_to_the_resumer, NULL);
    test_add(list, "two_switch_to_and_fro", two_switch_to_and_fro, NULL);
}
