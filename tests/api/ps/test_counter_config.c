/* test_counter_config.c - KeSetHardwareCounterConfiguration and
 * KeQueryHardwareCounterConfiguration (facts.md 3, 10). */
#include "api/boot/exports.h"
#include "api/hal/arbiter.h"
#include "api/ps/counter_config.h"
#include "tests/api/booted_kernel.h"

/* The driver holds every counter, so that none of them is reported
 * (KHC-SET-11b). */
static void boot_holding_all(struct booted_kernel *booted)
{
    const struct counter_claim claim = {.exclusive = true, .affinity = {1}};

    booted_init_usual(booted);
    arbiter_grant(booted->kernel.arbiter, &booted->machine.arena, &claim,
        &booted->driver);
}

/* One call of either; the kernel's answer in what the driver passed. */
struct config_call {
    PHARDWARE_COUNTER array;
    ULONG count;
    PULONG count_out; /* NULL with `set` */
    bool set;
    bool raised;
    struct exception_record record;
    uint32_t status;
};

static void config_call(void *argument)
{
    struct config_call *call = argument;

    if (call->set) {
        call->status = (uint32_t)KeSetHardwareCounterConfiguration(
            call->array, call->count);
    } else {
        call->status = (uint32_t)KeQueryHardwareCounterConfiguration(
            call->array, call->count, call->count_out);
    }
}

static void config_try(void *argument)
{
    struct config_call *call = argument;

    call->raised = booted_catch(config_call, call, &call->record);
}

static uint32_t run(struct booted_kernel *booted, struct config_call *call)
{
    booted_run(booted, 0, config_try, call);
    assert_false(call->raised);
    return call->status;
}

/* Configures counters with the indexes first, first + 1, ... */
static uint32_t set_indexes(
    struct booted_kernel *booted, ULONG count, uint64_t first)
{
    HARDWARE_COUNTER counter[32];
    struct config_call call = {.count = count, .set = true};

    for (ULONG i = 0; i < count; i++) {
        counter[i] = (HARDWARE_COUNTER){.Index = first + i};
    }
    if (count > 0) {
        call.array = booted_copy(booted, counter, count * sizeof(*counter));
    }
    return run(booted, &call);
}

static void boot_configuration_is_empty(void **state)
{
    struct booted_kernel booted;
    struct config_call call = {0};

    (void)state;
    boot_holding_all(&booted);
    call.count_out = booted_block(&booted, 4, 0xA5);
    assert_int_equal(run(&booted, &call), 0x00000000);
    assert_int_equal(*call.count_out, 0);
    booted_release(&booted);
}

static struct set_row {
    const char *name;
    ULONG count;
    uint32_t want;
    ULONG want_count; /* one counter was configured before */
} set_rows[] = {
    {"no_counter_empties_the_configuration", 0, 0x00000000, 0},
    {"one_counter_replaces_the_one_before", 1, 0x00000000, 1},
    {"sixteen_counters_are_the_most", 16, 0x00000000, 16},
    {"seventeen_counters_are_too_many", 17, 0xC000000D, 1},
};

static void set_row(void **state)
{
    const struct set_row *row = *state;
    struct booted_kernel booted;

    boot_holding_all(&booted);
    assert_int_equal(set_indexes(&booted, 1, 99), 0x00000000);
    assert_int_equal(set_indexes(&booted, row->count, 5), row->want);
    assert_int_equal(booted.kernel.config->count, row->want_count);
    assert_int_equal(
        booted.kernel.config->counter[0].Index, row->want != 0        ? 99
                                                : row->want_count > 0 ? 5
                                                                      : 0);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static struct element_row {
    const char *name;
    HARDWARE_COUNTER counter[2];
    uint32_t want;
    ULONG want_count; /* nothing was configured before */
    const char *want_rule;
} element_rows[] = {
    {"index_of_a_fixed_counter_is_accepted",
        {{.Index = 0x40000001}, {.Index = 1}}, 0x00000000, 2, NULL},
    {"highest_index_is_accepted", {{.Index = 0xFFFFFFFFFFFFFFFF}, {.Index = 1}},
        0x00000000, 2, NULL},
    {"same_index_twice_is_accepted", {{.Index = 3}, {.Index = 3}}, 0x00000000,
        2, NULL},
    {"reserved_is_reported_and_accepted", {{.Reserved = 1}, {.Index = 1}},
        0x00000000, 2, "khc.set.reserved"},
    {"reserved_of_the_last_element_is_reported",
        {{.Index = 1}, {.Reserved = 0x80000000}}, 0x00000000, 2,
        "khc.set.reserved"},
    {"reserved_twice_is_reported_once", {{.Reserved = 1}, {.Reserved = 1}},
        0x00000000, 2, "khc.set.reserved"},
    {"type_1_is_reported_and_refused",
        {{.Type = MaxHardwareCounterType}, {.Index = 1}}, 0xC000000D, 0,
        "khc.set.type"},
    {"type_of_the_last_element_is_refused",
        {{.Index = 1}, {.Type = MaxHardwareCounterType}}, 0xC000000D, 0,
        "khc.set.type"},
    {"type_is_refused_whatever_reserved_is",
        {{.Reserved = 1}, {.Type = MaxHardwareCounterType}}, 0xC000000D, 0,
        "khc.set.type"},
    {"highest_type_is_refused",
        {{.Type = (HARDWARE_COUNTER_TYPE)0xFFFFFFFF}, {.Index = 1}}, 0xC000000D,
        0, "khc.set.type"},
};

static void element_row(void **state)
{
    const struct element_row *row = *state;
    struct booted_kernel booted;
    struct config_call call = {.count = 2, .set = true};
    const struct rule_log *log = &booted.kernel.rules;

    boot_holding_all(&booted);
    call.array = booted_copy(&booted, row->counter, sizeof(row->counter));
    assert_int_equal(run(&booted, &call), row->want);
    assert_int_equal(booted.kernel.config->count, row->want_count);
    assert_int_equal(log->count, row->want_rule == NULL ? 0 : 1);
    if (row->want_rule != NULL) {
        assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
        assert_int_equal(
            log->event[0].routine, ROUTINE_KeSetHardwareCounterConfiguration);
    }
    booted_release(&booted);
}

static void array_is_copied_before_return(void **state)
{
    const HARDWARE_COUNTER counter = {.Index = 7};
    struct booted_kernel booted;
    struct config_call call = {.count = 1, .set = true};
    struct config_call query = {.count = 1};

    (void)state;
    boot_holding_all(&booted);
    call.array = booted_copy(&booted, &counter, sizeof(counter));
    assert_int_equal(run(&booted, &call), 0x00000000);
    memset(call.array, 0xA5, sizeof(counter));
    query.array = booted_block(&booted, 16, 0);
    query.count_out = booted_block(&booted, 4, 0);
    assert_int_equal(run(&booted, &query), 0x00000000);
    assert_int_equal(query.array->Index, 7);
    assert_int_equal(query.array->Type, 0);
    booted_release(&booted);
}

/* Three counters with the indexes 5, 6, 7 are configured. */
static struct query_row {
    const char *name;
    ULONG maximum;
    ULONG buffer; /* elements; 0: CounterArray is NULL */
    uint32_t want;
    ULONG want_count, want_written; /* elements */
} query_rows[] = {
    {"room_for_two_of_three_is_too_small", 2, 2, 0xC0000023, 3, 0},
    {"no_room_is_too_small", 0, 1, 0xC0000023, 3, 0},
    {"no_room_and_no_buffer_is_too_small", 0, 0, 0xC0000023, 3, 0},
    {"too_small_is_told_without_a_buffer", 2, 0, 0xC0000023, 3, 0},
    {"room_for_three_is_enough", 3, 3, 0x00000000, 3, 3},
    {"room_for_sixteen_stays_empty_behind_the_third", 16, 16, 0x00000000, 3, 3},
    {"maximum_above_sixteen_is_legal", 1000, 20, 0x00000000, 3, 3},
    {"highest_maximum_is_legal", 0xFFFFFFFF, 3, 0x00000000, 3, 3},
};

static void query_row(void **state)
{
    const struct query_row *row = *state;
    struct booted_kernel booted;
    struct config_call call = {.count = row->maximum};
    const uint8_t *bytes;

    boot_holding_all(&booted);
    assert_int_equal(set_indexes(&booted, 3, 5), 0x00000000);
    if (row->buffer > 0) {
        call.array = booted_block(&booted, row->buffer * 16, 0xA5);
    }
    call.count_out = booted_block(&booted, 4, 0xA5);
    assert_int_equal(run(&booted, &call), row->want);
    assert_int_equal(*call.count_out, row->want_count);
    bytes = (const uint8_t *)call.array;
    for (ULONG i = 0; i < row->want_written; i++) {
        assert_int_equal(call.array[i].Type, 0);
        assert_int_equal(call.array[i].Reserved, 0);
        assert_int_equal(call.array[i].Index, 5 + i);
    }
    for (ULONG i = 16 * row->want_written; i < 16 * row->buffer; i++) {
        assert_int_equal(bytes[i], 0xA5);
    }
    booted_release(&booted);
}

static void elements_come_back_as_they_were_given(void **state)
{
    const HARDWARE_COUNTER counter[] = {
        {.Reserved = 0x1234, .Index = 9}, {.Index = 0x4000000000000002}};
    struct booted_kernel booted;
    struct config_call call = {.count = 2, .set = true};
    struct config_call query = {.count = 2};

    (void)state;
    boot_holding_all(&booted);
    call.array = booted_copy(&booted, counter, sizeof(counter));
    assert_int_equal(run(&booted, &call), 0x00000000);
    query.array = booted_block(&booted, sizeof(counter), 0xA5);
    query.count_out = booted_block(&booted, 4, 0);
    assert_int_equal(run(&booted, &query), 0x00000000);
    assert_memory_equal(query.array, counter, 32);
    booted_release(&booted);
}

/* Which of the pointers raise; three counters are configured. */
static struct fault_row {
    const char *name;
    bool set;
    ULONG count;    /* Count or MaximumCount */
    int array, out; /* bytes that are there; -1: NULL */
    bool want_raised, want_write;
} fault_rows[] = {
    {"set_of_null_raises", true, 1, -1, 0, true, false},
    {"set_of_null_without_elements_is_fine", true, 0, -1, 0, false, false},
    {"set_of_seventeen_at_null_is_refused_first", true, 17, -1, 0, false,
        false},
    {"set_past_the_end_raises", true, 2, 31, 0, true, false},
    {"query_without_count_raises", false, 16, 256, -1, true, true},
    {"query_with_a_short_count_raises", false, 16, 256, 3, true, true},
    {"query_without_count_raises_before_the_size_is_looked_at", false, 0, 0, -1,
        true, true},
    {"query_without_array_raises", false, 16, -1, 4, true, true},
    {"query_of_an_array_that_is_too_short_raises", false, 3, 47, 4, true, true},
    {"query_touches_no_more_than_it_writes", false, 16, 48, 4, false, false},
};

static void *bytes_of(struct booted_kernel *booted, int bytes)
{
    return bytes < 0 ? NULL : booted_block(booted, (size_t)bytes, 0);
}

static void fault_row(void **state)
{
    const struct fault_row *row = *state;
    struct booted_kernel booted;
    struct config_call call = {.set = row->set, .count = row->count};
    enum routine routine = row->set
                               ? ROUTINE_KeSetHardwareCounterConfiguration
                               : ROUTINE_KeQueryHardwareCounterConfiguration;

    boot_holding_all(&booted);
    assert_int_equal(set_indexes(&booted, 3, 5), 0x00000000);
    call.array = bytes_of(&booted, row->array);
    call.count_out = bytes_of(&booted, row->out);
    booted_run(&booted, 0, config_try, &call);
    assert_int_equal(call.raised, row->want_raised);
    if (row->want_raised) {
        assert_int_equal((uint32_t)call.record.code, 0xC0000005);
        assert_int_equal(call.record.routine, routine);
        assert_int_equal(call.record.write, row->want_write);
        assert_int_equal(booted.kernel.config->count, 3); /* as it was */
    }
    booted_release(&booted);
}

/* KHC-QRY-04, KHC-QRY-13: the Count pointer is looked at before anything is
 * written, and before CounterArray. */
static struct order_row {
    const char *name;
    size_t array; /* bytes that are there; three elements are to be written */
} order_rows[] = {
    {"query_without_count_writes_no_element", 48},
    {"query_looks_at_count_before_the_array", 47},
};

static void order_row(void **state)
{
    const struct order_row *row = *state;
    struct booted_kernel booted;
    struct config_call call = {.count = 3};
    const uint8_t *bytes;

    boot_holding_all(&booted);
    assert_int_equal(set_indexes(&booted, 3, 5), 0x00000000);
    bytes = booted_block(&booted, row->array, 0xA5);
    call.array = (PHARDWARE_COUNTER)(uintptr_t)bytes;
    booted_run(&booted, 0, config_try, &call);
    assert_true(call.raised);
    assert_null(call.record.address);
    for (size_t i = 0; i < row->array; i++) {
        assert_int_equal(bytes[i], 0xA5);
    }
    booted_release(&booted);
}

static void null_array_is_fine_for_an_empty_configuration(void **state)
{
    struct booted_kernel booted;
    struct config_call call = {.count = 16};

    (void)state;
    boot_holding_all(&booted);
    call.count_out = booted_block(&booted, 4, 0xA5);
    assert_int_equal(run(&booted, &call), 0x00000000);
    assert_int_equal(*call.count_out, 0);
    booted_release(&booted);
}

static struct arch_row_test {
    const char *name;
    enum os os;
    enum arch arch;
    uint32_t want;
} arch_tests[] = {
    {"windows_7_on_x86_is_implemented", OS_WIN7, ARCH_X86, 0x00000000},
    {"windows_7_on_x64_is_implemented", OS_WIN7, ARCH_X64, 0x00000000},
    {"windows_7_on_ia64_is_implemented", OS_WIN7, ARCH_IA64, 0x00000000},
    {"windows_8_on_x86_is_implemented", OS_WIN8, ARCH_X86, 0x00000000},
    {"windows_8_on_arm32_is_not_implemented", OS_WIN8, ARCH_ARM32, 0xC0000002},
    {"windows_10_on_arm32_is_not_implemented", OS_WIN10_1903, ARCH_ARM32,
        0xC0000002},
    {"windows_10_on_arm64_is_implemented", OS_WIN10_PRE1903, ARCH_ARM64,
        0x00000000},
    {"windows_11_on_arm64_is_implemented", OS_WIN11, ARCH_ARM64, 0x00000000},
    {"windows_11_on_x64_is_implemented", OS_WIN11, ARCH_X64, 0x00000000},
};

static void arch_row(void **state)
{
    const struct arch_row_test *row = *state;
    struct booted_kernel booted;
    struct config_call query = {.count = 0};

    booted_init(&booted, row->os, row->arch, 1, 1);
    assert_int_equal(set_indexes(&booted, 17, 0),
        row->want != 0 ? row->want : 0xC000000D); /* comes before Count */
    query.count_out = booted_block(&booted, 4, 0xA5);
    assert_int_equal(run(&booted, &query), row->want);
    assert_int_equal(*query.count_out, row->want != 0 ? 0xA5A5A5A5 : 0);
    booted_release(&booted);
}

TEST_FILE(test_counter_config)
{
    TEST_ADD_ROWS(list, set_row, set_rows);
    TEST_ADD_ROWS(list, element_row, element_rows);
    TEST_ADD_ROWS(list, query_row, query_rows);
    TEST_ADD_ROWS(list, fault_row, fault_rows);
    TEST_ADD_ROWS(list, order_row, order_rows);
    TEST_ADD_ROWS(list, arch_row, arch_tests);
    test_add(
        list, "boot_configuration_is_empty", boot_configuration_is_empty, NULL);
    test_add(list, "array_is_copied_before_return",
        array_is_copied_before_return, NULL);
    test_add(list, "elements_come_back_as_they_were_given",
        elements_come_back_as_they_were_given, NULL);
    test_add(list, "null_array_is_fine_for_an_empty_configuration",
        null_array_is_fine_for_an_empty_configuration, NULL);
}
