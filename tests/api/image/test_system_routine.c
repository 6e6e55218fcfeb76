/* test_system_routine.c - MmGetSystemRoutineAddress: what a driver finds by
 * name, and that it can be called (SYSR-01, SYSR-02, SYSR-03). */
#include "api/core/trace_events.h"
#include "tests/api/image/native_scene.h"

enum { NAME_CHARS = 70 };

static struct name_row {
    const char *name;
    const char *routine; /* as Latin-1 */
    size_t length;       /* in characters */
    enum os os;
    bool want;
} name_rows[] = {
    {"routine_of_the_kernel", "PcwRegister", 11, OS_WIN11, true},
    {"routine_of_the_hal", "HalAllocateHardwareCounters", 27, OS_WIN11, true},
    {"routine_of_the_compiler", "memcpy", 6, OS_WIN11, true},
    {"routine_of_the_oldest_version", "PcwRegister", 11, OS_WIN7, true},
    {"routine_of_a_later_version", "ExAllocatePool2", 15, OS_WIN7, false},
    {"routine_of_the_next_version", "ExAllocatePool2", 15, OS_WIN10_1903,
        false},
    {"routine_of_this_version", "ExAllocatePool2", 15, OS_WIN_FE, true},
    {"variable", "NtBuildNumber", 13, OS_WIN11, true},
    {"variable_that_is_a_structure", "HalDispatchTable", 16, OS_WIN7, true},
    {"what_only_that_leads_to", "HalSetSystemInformation", 23, OS_WIN11, false},
    {"itself", "MmGetSystemRoutineAddress", 25, OS_WIN7, true},
    {"name_of_nothing", "PcwRegister2", 12, OS_WIN11, false},
    {"name_of_ours", "crt_memcpy", 10, OS_WIN11, false},
    {"other_case", "pcwRegister", 11, OS_WIN11, false},
    {"beginning_of_a_name", "PcwRegister", 10, OS_WIN11, false},
    {"length_counts_and_no_nul", "PcwRegister2", 11, OS_WIN11, true},
    {"nul_in_the_name", "PcwRegister", 12, OS_WIN11, false},
    {"letter_beyond_ascii", "PcwRegist\xE9r", 11, OS_WIN11, false},
    {"empty", "", 0, OS_WIN11, false},
    {"longest_that_is_looked_at",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJK", 63,
        OS_WIN11, false},
    {"longer",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKL", 64,
        OS_WIN11, false},
};

/* A driver's string, of that many characters. */
static uint64_t put_name(
    struct native_scene *scene, const char *text, size_t length)
{
    WCHAR wide[NAME_CHARS] = {0};
    UNICODE_STRING string = {
        .Length = (USHORT)(length * sizeof(WCHAR)),
        .MaximumLength = (USHORT)(length * sizeof(WCHAR)),
    };

    assert_true(length < NAME_CHARS);
    for (size_t i = 0; i < length; i++) {
        wide[i] = (uint8_t)text[i];
    }
    string.Buffer = booted_copy(&scene->booted, wide, sizeof(wide));
    return (uintptr_t)booted_copy(&scene->booted, &string, sizeof(string));
}

static void name_row(void **state)
{
    const struct name_row *row = *state;
    struct native_scene scene = {.size = 0};

    native_init_os(&scene, "lookup.sys", row->os);
    assert_int_equal(native_call(&scene, "is_there",
                         put_name(&scene, row->routine, row->length), 0),
        row->want);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    native_release(&scene);
}

static struct found_row {
    const char *name;
    const char *function;
    uint64_t argument;
    enum os os;
    uint64_t want;
} found_rows[] = {
    {"routine_is_called", "level_by_address", 2, OS_WIN11, 2},
    {"pool_of_this_version", "pool_by_address", 32, OS_WIN11, 2},
    {"pool_of_a_later_version", "pool_by_address", 32, OS_WIN7, 1},
    {"variable_is_read", "build_by_address", 0, OS_WIN7, 0xF0001DB0},
};

static void found_row(void **state)
{
    const struct found_row *row = *state;
    struct native_scene scene = {.size = 0};

    native_init_os(&scene, "lookup.sys", row->os);
    assert_int_equal(
        native_call(&scene, row->function, row->argument, 0), row->want);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    native_release(&scene);
}

/* No address of the host's is in a trace. */
static void trace_names_the_routine(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct trace *trace = &scene.booted.machine.trace;
    char said[64] = "";

    (void)state;
    native_init_os(&scene, "lookup.sys", OS_WIN11);
    native_call(&scene, "is_there", put_name(&scene, "PcwRegister", 11), 0);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_record *record = &trace->record[i];

        if (record->kind == &api_events[API_EVENT_RETURN_VALUE]) {
            snprintf(said, sizeof(said), "%s",
                trace_text_at(trace, record->value[1]));
        }
    }
    assert_string_equal(said, "PcwRegister");
    native_release(&scene);
}

static void above_passive_level_it_is_a_broken_rule(void **state)
{
    struct native_scene scene = {.size = 0};

    (void)state;
    native_init_os(&scene, "lookup.sys", OS_WIN11);
    native_call_to_stop(
        &scene, "is_there_raised", put_name(&scene, "PcwRegister", 11), 0);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0x0A);
    assert_int_equal(scene.booted.kernel.rules.count, 1);
    native_release(&scene);
}

static void null_is_an_access_violation(void **state)
{
    struct native_scene scene = {.size = 0};

    (void)state;
    native_init_os(&scene, "lookup.sys", OS_WIN11);
    native_call_to_stop(&scene, "is_there", 0, 0);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0x1E);
    native_release(&scene);
}

TEST_FILE(test_system_routine)
{
    TEST_ADD_ROWS(list, name_row, name_rows);
    TEST_ADD_ROWS(list, found_row, found_rows);
    test_add(list, "trace_names_the_routine", trace_names_the_routine, NULL);
    test_add(list, "above_passive_level_it_is_a_broken_rule",
        above_passive_level_it_is_a_broken_rule, NULL);
    test_add(
        list, "null_is_an_access_violation", null_is_an_access_violation, NULL);
}
