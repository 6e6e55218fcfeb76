/* test_bug_check_callbacks.c - bug check callbacks where memory is short: what
 * no scenario can show. */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

static unsigned plain_calls, reason_calls;

static VOID NTAPI on_plain(PVOID Buffer, ULONG Length)
{
    assert_ptr_equal(Buffer, &plain_calls);
    assert_int_equal(Length, sizeof(plain_calls));
    plain_calls++;
}

static VOID NTAPI on_reason(ULONG Reason,
    PKBUGCHECK_REASON_CALLBACK_RECORD Record, PVOID ReasonSpecificData,
    ULONG ReasonSpecificDataLength)
{
    (void)Record;
    assert_int_equal(Reason, KbCallbackDumpIo);
    assert_non_null(ReasonSpecificData);
    assert_int_equal(ReasonSpecificDataLength, 24);
    reason_calls++;
}

static struct short_row {
    const char *name;
    bool own_short; /* the kernel's own memory is all handed out */
    size_t pages;   /* that are left to drivers */
    bool registered;
    unsigned plain, reason;
} short_rows[] = {
    {"all_are_called", false, 1000, true, 1, 3},
    {"none_is_registered_without_memory", true, 1000, false, 0, 0},
    {"no_dump_is_written_without_memory", false, 0, true, 1, 0},
    {"no_reason_is_told_without_memory", false, 2, true, 1, 0},
};

struct asked {
    const struct short_row *row;
    bool registered;
};

static void register_and_stop(void *argument)
{
    struct asked *asked = argument;
    struct kernel *kernel = kernel_current();
    struct machine *machine = kernel->machine;
    struct memory *memory = &machine->memory;
    UCHAR *name = memory_alloc(memory, 4, 0);
    KBUGCHECK_CALLBACK_RECORD *plain = memory_alloc(memory, sizeof(*plain), 0);
    KBUGCHECK_REASON_CALLBACK_RECORD *reason =
        memory_alloc(memory, sizeof(*reason), 0);

    if (asked->row->own_short) {
        machine->arena.reserve = machine->arena.limit - machine->arena.used;
    }
    asked->registered = KeRegisterBugCheckCallback(
        plain, on_plain, &plain_calls, sizeof(plain_calls), name);
    assert_int_equal(KeRegisterBugCheckReasonCallback(
                         reason, on_reason, KbCallbackDumpIo, name),
        asked->registered);
    if (asked->row->pages < 1000) {
        memory->held_most = memory->held + asked->row->pages;
    }
    KeBugCheck(0xFE);
}

static void short_row(void **state)
{
    struct booted_kernel booted;
    struct asked asked = {.row = *state};

    booted_init_usual(&booted);
    plain_calls = 0;
    reason_calls = 0;
    booted_run_to_stop(&booted, 0, register_and_stop, &asked);
    assert_int_equal(booted.kernel.bugcheck.code, 0xFE);
    assert_int_equal(asked.registered, asked.row->registered);
    assert_int_equal(plain_calls, asked.row->plain);
    assert_int_equal(reason_calls, asked.row->reason);
    booted_release(&booted);
}

TEST_FILE(test_bug_check_callbacks)
{
    TEST_ADD_ROWS(list, short_row, short_rows);
}
