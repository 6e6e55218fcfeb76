/* test_float_saves.c - saved floating-point states: the last one of a thread,
 * and one by its address (FPU-02). */
#include "api/core/float_saves.h"

#include "tests/api/booted_kernel.h"

static char threads[2]; /* two that are not the same */

static struct float_save make(unsigned thread, uint64_t address, bool extended)
{
    return (struct float_save){
        .address = address, .thread = &threads[thread], .extended = extended};
}

static void last_one_of_a_thread_is_the_innermost(void **state)
{
    const struct float_save saves[] = {
        make(0, 0x10, false), make(1, 0x20, false), make(0, 0x30, false)};
    struct booted_kernel booted;
    struct kernel *kernel = &booted.kernel;

    (void)state;
    booted_init_usual(&booted);
    assert_null(float_saves_innermost(kernel, &threads[0]));
    for (size_t i = 0; i < 3; i++) {
        float_saves_add(kernel, &saves[i]);
    }
    assert_int_equal(float_saves_innermost(kernel, &threads[0])->address, 0x30);
    assert_int_equal(float_saves_innermost(kernel, &threads[1])->address, 0x20);
    float_saves_remove(kernel, float_saves_find(kernel, 0x30, false));
    assert_int_equal(float_saves_innermost(kernel, &threads[0])->address, 0x10);
    float_saves_remove(kernel, float_saves_find(kernel, 0x10, false));
    assert_null(float_saves_innermost(kernel, &threads[0]));
    booted_release(&booted);
}

static void kinds_at_one_place_are_two(void **state)
{
    const struct float_save plain = make(0, 0x10, false);
    const struct float_save extended = make(0, 0x10, true);
    struct booted_kernel booted;
    struct kernel *kernel = &booted.kernel;

    (void)state;
    booted_init_usual(&booted);
    float_saves_add(kernel, &plain);
    assert_null(float_saves_find(kernel, 0x10, true));
    float_saves_add(kernel, &extended);
    assert_true(float_saves_find(kernel, 0x10, true)->extended);
    assert_false(float_saves_find(kernel, 0x10, false)->extended);
    assert_null(float_saves_find(kernel, 0x18, false));
    booted_release(&booted);
}

static void record_is_used_again_where_there_is_no_memory(void **state)
{
    const struct float_save save = make(0, 0x10, false);
    struct booted_kernel booted;
    struct kernel *kernel = &booted.kernel;

    (void)state;
    booted_init_usual(&booted);
    float_saves_add(kernel, &save);
    booted.machine.arena.reserve = booted.machine.arena.limit;
    float_saves_remove(kernel, float_saves_find(kernel, 0x10, false));
    float_saves_add(kernel, &save);
    booted_release(&booted);
}

TEST_FILE(test_float_saves)
{
    test_add(list, "last_one_of_a_thread_is_the_innermost",
        last_one_of_a_thread_is_the_innermost, NULL);
    test_add(
        list, "kinds_at_one_place_are_two", kinds_at_one_place_are_two, NULL);
    test_add(list, "record_is_used_again_where_there_is_no_memory",
        record_is_used_again_where_there_is_no_memory, NULL);
}
