/* test_native_wild.c - a driver's code may leave anything in registers, flags
 * and contexts; the kernel's own code does not run with it. */
#include "tests/api/image/native_scene.h"

#include <string.h>

#include "tests/host_of_32_bits.h"

/* How the driver's code gets to the kernel and back, as tests/drivers/wild.c
 * has it. */
enum { BY_RETURN, BY_CALL, BY_TRAP };

enum { FLAG_TF = 0x100, FLAG_NT = 0x4000, FLAG_AC = 0x40000 };

#define NO_ADDRESS UINT64_C(0x8000000000000000)

static struct call_row {
    const char *name;
    const char *function;
    uint64_t first, second, want;
} call_rows[] = {
    {"fs_base_and_return", "fs_base", 0, BY_RETURN, 1},
    {"fs_base_and_call", "fs_base", 0x1000, BY_CALL, 2},
    {"fs_base_of_no_memory", "fs_base", 0x7FFFFFFFF000, BY_CALL, 2},
    {"fs_base_and_trap", "fs_base", 0x1000, BY_TRAP, 3},
    {"fs_selector_and_trap", "fs_selector", 0, BY_TRAP, 3},
    {"alignment_check_and_return", "flags", FLAG_AC, BY_RETURN, 1},
    {"alignment_check_and_call", "flags", FLAG_AC, BY_CALL, 2},
    {"alignment_check_and_trap", "flags", FLAG_AC, BY_TRAP, 3},
    {"nested_task_and_return", "flags", FLAG_NT, BY_RETURN, 1},
    {"nested_task_and_call", "flags", FLAG_NT, BY_CALL, 2},
    {"nested_task_and_trap", "flags", FLAG_NT, BY_TRAP, 3},
    {"single_step", "single_step", 0, 0, 0x80000004},
    {"unmasked_sse_and_call", "mxcsr", 0, BY_CALL, 0},
    {"unmasked_sse_and_trap", "mxcsr", 0, BY_TRAP, 0},
    {"rounding_of_sse_is_kept", "mxcsr", 0x7F80, BY_CALL, 0x7F80},
    {"unmasked_x87_and_return", "x87", 0, BY_RETURN, 1},
    {"unmasked_x87_and_call", "x87", 0, BY_CALL, 2},
    {"unmasked_x87_and_trap", "x87", 0, BY_TRAP, 3},
    {"stack_that_is_off_by_1", "stack_off", 1, 0, 2},
    {"stack_that_is_off_by_4", "stack_off", 4, 0, 2},
    {"last_code_of_a_page", "read_at_end", 0xC1, 0, 0},
    {"middle_of_a_thunk", "middle_of_thunk", 0xFFFFFFFF, 0, 0xC000001D},
    {"all_flags_in_a_context", "resume_with", UINT32_MAX, 0x1F80, 2},
    {"all_of_mxcsr_in_a_context", "resume_with", 0x202, UINT32_MAX, 2},
    {"filters_that_raise", "raise_again", 3, 0, 0},
    {"strays_that_are_allowed", "stray", 1000, 0, 1000},
};

static void call_row(void **state)
{
    const struct call_row *row = *state;
    struct native_scene scene = {.size = 0};

    native_init(&scene, "wild.sys");
    assert_int_equal(
        native_call(&scene, row->function, row->first, row->second), row->want);
    native_release(&scene);
}

static struct stop_row {
    const char *name;
    const char *function;
    uint64_t first, second;
    const char *want_rule;
} stop_rows[] = {
    {"context_at_no_address", "resume_at", NO_ADDRESS, 0,
        "exception.unhandled"},
    {"code_of_32_bits", "narrow_code", 0x20000, 0, "stack.overflow"},
    {"context_at_null", "resume_at", 0, 0, "code.jump_null"},
    {"stack_at_null_and_call", "stack_at", 0x1000, BY_CALL, "stack.overflow"},
    {"stack_at_no_address", "stack_at", NO_ADDRESS, BY_CALL, "stack.overflow"},
    {"filters_that_raise_for_ever", "raise_again", 1000000, 0,
        "stack.overflow"},
};

static void check_stop(struct native_scene *scene, const char *want_rule)
{
    const struct rule_log *log = &scene->booted.kernel.rules;

    assert_int_equal(log->count, 1);
    assert_string_equal(rule_rows[log->event[0].rule].id, want_rule);
}

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct native_scene scene = {.size = 0};

    if (strcmp(row->function, "narrow_code") == 0 && !host_of_32_bits()) {
        skip();
    }
    native_init(&scene, "wild.sys");
    native_call_to_stop(&scene, row->function, row->first, row->second);
    check_stop(&scene, row->want_rule);
    native_release(&scene);
}

/* A stack of the driver's own is not modelled. */
static void call_on_a_stack_in_a_block(void **state)
{
    struct native_scene scene = {.size = 0};
    uint8_t *block;

    (void)state;
    native_init(&scene, "wild.sys");
    block = booted_block(&scene.booted, 8192, 0);
    native_call_to_stop(&scene, "stack_at", (uintptr_t)block + 4096, BY_CALL);
    check_stop(&scene, "stack.overflow");
    native_release(&scene);
}

/* One more ends it, and nobody is to blame. */
static void driver_that_searches_memory_is_ended(void **state)
{
    struct native_scene scene = {.size = 0};

    (void)state;
    native_init(&scene, "wild.sys");
    native_call_to_stop(&scene, "stray", 1001, 0);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    assert_int_equal(scene.booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_non_null(strstr(scene.booted.kernel.end.reason,
        "has touched 1001 addresses that are nobody's, the last at wild.sys+"));
    native_release(&scene);
}

TEST_FILE(test_native_wild)
{
    test_add(list, "driver_that_searches_memory_is_ended",
        driver_that_searches_memory_is_ended, NULL);
    TEST_ADD_ROWS(list, call_row, call_rows);
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    test_add(
        list, "call_on_a_stack_in_a_block", call_on_a_stack_in_a_block, NULL);
}
