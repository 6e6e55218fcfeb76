/* test_pcw_silo.c - who sees a counter set, and the ids of its instances
 * (PCW-REG-11a, PCW-REG-11b, PCW-CRE-08a, PCW-CRE-08b). */
#include "api/core/thread.h"
#include "api/pcw/instance.h"
#include "api/pcw/instance_ids.h"
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR counters[] = {{.Id = 1, .Size = 8}};

static const struct pcw_set disk = {
    .name = PCW_TEXT_ROW(u"Disk"), .counter = counters, .count = 1};

static const uint8_t bytes[16];

/* A registration in a silo, and who sees it. */
static struct silo_row {
    const char *name;
    uint32_t silo;
    bool neutral;
    uint32_t consumer;
    bool want;
} silo_rows[] = {
    {"host_sees_its_own", 0, false, 0, true},
    {"silo_does_not_see_the_host", 0, false, 1, false},
    {"host_does_not_see_a_silo", 1, false, 0, false},
    {"silo_sees_its_own", 1, false, 1, true},
    {"silo_does_not_see_another", 1, false, 2, false},
    {"host_sees_a_neutral_one", 1, true, 0, true},
    {"silo_sees_a_neutral_one_of_the_host", 0, true, 7, true},
};

struct silo_job {
    uint32_t silo;
    struct pcw_job job;
};

static void in_silo(void *argument)
{
    struct silo_job *silo = argument;

    thread_current(kernel_current())->silo = silo->silo;
    pcw_job_main(&silo->job);
}

static uint64_t register_in(
    struct booted_kernel *booted, uint32_t silo, const struct pcw_set *set)
{
    uint64_t *handle = booted_block(booted, 8, 0);
    struct silo_job job = {
        silo, {.routine = ROUTINE_PcwRegister,
                  .argument = {pcw_value(handle),
                      pcw_value(pcw_information(booted, set))}}};

    booted_run(booted, 0, in_silo, &job);
    assert_int_equal(job.job.status, 0x00000000);
    return *handle;
}

static void note_name(void *context, struct pcw_text name)
{
    (void)name;
    (*(unsigned *)context)++;
}

static void silo_row(void **state)
{
    const struct silo_row *row = *state;
    struct pcw_set set = disk;
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    unsigned listed = 0;

    set.silo_neutral = row->neutral;
    booted_init_usual(&booted);
    pcw_create(&booted, register_in(&booted, row->silo, &set), PCW_TEXT(u"C:"),
        booted_copy(&booted, bytes, 16), 16);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"DISK"));
    consumer.filter.silo = row->consumer;
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row_count, row->want);
    pcw_sets_list(&booted.kernel, row->consumer, note_name, &listed);
    assert_int_equal(listed, row->want);
    booted_release(&booted);
}

/* Instances of the registrations A ("Disk"), B ("DISK"), C ("Net") of the host
 * and D ("Disk") of a silo, one of each, then a second of A. */
static struct id_row {
    const char *name;
    enum ruled ruled;
    uint32_t want[5];
} id_rows[] = {
    {"ids_count_for_a_name_and_silo", PCW_USUAL, {0, 1, 0, 0, 2}},
    {"ids_count_for_a_registration", RULED_PCW_CRE_08b_registration,
        {0, 0, 0, 0, 1}},
};

static void id_row(void **state)
{
    const struct id_row *row = *state;
    static const uint32_t silos[] = {0, 0, 0, 1};
    const struct pcw_text names[] = {PCW_TEXT(u"Disk"), PCW_TEXT(u"DISK"),
        PCW_TEXT(u"Net"), PCW_TEXT(u"Disk")};
    struct booted_kernel booted;
    uint64_t registration[4], instance;
    const struct pcw_instance *made;

    booted_init_usual(&booted);
    pcw_flip(&booted, row->ruled);
    for (unsigned i = 0; i < 4; i++) {
        struct pcw_set set = disk;

        set.name = names[i];
        registration[i] = register_in(&booted, silos[i], &set);
    }
    for (unsigned i = 0; i < 5; i++) {
        instance = pcw_create(&booted, registration[i % 4], PCW_TEXT(u"C:"),
            booted_copy(&booted, bytes, 16), 16);
        made = pcw_handle_object(booted.kernel.pcw, PCW_INSTANCE, instance);
        assert_int_equal(made->id, row->want[i]);
        if (i == 0) { /* an id is not used again */
            pcw_close(&booted, instance);
        }
    }
    booted_release(&booted);
}

/* Instances of silos, as many of each, and then one of a neutral registration:
 * its id is free in all of them, and is taken in all. */
static struct neutral_row {
    const char *name;
    unsigned made[3];
    uint32_t want, next;
} neutral_rows[] = {
    {"neutral_id_beyond_the_first_silo", {3, 1, 2}, 3, 4},
    {"neutral_id_beyond_the_second_silo", {1, 3, 2}, 3, 4},
    {"neutral_id_beyond_the_last_silo", {2, 1, 3}, 3, 4},
    {"neutral_id_of_none", {0, 0, 0}, 0, 1},
};

static uint32_t id_of_new(struct booted_kernel *booted, uint64_t registration)
{
    uint64_t instance = pcw_create(booted, registration, PCW_TEXT(u"C:"),
        booted_copy(booted, bytes, 16), 16);
    const struct pcw_instance *made =
        pcw_handle_object(booted->kernel.pcw, PCW_INSTANCE, instance);

    return made->id;
}

static void neutral_row(void **state)
{
    const struct neutral_row *row = *state;
    struct pcw_set set = disk;
    struct booted_kernel booted;
    uint64_t registration[3];

    booted_init_usual(&booted);
    for (uint32_t i = 0; i < 3; i++) {
        registration[i] = register_in(&booted, i, &set);
        for (unsigned k = 0; k < row->made[i]; k++) {
            assert_int_equal(id_of_new(&booted, registration[i]), k);
        }
    }
    set.silo_neutral = true;
    assert_int_equal(
        id_of_new(&booted, register_in(&booted, 0, &set)), row->want);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(id_of_new(&booted, registration[i]), row->next);
    }
    booted_release(&booted);
}

/* More sets than there are buckets at first: each goes on where it was, though
 * nobody had it open meanwhile. */
static void ids_of_many_sets_go_on(void **state)
{
    enum { SETS = 40, CASELESS = 0x4E00 };
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint16_t i = 0; i < SETS; i++) {
            const uint16_t name[] = {
                (uint16_t)('A' + i * i % 26), (uint16_t)(CASELESS + i)};
            struct pcw_set set = disk;
            const struct pcw_instance *made;
            uint64_t registration;

            set.name = (struct pcw_text){name, 2};
            set.silo_neutral = i % 2 != 0;
            registration = register_in(&booted, 0, &set);
            made = pcw_handle_object(booted.kernel.pcw, PCW_INSTANCE,
                pcw_create(&booted, registration, PCW_TEXT(u"C:"),
                    booted_copy(&booted, bytes, 16), 16));
            assert_int_equal(made->id, round);
            pcw_unregister(&booted, registration);
        }
    }
    booted_release(&booted);
}

TEST_FILE(test_pcw_silo)
{
    TEST_ADD_ROWS(list, silo_row, silo_rows);
    TEST_ADD_ROWS(list, id_row, id_rows);
    TEST_ADD_ROWS(list, neutral_row, neutral_rows);
    test_add(list, "ids_of_many_sets_go_on", ids_of_many_sets_go_on, NULL);
}
