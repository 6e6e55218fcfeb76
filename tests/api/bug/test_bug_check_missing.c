/* test_bug_check_missing.c - bug checks, and callbacks for them, that end the
 * run because nobody has modelled them. */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

static VOID NTAPI on_nothing(ULONG Reason,
    PKBUGCHECK_REASON_CALLBACK_RECORD Record, PVOID ReasonSpecificData,
    ULONG ReasonSpecificDataLength)
{
    (void)Reason;
    (void)Record;
    (void)ReasonSpecificData;
    (void)ReasonSpecificDataLength;
    fail();
}

static void register_for(KBUGCHECK_CALLBACK_REASON reason)
{
    struct memory *memory = &kernel_current()->machine->memory;
    UCHAR *name = memory_alloc(memory, 4, 0);
    KBUGCHECK_REASON_CALLBACK_RECORD *record =
        memory_alloc(memory, sizeof(*record), 0);

    KeRegisterBugCheckReasonCallback(record, on_nothing, reason, name);
}

static void register_for_parts(void *argument)
{
    (void)argument;
    register_for(KbCallbackSecondaryMultiPartDumpData);
}

static void register_for_triage(void *argument)
{
    (void)argument;
    register_for(KbCallbackTriageDumpData);
}

static void stop_without_a_code(void *argument)
{
    (void)argument;
    KeBugCheck(0xFFFFFFFF);
}

static struct missing_row {
    const char *name;
    void (*function)(void *argument);
    const char *want;      /* the reason begins with it */
    const char *want_last; /* and ends with it */
} missing_rows[] = {
    {"data_in_parts_is_not_modelled", register_for_parts,
        "a bug check callback for the reason "
        "KbCallbackSecondaryMultiPartDumpData is not modelled",
        " is not modelled"},
    {"triage_data_is_not_modelled", register_for_triage,
        "a bug check callback for the reason KbCallbackTriageDumpData is not "
        "modelled",
        " is not modelled"},
    {"bug_check_without_a_code_is_not_modelled", stop_without_a_code,
        "a bug check with the code 0xFFFFFFFF, at ", ", is not modelled"},
};

static void missing_row(void **state)
{
    const struct missing_row *row = *state;
    struct booted_kernel booted;
    const char *reason;

    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, row->function, NULL);
    reason = booted.kernel.end.reason;
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_memory_equal(reason, row->want, strlen(row->want));
    assert_true(strlen(reason) > strlen(row->want_last));
    assert_null(strstr(reason, "at ,")); /* a place is named */
    assert_string_equal(
        reason + strlen(reason) - strlen(row->want_last), row->want_last);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    booted_release(&booted);
}

TEST_FILE(test_bug_check_missing)
{
    TEST_ADD_ROWS(list, missing_row, missing_rows);
}
