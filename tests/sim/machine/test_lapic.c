/* test_lapic.c - LVTPC, priorities, and what is pending or in service. */
#include "sim/machine/lapic.h"
#include "tests/rows.h"

static struct request_row {
    const char *name;
    uint32_t lvtpc;
    bool want_accepted;
    uint32_t want_lvtpc;
    int want_next; /* -1: none */
} request_rows[] = {
    {"fixed_interrupt_is_accepted_and_masks_lvtpc", 0xFE, true, 0x100FE, 0xFE},
    {"masked_lvtpc_drops_the_request", 0x100FE, false, 0x100FE, -1},
    {"nmi_is_accepted_and_masks_lvtpc", 0x400, true, 0x10400, 2},
    {"nmi_ignores_the_vector_field", 0x4FE, true, 0x104FE, 2},
    {"masked_nmi_is_dropped", 0x10400, false, 0x10400, -1},
    {"lowest_legal_vector_is_accepted", 0x10, true, 0x10010, 0x10},
    {"highest_illegal_vector_is_no_interrupt", 0x0F, false, 0x0F, -1},
    {"vector_0_is_no_interrupt", 0x00, false, 0x00, -1},
    {"vector_63_is_the_last_of_its_word", 0x3F, true, 0x1003F, 0x3F},
    {"vector_64_is_the_first_of_its_word", 0x40, true, 0x10040, 0x40},
    {"highest_vector_is_accepted", 0xFF, true, 0x100FF, 0xFF},
    {"reserved_delivery_1_is_dropped", 0x1FE, false, 0x1FE, -1},
    {"bit_11_is_no_part_of_the_mode", 0x8FE, true, 0x108FE, 0xFE},
    {"smi_is_dropped", 0x2FE, false, 0x2FE, -1},
    {"reserved_delivery_3_is_dropped", 0x3FE, false, 0x3FE, -1},
    {"init_is_dropped", 0x5FE, false, 0x5FE, -1},
    {"reserved_delivery_6_is_dropped", 0x6FE, false, 0x6FE, -1},
    {"extint_is_dropped", 0x7FE, false, 0x7FE, -1},
};

static void request_row(void **state)
{
    const struct request_row *row = *state;
    struct lapic lapic;
    uint8_t vector;

    lapic_init(&lapic);
    lapic.lvtpc = row->lvtpc;

    vector = lapic_request_pmi(&lapic);
    assert_int_equal(vector, row->want_accepted ? row->want_next : 0);
    assert_int_equal(lapic_next(&lapic), -1);
    if (vector != 0) {
        lapic_pend_pmi(&lapic, vector);
    }
    assert_int_equal(lapic.lvtpc, row->want_lvtpc);
    assert_int_equal(lapic_next(&lapic), row->want_next);
}

static void request(struct lapic *lapic, uint32_t lvtpc)
{
    uint8_t vector;

    lapic->lvtpc = lvtpc;
    vector = lapic_request_pmi(lapic);
    assert_int_not_equal(vector, 0);
    lapic_pend_pmi(lapic, vector);
}

static struct priority_row {
    const char *name;
    uint8_t task_priority;
    uint32_t lvtpc;
    int want_next;
} priority_rows[] = {
    {"class_above_the_task_s_is_taken", 0x40, 0x51, 0x51},
    {"class_of_the_task_waits", 0x50, 0x51, -1},
    {"subclass_of_the_task_does_not_count", 0x4F, 0x50, 0x50},
    {"class_below_the_task_s_waits", 0x60, 0x51, -1},
    {"class_15_passes_class_14", 0xE0, 0xFE, 0xFE},
    {"class_15_waits_for_class_15", 0xF0, 0xFE, -1},
    {"class_1_passes_task_priority_0", 0x00, 0x10, 0x10},
    {"nmi_passes_every_task_priority", 0xFF, 0x400, 2},
};

static void priority_row(void **state)
{
    const struct priority_row *row = *state;
    struct lapic lapic;

    lapic_init(&lapic);
    lapic.task_priority = row->task_priority;
    request(&lapic, row->lvtpc);

    assert_int_equal(lapic_next(&lapic), row->want_next);
}

static void interrupt_waits_until_its_priority_allows(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    lapic.task_priority = 0xF0;
    request(&lapic, 0xFE);
    assert_int_equal(lapic_next(&lapic), -1);
    lapic.task_priority = 0xE0;
    assert_int_equal(lapic_next(&lapic), 0xFE);
}

static struct service_row {
    const char *name;
    uint8_t serving;
    uint32_t lvtpc;
    int want_next;
} service_rows[] = {
    {"same_class_waits_for_the_one_in_service", 0x51, 0x5F, -1},
    {"lower_class_waits_for_the_one_in_service", 0x51, 0x4F, -1},
    {"higher_class_interrupts_the_one_in_service", 0x51, 0x60, 0x60},
    {"nmi_interrupts_the_one_in_service", 0xFE, 0x400, 2},
};

static void service_row(void **state)
{
    const struct service_row *row = *state;
    struct lapic lapic;

    lapic_init(&lapic);
    request(&lapic, row->serving);
    lapic_accept(&lapic, row->serving);
    request(&lapic, row->lvtpc);

    assert_int_equal(lapic_next(&lapic), row->want_next);
}

static void new_apic_is_masked_and_has_nothing_pending(void **state)
{
    struct lapic lapic = {
        .task_priority = 0x70, .requested.words = 1u << VECTOR_NMI_WORD};

    (void)state;
    lapic_init(&lapic);
    assert_int_equal(lapic.lvtpc, 0x10000);
    assert_int_equal(lapic.task_priority, 0);
    assert_int_equal(lapic_next(&lapic), -1);
}

static void accepted_interrupt_is_no_longer_pending(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0xFE);
    lapic_accept(&lapic, 0xFE);
    assert_int_equal(lapic_next(&lapic), -1);
    lapic_eoi(&lapic);
    assert_int_equal(lapic_next(&lapic), -1);
}

static void eoi_lets_the_waiting_one_through(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0x52);
    lapic_accept(&lapic, 0x52);
    request(&lapic, 0x51);
    assert_int_equal(lapic_next(&lapic), -1);
    lapic_eoi(&lapic);
    assert_int_equal(lapic_next(&lapic), 0x51);
}

static void eoi_ends_the_highest_in_service(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0x51);
    lapic_accept(&lapic, 0x51);
    request(&lapic, 0x71);
    lapic_accept(&lapic, 0x71);
    lapic_eoi(&lapic);
    request(&lapic, 0x5F);
    assert_int_equal(lapic_next(&lapic), -1);
    request(&lapic, 0x60);
    assert_int_equal(lapic_next(&lapic), 0x60);
}

static void eoi_with_nothing_in_service_changes_nothing(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0x51);
    lapic_eoi(&lapic);
    assert_int_equal(lapic_next(&lapic), 0x51);
}

static void each_vector_is_requested_taken_and_ended(void **state)
{
    const uint64_t none[4] = {0, 0, 0, 0};
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    for (int vector = 16; vector <= 255; vector++) {
        assert_true(lapic_request(&lapic, (uint8_t)vector));
        assert_int_equal(lapic_next(&lapic), vector);
        assert_true(lapic_accept(&lapic, (uint8_t)vector));
        assert_int_equal(lapic_next(&lapic), -1);
        assert_int_equal(lapic_priority(&lapic), vector >> 4);
        lapic_eoi(&lapic);
        assert_memory_equal(lapic.requested.word, none, sizeof(none));
        assert_memory_equal(lapic.sent.word, none, sizeof(none));
        assert_memory_equal(lapic.in_service.word, none, sizeof(none));
    }
}

static void highest_of_two_pending_comes_first(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0xA1);
    request(&lapic, 0x31);
    assert_int_equal(lapic_next(&lapic), 0xA1);
    lapic_accept(&lapic, 0xA1);
    lapic_eoi(&lapic);
    assert_int_equal(lapic_next(&lapic), 0x31);
}

static void nmi_comes_before_a_pending_vector(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0xFE);
    request(&lapic, 0x400);
    assert_int_equal(lapic_next(&lapic), 2);
}

static void second_nmi_waits_for_the_end_of_the_first(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0x400);
    lapic_accept(&lapic, 2);
    request(&lapic, 0x400);
    assert_int_equal(lapic_next(&lapic), -1);
    lapic.nmi_blocked = false;
    assert_int_equal(lapic_next(&lapic), 2);
}

/* The task's priority, and a vector in service; 0: none. */
static struct class_row {
    const char *name;
    uint8_t task_priority;
    uint8_t in_service;
    int want;
} class_rows[] = {
    {"priority_of_nothing_is_0", 0x00, 0, 0},
    {"priority_of_the_task_alone", 0xE0, 0, 14},
    {"subclass_of_the_task_is_left_out", 0x5F, 0, 5},
    {"priority_of_what_is_in_service_alone", 0x00, 0xFE, 15},
    {"priority_of_the_task_is_higher", 0x60, 0x51, 6},
    {"priority_of_what_is_in_service_is_higher", 0x40, 0x51, 5},
    {"lowest_class_is_1", 0x00, 0x10, 1},
};

static void class_row(void **state)
{
    const struct class_row *row = *state;
    struct lapic lapic;

    lapic_init(&lapic);
    if (row->in_service != 0) {
        request(&lapic, row->in_service);
        lapic_accept(&lapic, row->in_service);
    }
    lapic.task_priority = row->task_priority;
    assert_int_equal(lapic_priority(&lapic), row->want);
}

static void pending_interrupt_has_no_priority_yet(void **state)
{
    struct lapic lapic;

    (void)state;
    lapic_init(&lapic);
    request(&lapic, 0xFE);
    request(&lapic, 0x400);
    assert_int_equal(lapic_priority(&lapic), 0);
    lapic_accept(&lapic, 0xFE);
    assert_int_equal(lapic_priority(&lapic), 15);
    lapic_eoi(&lapic);
    assert_int_equal(lapic_priority(&lapic), 0);
}

TEST_FILE(test_lapic)
{
    TEST_ADD_ROWS(list, request_row, request_rows);
    TEST_ADD_ROWS(list, priority_row, priority_rows);
    TEST_ADD_ROWS(list, service_row, service_rows);
    test_add(list, "interrupt_waits_until_its_priority_allows",
        interrupt_waits_until_its_priority_allows, NULL);
    test_add(list, "new_apic_is_masked_and_has_nothing_pending",
        new_apic_is_masked_and_has_nothing_pending, NULL);
    test_add(list, "accepted_interrupt_is_no_longer_pending",
        accepted_interrupt_is_no_longer_pending, NULL);
    test_add(list, "each_vector_is_requested_taken_and_ended",
        each_vector_is_requested_taken_and_ended, NULL);
    test_add(list, "eoi_lets_the_waiting_one_through",
        eoi_lets_the_waiting_one_through, NULL);
    test_add(list, "eoi_ends_the_highest_in_service",
        eoi_ends_the_highest_in_service, NULL);
    test_add(list, "eoi_with_nothing_in_service_changes_nothing",
        eoi_with_nothing_in_service_changes_nothing, NULL);
    test_add(list, "highest_of_two_pending_comes_first",
        highest_of_two_pending_comes_first, NULL);
    test_add(list, "nmi_comes_before_a_pending_vector",
        nmi_comes_before_a_pending_vector, NULL);
    test_add(list, "second_nmi_waits_for_the_end_of_the_first",
        second_nmi_waits_for_the_end_of_the_first, NULL);
    TEST_ADD_ROWS(list, class_row, class_rows);
    test_add(list, "pending_interrupt_has_no_priority_yet",
        pending_interrupt_has_no_priority_yet, NULL);
}
