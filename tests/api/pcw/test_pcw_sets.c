/* test_pcw_sets.c - which counter sets there are, queries by their numbers, and
 * the levels at which all this may be called (facts.md 1.4, 5.2, 5.8). */
#include "api/boot/exports.h"
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_scene.h"

static void note(void *context, struct pcw_text name)
{
    char *noted = context;
    size_t end = strlen(noted);

    pcw_text_utf8(name, noted + end, 20);
    strcat(noted, " ");
}

static const char *listed(struct booted_kernel *booted)
{
    static char noted[200];

    noted[0] = '\0';
    pcw_sets_list(&booted->kernel, 0, note, noted);
    return noted;
}

static uint64_t add_set(struct booted_kernel *booted, struct pcw_text name)
{
    const struct pcw_set set = {.name = name};

    return pcw_register(booted, &set);
}

static void sets_are_listed_once_in_order(void **state)
{
    struct booted_kernel booted;
    uint64_t first, net;

    (void)state;
    booted_init_usual(&booted);
    assert_string_equal(listed(&booted), "");
    first = add_set(&booted, PCW_TEXT(u"Disk"));
    net = add_set(&booted, PCW_TEXT(u"Net"));
    add_set(&booted, PCW_TEXT(u"DISK"));
    add_set(&booted, PCW_TEXT(u"Disks"));
    assert_string_equal(listed(&booted), "Disk Net Disks ");
    pcw_unregister(&booted, first);
    assert_string_equal(listed(&booted), "Net DISK Disks ");
    pcw_unregister(&booted, net);
    assert_string_equal(listed(&booted), "DISK Disks ");
    booted_release(&booted);
}

static void queries_have_numbers(void **state)
{
    struct booted_kernel booted;
    struct pcw_consumer consumer[3];
    uint16_t name[] = {'D', 'i', 's', 'k'};

    (void)state;
    booted_init_usual(&booted);
    for (unsigned i = 0; i < 3; i++) {
        consumer[i] = pcw_consumer_of(&booted, (struct pcw_text){name, 4});
        consumer[i].filter.instance = (struct pcw_text){name, i};
        consumer[i].filter.counters = i;
        booted_run(&booted, 0,
            i == 1 ? pcw_consumer_prepare : pcw_consumer_open, &consumer[i]);
        assert_int_equal(pcw_query_number(consumer[i].query), i + 1);
    }
    memset(name, 'x', sizeof(name)); /* texts are copied */
    for (unsigned i = 0; i < 3; i++) {
        const struct pcw_filter *filter = pcw_query_filter(consumer[i].query);

        assert_ptr_equal(
            pcw_query_find(&booted.kernel, i + 1), consumer[i].query);
        pcw_assert_text(filter->set, PCW_TEXT(u"Disk"));
        assert_int_equal(filter->instance.length, i);
        assert_int_equal(filter->counters, i);
    }
    assert_null(pcw_query_find(&booted.kernel, 0));
    assert_null(pcw_query_find(&booted.kernel, 4));
    booted_run(&booted, 0, pcw_consumer_close, &consumer[1]);
    assert_null(pcw_query_find(&booted.kernel, 2));
    assert_ptr_equal(pcw_query_find(&booted.kernel, 1), consumer[0].query);
    assert_ptr_equal(pcw_query_find(&booted.kernel, 3), consumer[2].query);
    booted_run(&booted, 0, pcw_consumer_close, &consumer[0]);
    booted_run(&booted, 0, pcw_consumer_open, &consumer[0]);
    assert_int_equal(pcw_query_number(consumer[0].query), 4);
    booted_release(&booted);
}

static void set_that_nobody_registers_is_no_error(void **state)
{
    struct booted_kernel booted;
    struct pcw_consumer consumer;

    (void)state;
    booted_init_usual(&booted);
    add_set(&booted, PCW_TEXT(u"Net"));
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row_count, 0);
    assert_false(consumer.result->cancelled);
    assert_int_equal(consumer.result->cycles, booted_cpu(&booted, 0)->time);
    booted_release(&booted);
}

static void query_needs_guest_memory(void **state)
{
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    struct memory *memory = &booted.machine.memory;
    size_t most;

    (void)state;
    booted_init_usual(&booted);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    most = memory->live_most;
    memory->live_most = memory->live;
    booted_run(&booted, 0, pcw_consumer_open, &consumer);
    assert_null(consumer.query);
    booted_run(&booted, 0, pcw_consumer_prepare, &consumer);
    assert_null(consumer.query);
    assert_null(booted.kernel.pcw->queries);
    memory->live_most = most;
    booted_run(&booted, 0, pcw_consumer_open, &consumer);
    assert_non_null(consumer.query);
    booted_release(&booted);
}

/* At APC_LEVEL everything may be called, and so is the callback. */
static void callback_runs_at_the_consumers_level(void **state)
{
    struct booted_kernel booted;
    struct pcw_provider provider = {.adds = 0};
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .callback = pcw_callback_of_scene,
        .context = &provider};
    struct pcw_consumer consumer;

    (void)state;
    booted_init_usual(&booted);
    pcw_register(&booted, &set);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    consumer.irql = 1;
    pcw_provider_add(&provider, pcw_name(&booted, PCW_TEXT(u"C:")), 0, 0, NULL);
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(provider.noted[1].irql, 1);
    assert_int_equal(consumer.result->row_count, 1);
    booted_release(&booted);
}

static void raise_level(struct pcw_provider *provider, uint64_t type)
{
    (void)provider;
    if (type == PcwCallbackCollectData) {
        KfRaiseIrql(1);
    }
}

static void callback_must_come_back_at_its_level(void **state)
{
    struct booted_kernel booted;
    struct pcw_provider provider = {.during = raise_level};
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .callback = pcw_callback_of_scene,
        .context = &provider};
    struct pcw_consumer consumer;

    (void)state;
    booted_init_usual(&booted);
    pcw_register(&booted, &set);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    booted_run(&booted, 0, pcw_consumer_open, &consumer);
    booted_run_to_stop(&booted, 0, pcw_consumer_collect, &consumer);
    assert_int_equal(booted_broken(&booted, RULE_PCW_CALLBACK_IRQL), 1);
    assert_int_equal(booted.kernel.bugcheck.code, 0xC8);
    booted_release(&booted);
}

static void disable_interrupts(struct pcw_provider *provider, uint64_t type)
{
    (void)provider;
    (void)type;
    cpu_disable_interrupts(kernel_cpu(kernel_current()));
}

static void callback_must_leave_interrupts_enabled(void **state)
{
    struct booted_kernel booted;
    struct pcw_provider provider = {.during = disable_interrupts};
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .callback = pcw_callback_of_scene,
        .context = &provider};
    struct pcw_consumer consumer;

    (void)state;
    booted_init_usual(&booted);
    pcw_register(&booted, &set);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(booted_broken(&booted, RULE_PCW_CALLBACK_INTERRUPTS), 2);
    assert_false(booted_cpu(&booted, 0)->interrupts_off);
    booted_release(&booted);
}

/* All of them are for APC_LEVEL at most. */
static struct irql_row {
    const char *name;
    enum routine routine;
    uint8_t irql;
    bool want_stop;
} irql_rows[] = {
    {"register_at_apc_level", ROUTINE_PcwRegister, 1, false},
    {"register_at_dispatch_level", ROUTINE_PcwRegister, 2, true},
    {"unregister_at_dispatch_level", ROUTINE_PcwUnregister, 2, true},
    {"create_at_dispatch_level", ROUTINE_PcwCreateInstance, 2, true},
    {"close_at_dispatch_level", ROUTINE_PcwCloseInstance, 2, true},
    {"add_at_dispatch_level", ROUTINE_PcwAddInstance, 2, true},
};

static void irql_row(void **state)
{
    const struct irql_row *row = *state;
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk")};
    struct booted_kernel booted;
    struct pcw_job job = {.routine = row->routine, .irql = row->irql};

    booted_init_usual(&booted);
    job.argument[0] = pcw_value(booted_block(&booted, 8, 0));
    job.argument[1] = pcw_value(pcw_information(&booted, &set));
    if (row->want_stop) {
        booted_run_to_stop(&booted, 0, pcw_job_main, &job);
        assert_int_equal(booted_broken(&booted, RULE_IRQL_CONTRACT), 1);
        assert_int_equal(booted.kernel.bugcheck.code, 0x0A);
    } else {
        pcw_run(&booted, &job);
        assert_int_equal(job.status, 0x00000000);
    }
    booted_release(&booted);
}

static void read_state(void *argument)
{
    KeReadStateEvent(argument);
}

static void catch_read_state(void *argument)
{
    bool *raised = argument;
    struct exception_record record;

    *raised = booted_catch(read_state, NULL, &record) &&
              (uint32_t)record.code == 0xC0000005 && !record.write;
}

static void state_of_no_event_raises(void **state)
{
    struct booted_kernel booted;
    bool raised = false;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, catch_read_state, &raised);
    assert_true(raised);
    booted_release(&booted);
}

TEST_FILE(test_pcw_sets)
{
    TEST_ADD_ROWS(list, irql_row, irql_rows);
    test_add(list, "sets_are_listed_once_in_order",
        sets_are_listed_once_in_order, NULL);
    test_add(list, "queries_have_numbers", queries_have_numbers, NULL);
    test_add(list, "set_that_nobody_registers_is_no_error",
        set_that_nobody_registers_is_no_error, NULL);
    test_add(list, "query_needs_guest_memory", query_needs_guest_memory, NULL);
    test_add(list, "callback_runs_at_the_consumers_level",
        callback_runs_at_the_consumers_level, NULL);
    test_add(list, "callback_must_come_back_at_its_level",
        callback_must_come_back_at_its_level, NULL);
    test_add(list, "callback_must_leave_interrupts_enabled",
        callback_must_leave_interrupts_enabled, NULL);
    test_add(list, "state_of_no_event_raises", state_of_no_event_raises, NULL);
}
