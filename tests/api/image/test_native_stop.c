/* test_native_stop.c - what a driver's native code may not do: each is found at
 * the instruction, with image, offset and function. */
#include <sys/time.h>

#include "api/core/place.h"
#include "tests/api/image/native_scene.h"

/* What the function's first argument is. */
enum what {
    NUMBER,
    BLOCK,       /* a block of 100 bytes, and an offset into it */
    FREED_BLOCK, /* the same, freed */
    PAGED_BLOCK, /* a pageable page */
    OWN_CODE,    /* the image's own first page of code */
};

static struct stop_row {
    const char *name;
    const char *function;
    enum what what;
    uint64_t first, second;
    const char *want_rule;
    uint32_t want_code;
    const char *want_function;
    uint8_t want_irql;
} stop_rows[] = {
    {"bad_register", "read_msr", NUMBER, 0x12345, 0, "msr.fault", 0x1E,
        "read_msr", 0},
    {"reserved_bit", "write_msr", NUMBER, 0x38F, UINT64_MAX, "msr.fault", 0x1E,
        "write_msr", 0},
    {"null_pointer", "touch", NUMBER, 0, 0, "exception.unhandled", 0x1E,
        "touch", 0},
    {"user_address_when_raised", "touch_raised", NUMBER, 0x1000, 0,
        "mm.raised_access", 0xD1, "touch_raised", 2},
    {"kernel_address", "touch", NUMBER, 0xFFFF900000000000, 0, "mm.bad_address",
        0x50, "touch", 0},
    {"address_of_no_form", "touch", NUMBER, 0x8000000000000000, 0,
        "exception.unhandled", 0x1E, "touch", 0},
    {"byte_past_a_block", "touch", BLOCK, 100, 0, "mm.overrun", 0xD6, "touch",
        0},
    {"freed_block", "touch", FREED_BLOCK, 50, 0, "mm.use_after_free", 0xD5,
        "touch", 0},
    {"pageable_data_when_raised", "touch_raised", PAGED_BLOCK, 0, 0,
        "mm.paged_access", 0xD1, "touch_raised", 2},
    {"pageable_code_when_raised", "paged_raised", NUMBER, 0, 0,
        "mm.paged_access", 0xD1, "in_paged_code", 2},
    {"write_to_code", "store", OWN_CODE, 0, 1, "mm.read_only", 0xBE, "store",
        0},
    {"call_of_data", "call", BLOCK, 0, 0, "mm.no_execute", 0xFC, "call", 0},
    {"call_of_null", "call", NUMBER, 0, 0, "code.jump_null", 0x1E, "call", 0},
    {"endless_recursion", "recurse", NUMBER, 1000, 0, "stack.overflow", 0x7F,
        "recurse", 0},
    {"breakpoint", "stop_here", NUMBER, 0, 0, "exception.unhandled", 0x1E,
        "stop_here", 0},
    {"fast_fail", "fast_fail", NUMBER, 2, 0, "code.fastfail", 0x139,
        "fast_fail", 0},
    {"division_by_zero", "divide", NUMBER, 0, 0, "exception.unhandled", 0x1E,
        "divide", 0},
    {"level_that_no_raise_returned", "lower_wrongly", NUMBER, 0, 0,
        "irql.lower_mismatch", 0xC8, "lower_wrongly", 2},
    {"level_before_the_last_raise", "lower_by_cr8_too_far", NUMBER, 0, 0,
        "irql.lower_mismatch", 0xC8, "lower_by_cr8_too_far", 2},
    {"discarded_code", "DriverEntry", NUMBER, 0, 0, "image.discarded", 0x50,
        "DriverEntry", 0},
};

static uint64_t first_argument(
    struct native_scene *scene, const struct stop_row *row)
{
    struct memory *memory = &scene->booted.machine.memory;
    uint8_t *block;

    switch (row->what) {
    case NUMBER:
        return row->first;
    case OWN_CODE:
        return (uintptr_t)scene->image->base + 0x1000;
    case BLOCK:
    case FREED_BLOCK:
        block = memory_alloc(memory, 100, 0);
        assert_non_null(block);
        if (row->what == FREED_BLOCK) {
            memory_free(memory, block);
        }
        return (uintptr_t)block + row->first;
    case PAGED_BLOCK:
        block = memory_alloc(memory, MEMORY_PAGE_BYTES, 0);
        assert_non_null(block);
        assert_true(
            memory_set(memory, block, 1, MEMORY_READ | MEMORY_WRITE, true));
        return (uintptr_t)block;
    }
    return 0;
}

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct native_scene scene = {.size = 0};
    const struct rule_log *log = &scene.booted.kernel.rules;
    const char *function;

    native_init(&scene, "native.sys");
    image_discard(&scene.booted.kernel, scene.image);
    native_call_to_stop(
        &scene, row->function, first_argument(&scene, row), row->second);
    assert_int_equal(log->count, 1);
    assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
    assert_int_equal(scene.booted.kernel.bugcheck.code, row->want_code);
    assert_int_equal(log->event[0].irql, row->want_irql);
    function = place_function(&scene.booted.kernel, log->event[0].place);
    if (row->want_function == NULL) {
        assert_null(function);
    } else {
        assert_non_null(function);
        assert_string_equal(function, row->want_function);
    }
    native_release(&scene);
}

static struct site_row {
    const char *name;
    const char *image, *function;
    uint8_t want; /* the first byte of the instruction, or its last one */
} site_rows[] = {
    {"call_through_the_import_table", "native.sys", "set_bad_array", 0xFF},
    {"call_of_an_import_library_s_jump", "native.sys", "query_by_jump", 0xE8},
    {"the_same_call_by_gcc", "native_mingw.sys", "set_bad_array", 0xFF},
    {"the_same_jump_by_gcc", "native_mingw.sys", "query_by_jump", 0xE8},
    {"call_of_what_rax_holds", "wild.sys", "call_by_rax", 0xFF},
    {"call_of_what_r9_holds", "wild.sys", "call_by_r9", 0x41},
    {"last_byte_of_another_call", "wild.sys", "call_by_memory", 0x20},
    {"last_byte_that_a_call_by_register_has", "wild.sys", "call_by_offset",
        0xD0},
    {"short_call_behind_what_a_long_one_begins_with", "wild.sys",
        "call_behind_ff", 0xE8},
};

/* A call of the kernel is named by the instruction that made it. */
static void site_row(void **state)
{
    const struct site_row *row = *state;
    struct native_scene scene = {.size = 0};
    const struct rule_log *log = &scene.booted.kernel.rules;
    uint64_t place;

    native_init(&scene, row->image);
    native_call_to_stop(&scene, row->function, 0, 0);
    assert_int_equal(log->count, 1);
    assert_string_equal(rule_rows[log->event[0].rule].id, "pointer.fault");
    place = log->event[0].place;
    assert_string_equal(
        place_function(&scene.booted.kernel, place), row->function);
    assert_int_equal(*(const uint8_t *)(uintptr_t)place, row->want);
    native_release(&scene);
}

static bool limit_time(suseconds_t microseconds)
{
    const struct itimerval timer = {.it_value = {.tv_usec = microseconds}};

    return setitimer(ITIMER_PROF, &timer, NULL) == 0;
}

static void endless_loop_ends_when_its_time_is_up(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct run_end *end;

    (void)state;
    native_init(&scene, "native.sys");
    end = &scene.booted.kernel.end;
    assert_true(limit_time(20000));
    native_call_to_stop(&scene, "spin_forever", 0, 0);
    assert_true(limit_time(0));
    assert_int_equal(end->kind, RUN_TIMEOUT);
    assert_non_null(strstr(end->reason, "spin_forever"));
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    native_release(&scene);
}

static void port_is_refused_by_name(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct run_end *end;

    (void)state;
    native_init(&scene, "native.sys");
    end = &scene.booted.kernel.end;
    native_call_to_stop(&scene, "read_port", 0, 0);
    assert_int_equal(end->kind, RUN_NOT_MODELLED);
    assert_non_null(strstr(end->reason, "the driver executed in at "));
    native_release(&scene);
}

static void register_is_refused_by_name_and_place(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct run_end *end;

    (void)state;
    native_init(&scene, "native.sys");
    end = &scene.booted.kernel.end;
    native_call_to_stop(&scene, "read_msr", 0x19C, 0);
    assert_int_equal(end->kind, RUN_NOT_MODELLED);
    assert_non_null(strstr(end->reason,
        "MSR 19CH is not modelled (IA32_THERM_STATUS at native.sys+0x"));
    assert_non_null(strstr(end->reason, "(read_msr+0x"));
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    native_release(&scene);
}

static void processor_that_has_no_memory_left_is_refused(void **state)
{
    struct native_scene scene = {.size = 0};
    struct memory *memory = &scene.booted.machine.memory;
    const struct run_end *end;

    (void)state;
    native_init(&scene, "native.sys");
    end = &scene.booted.kernel.end;
    for (size_t size = (size_t)1 << 32; size > 0;) {
        if (memory_alloc(memory, size, 0) == NULL) {
            size /= 2;
        }
    }
    native_call_to_stop(&scene, "read_irql", 0, 0);
    assert_int_equal(end->kind, RUN_NOT_MODELLED);
    assert_non_null(
        strstr(end->reason, "no memory left for a processor's area"));
    native_release(&scene);
}

static void code_of_a_fast_fail_is_the_first_parameter(void **state)
{
    struct native_scene scene = {.size = 0};

    (void)state;
    native_init(&scene, "native.sys");
    native_call_to_stop(&scene, "fast_fail", 7, 0);
    assert_int_equal(scene.booted.kernel.bugcheck.parameter[0].value, 7);
    native_release(&scene);
}

TEST_FILE(test_native_stop)
{
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    TEST_ADD_ROWS(list, site_row, site_rows);
    test_add(list, "endless_loop_ends_when_its_time_is_up",
        endless_loop_ends_when_its_time_is_up, NULL);
    test_add(list, "code_of_a_fast_fail_is_the_first_parameter",
        code_of_a_fast_fail_is_the_first_parameter, NULL);
    test_add(list, "port_is_refused_by_name", port_is_refused_by_name, NULL);
    test_add(list, "register_is_refused_by_name_and_place",
        register_is_refused_by_name_and_place, NULL);
    test_add(list, "processor_that_has_no_memory_left_is_refused",
        processor_that_has_no_memory_left_is_refused, NULL);
}
