/* test_pcw_refusal.c - a callback whose PcwAddInstance fails, and what it says
 * of that. */
#include "api/pcw/refusal.h"

#include <string.h>

#include "tests/api/pcw/pcw_named_scene.h"

static struct refusal_row {
    const char *name;
    ULONG size; /* of the block, of which a counter needs 4 bytes */
    uint32_t returns;
    size_t refusals;
    const char *want; /* NULL: nothing */
} refusal_rows[] = {
    {"success_hides_it", 3, 0x00000000, 1,
        "PCW_CALLBACK of 'Disk' reported success, though PcwAddInstance failed "
        "with STATUS_INVALID_BUFFER_SIZE"},
    {"warning_does_not_hide_it", 3, 0x80000005, 1, NULL},
    {"failure_does_not_hide_it", 3, 0xC0000001, 1, NULL},
    {"nothing_to_hide", 4, 0x00000000, 0, NULL},
};

static void refusal_row(void **state)
{
    static const PCW_COUNTER_DESCRIPTOR counter = {.Id = 0, .Size = 4};
    const struct refusal_row *row = *state;
    struct scene scene;
    struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .counter = &counter,
        .count = 1,
        .callback = pcw_callback_of_scene,
        .context = &scene.provider};
    struct kernel *kernel = &scene.booted.kernel;
    char text[PCW_REFUSAL_BYTES] = "";
    PCW_DATA data = {.Size = row->size};

    scene = (struct scene){.registration = 0};
    booted_init_usual(&scene.booted);
    scene.consumer = pcw_consumer_of(&scene.booted, PCW_TEXT(u"Disk"));
    scene.registration = pcw_register(&scene.booted, &set);
    data.Data = booted_block(&scene.booted, 4, 0);
    scene.provider.returns = (NTSTATUS)row->returns;
    pcw_provider_add(&scene.provider, pcw_name(&scene.booted, PCW_TEXT(u"A")),
        1, 1, booted_copy(&scene.booted, &data, sizeof(data)));
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(pcw_refusals_count(kernel), row->refusals);
    if (row->refusals > 0) {
        assert_int_equal(
            pcw_refusal_text(kernel, 0, text, sizeof(text)), row->want != NULL);
    }
    assert_string_equal(text, row->want == NULL ? "" : row->want);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_refusal)
{
    TEST_ADD_ROWS(list, refusal_row, refusal_rows);
}
