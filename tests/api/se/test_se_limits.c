/* test_se_limits.c - lists and classes of information that are real, and that
 * the machine does not have. */
#include "api/boot/exports.h"
#include "api/se/acl.h"
#include "tests/api/booted_kernel.h"

static struct limit_row {
    const char *name;
    uint16_t list_bytes; /* of the list that is added to; 0: none */
    unsigned class;      /* of the token's information */
} limit_rows[] = {
    {"list_of_more_than_4096_bytes", 4100, 0},
    {"largest_list", 0xFFFC, 0},
    {"class_behind_those_of_one_token", 0, 41},
    {"class_between_them", 0, 11},
};

struct asking {
    const struct limit_row *row;
    void *list, *sid, *information;
};

static void ask(void *argument)
{
    struct asking *asking = argument;
    void *token = PsReferencePrimaryToken(PsGetCurrentProcess());

    if (asking->row->list_bytes != 0) {
        RtlAddAccessAllowedAce(asking->list, ACL_REVISION, 1, asking->sid);
    } else {
        SeQueryInformationToken(token, asking->row->class, asking->information);
    }
}

static void limit_row(void **state)
{
    static const uint8_t sid[12] = {1, 1, 0, 0, 0, 0, 0, 5, 18};
    const struct limit_row *row = *state;
    const struct acl head = {.revision = ACL_REVISION, .size = row->list_bytes};
    struct booted_kernel booted;
    struct asking asking = {.row = row};

    booted_init_usual(&booted);
    asking.list = booted_block(&booted, 0xFFFC, 0);
    memcpy(asking.list, &head, sizeof(head));
    asking.sid = booted_copy(&booted, sid, sizeof(sid));
    asking.information = booted_block(&booted, sizeof(void *), 0);
    booted_run_to_stop(&booted, 0, ask, &asking);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    booted_release(&booted);
}

TEST_FILE(test_se_limits)
{
    TEST_ADD_ROWS(list, limit_row, limit_rows);
}
