/* test_checks.c - counter sets with one thing wrong do not pass their check:
 * the process ends there. */
#include "api/pcw/instance.h"
#include "api/pcw/query_list.h"
#include "tests/api/pcw/pcw_scene.h"
#include "tests/spoilt.h"

static struct booted_kernel booted;
static struct pcw *pcw;
static struct pcw_registration *first, *registration;
static struct pcw_instance *instance;
static struct pcw_query *query;
static struct pcw_buffer *buffer;
static struct pcw_request other;

/* Three of the name, the second of them with three instances. */
static void make_sets(void)
{
    static const PCW_COUNTER_DESCRIPTOR counter = {1, 0, 0, 8};
    const struct pcw_set empty = {.name = PCW_TEXT(u"Disk")};
    const struct pcw_set set = {
        .name = PCW_TEXT(u"Disk"), .counter = &counter, .count = 1};
    uint8_t *block = booted_block(&booted, 8, 0);
    uint64_t handle;

    pcw_register(&booted, &empty);
    handle = pcw_register(&booted, &set);
    pcw_register(&booted, &empty);
    pcw_create(&booted, handle, PCW_TEXT(u"C:"), block, 8);
    pcw_create(&booted, handle, PCW_TEXT(u"D:"), block, 8);
    pcw_create(&booted, handle, PCW_TEXT(u"E:"), block, 8);
    pcw = booted.kernel.pcw;
    first = pcw->first;
    registration = first->next;
    instance = registration->first_instance->next;
}

/* As while a callback runs that has added an instance. */
static void make_buffer(void)
{
    struct pcw_twins twins;

    pcw_registration_enter(registration);
    buffer = pcw_buffer_open(&query->request, registration);
    pcw_buffer_note(buffer, PCW_TEXT(u"F:"), 6, &twins);
}

static void make(void)
{
    struct pcw_consumer consumer;

    booted_init_usual(&booted);
    make_sets();
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    assert_int_equal(pcw_collect_once(&booted, &consumer)->row_count, 3);
    query = consumer.query;
    other = query->request;
    make_buffer();
}

static bool check_all(void)
{
    return pcw_lists_check(pcw);
}

/* `part` becomes `value`. */
#define SPOILS(row, part, value)                                               \
    static void spoil_##row(void)                                              \
    {                                                                          \
        (part) = (value);                                                      \
    }
#include "tests/api/pcw/spoilt_parts.def"

static struct spoil_row spoil_rows[] = {
#define SPOILS(row, part, value) {#row, spoil_##row},
#include "tests/api/pcw/spoilt_parts.def"
};

static void spoil_row(void **state)
{
    make();
    assert_spoilt_is_found(*state, check_all);
    booted_release(&booted);
}

TEST_FILE(test_checks)
{
    TEST_ADD_ROWS(list, spoil_row, spoil_rows);
}
