/* test_rtl_unreadable.c - what cannot be read or written is found out before
 * anything is compared or written. */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { PAGE = 4096, SHORT_VERSION = 276, WHOLE_VERSION = 284 };

struct trial {
    void (*call)(struct trial *trial);
    uint8_t *pages; /* two: the first can be read alone */
    bool raised;
    struct exception_record record;
};

/* They differ in the first byte already. */
static void compare(struct trial *trial)
{
    RtlCompareMemory(trial->pages, NULL, 8);
}

/* What both forms have is on the first page. */
static void ask_version(struct trial *trial)
{
    RtlGetVersion((PVOID)(trial->pages + PAGE - SHORT_VERSION));
}

static void call_now(void *argument)
{
    struct trial *trial = argument;

    trial->call(trial);
}

static void try_now(void *argument)
{
    struct trial *trial = argument;

    trial->raised = booted_catch(call_now, trial, &trial->record);
}

static struct unreadable_row {
    const char *name;
    void (*call)(struct trial *trial);
} unreadable_rows[] = {
    {"second_memory_that_is_compared", compare},
    {"beginning_of_a_version", ask_version},
};

static void unreadable_row(void **state)
{
    const struct unreadable_row *row = *state;
    const uint32_t size = WHOLE_VERSION;
    struct trial trial = {.call = row->call};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    trial.pages = booted_block(&booted, 2 * (size_t)PAGE, 0x55);
    memcpy(trial.pages + PAGE - SHORT_VERSION, &size, sizeof(size));
    assert_true(
        memory_set(&booted.machine.memory, trial.pages, 1, MEMORY_READ, false));
    booted_run(&booted, 0, try_now, &trial);
    assert_true(trial.raised);
    assert_int_equal((uint32_t)trial.record.code, 0xC0000005);
    for (unsigned i = 0; i < WHOLE_VERSION - SHORT_VERSION; i++) {
        assert_int_equal(trial.pages[PAGE + i], 0x55);
    }
    booted_release(&booted);
}

TEST_FILE(test_rtl_unreadable)
{
    TEST_ADD_ROWS(list, unreadable_row, unreadable_rows);
}
