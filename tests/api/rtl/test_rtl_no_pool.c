/* test_rtl_no_pool.c - strings that are to be allocated where the pool has no
 * room: nothing changes (RTL-04a, RTL-04g, RTL-06d, RTL-10). */
#include "api/boot/exports.h"
#include "api/ex/pool.h"
#include "tests/api/io/io_scene.h"

struct call {
    PUNICODE_STRING to, from;
    GUID *guid;
    uint64_t result;
};

static void to_unicode(void *argument)
{
    struct call *call = argument;

    call->result = (uint32_t)RtlAnsiStringToUnicodeString(
        call->to, (PANSI_STRING)(void *)call->from, 1);
}

static void to_ansi(void *argument)
{
    struct call *call = argument;

    call->result = (uint32_t)RtlUnicodeStringToAnsiString(
        (PANSI_STRING)(void *)call->to, call->from, 1);
}

static void upcase(void *argument)
{
    struct call *call = argument;

    call->result = (uint32_t)RtlUpcaseUnicodeString(call->to, call->from, 1);
}

static void create(void *argument)
{
    struct call *call = argument;

    call->result = RtlCreateUnicodeString(call->to, call->from->Buffer);
}

static void write_guid(void *argument)
{
    struct call *call = argument;

    call->result = (uint32_t)RtlStringFromGUID(call->guid, call->to);
}

static struct no_pool_row {
    const char *name;
    void (*code)(void *argument);
    uint64_t want;
} no_pool_rows[] = {
    {"to_unicode", to_unicode, 0xC0000017},
    {"to_ansi", to_ansi, 0xC0000017},
    {"upcase", upcase, 0xC0000017},
    {"create", create, 0},
    {"write_guid", write_guid, 0xC0000017},
};

static void no_pool_row(void **state)
{
    const struct no_pool_row *row = *state;
    const GUID guid = {.Data1 = 1};
    struct call call = {.result = 99};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    call.to = booted_block(&booted, sizeof(*call.to), 0xEE);
    call.from = scene_string(&booted, "ab"); /* with a NUL */
    call.guid = booted_copy(&booted, &guid, sizeof(guid));
    booted.kernel.pool->live = POOL_LIVE_BLOCKS;
    booted_run(&booted, 0, row->code, &call);
    assert_int_equal(call.result, row->want);
    assert_int_equal(call.to->Length, 0xEEEE);
    booted.kernel.pool->live = 0;
    booted_release(&booted);
}

TEST_FILE(test_rtl_no_pool)
{
    TEST_ADD_ROWS(list, no_pool_row, no_pool_rows);
}
