/* test_token_information.c - how long each class of information of the system's
 * token is, to the byte (SEC-12). */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

/* Pointers have 8 bytes, LUIDs 8, S-1-5-18 12, groups 12, 12 and 16. */
static struct length_row {
    const char *name;
    unsigned class;
    size_t want;
} length_rows[] = {
    {"user", TokenUser, 8 + 8 + 12},
    {"groups", TokenGroups, 8 + 3 * 16 + 12 + 12 + 16},
    {"privileges", TokenPrivileges, 4 + 14 * 12},
    {"owner", TokenOwner, 8 + 16},
    {"primary_group", TokenPrimaryGroup, 8 + 12},
    {"default_list", TokenDefaultDacl, 8 + 8 + 24 + 20},
    {"source", TokenSource, 8 + 8},
    {"type", TokenType, 4},
    {"statistics", TokenStatistics, 56},
    {"elevation", TokenElevation, 4},
};

struct length {
    unsigned class;
    void **information;
    NTSTATUS status;
};

static void ask(void *argument)
{
    struct length *length = argument;

    length->status =
        SeQueryInformationToken(PsReferencePrimaryToken(PsGetCurrentProcess()),
            length->class, length->information);
}

static void length_row(void **state)
{
    const struct length_row *row = *state;
    struct length length = {.class = row->class};
    const struct memory_block *block;
    struct booted_kernel booted;

    booted_init_usual(&booted);
    length.information = booted_block(&booted, sizeof(void *), 0);
    booted_run(&booted, 0, ask, &length);
    assert_int_equal(length.status, 0);
    block = memory_find(&booted.machine.memory, *length.information);
    assert_non_null(block);
    assert_int_equal(block->usable, row->want);
    booted_release(&booted);
}

TEST_FILE(test_token_information)
{
    TEST_ADD_ROWS(list, length_row, length_rows);
}
