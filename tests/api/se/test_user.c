/* test_user.c - what lists give to whom (SEC-02, SEC-10). */
#include "api/se/user.h"

#include "api/ob/object_type.h"
#include "api/se/acl.h"
#include "api/se/descriptor.h"
#include "api/se/well_known.h"
#include "tests/api/booted_kernel.h"

enum {
    ALLOW = 0,
    DENY = 1,
    AUDIT = 2,
    INHERIT_ONLY = 8,
    LIST_BYTES = 128,
    ENTRIES = 3,
};

struct entry {
    uint32_t mask; /* 0: there is no entry more */
    uint8_t type, flags;
    enum well_known sid;
};

static struct user_row {
    const char *name;
    struct entry entry[ENTRIES];
    enum user user;
    enum well_known owner;
    uint32_t rights, want;
} user_rows[] = {
    {"empty_list_gives_nothing", {{0}}, USER_SYSTEM, WELL_KNOWN_BU, 0x3, 0},
    {"entry_of_a_group_gives_its_rights_alone",
        {{0x1, ALLOW, 0, WELL_KNOWN_BU}}, USER_USERS, WELL_KNOWN_SY, 0x3, 0x1},
    {"entry_of_somebody_else_gives_nothing", {{0x3, ALLOW, 0, WELL_KNOWN_BA}},
        USER_USERS, WELL_KNOWN_SY, 0x3, 0},
    {"entries_add_up",
        {{0x1, ALLOW, 0, WELL_KNOWN_BU}, {0x2, ALLOW, 0, WELL_KNOWN_WD}},
        USER_USERS, WELL_KNOWN_SY, 0x7, 0x3},
    {"generic_rights_are_those_of_the_kind",
        {{GENERIC_READ, ALLOW, 0, WELL_KNOWN_WD}}, USER_USERS, WELL_KNOWN_SY,
        0x1F01FF, 0x120089},
    {"refused_first_is_refused",
        {{0x2, DENY, 0, WELL_KNOWN_IU}, {0x3, ALLOW, 0, WELL_KNOWN_WD}},
        USER_USERS, WELL_KNOWN_SY, 0x3, 0x1},
    {"given_first_is_given",
        {{0x3, ALLOW, 0, WELL_KNOWN_WD}, {0x2, DENY, 0, WELL_KNOWN_IU}},
        USER_USERS, WELL_KNOWN_SY, 0x3, 0x3},
    {"refusal_of_somebody_else_is_none",
        {{0x2, DENY, 0, WELL_KNOWN_IU}, {0x3, ALLOW, 0, WELL_KNOWN_WD}},
        USER_SYSTEM, WELL_KNOWN_BU, 0x3, 0x3},
    {"entry_for_what_inherits_is_passed_over",
        {{0x3, ALLOW, INHERIT_ONLY, WELL_KNOWN_WD}}, USER_USERS, WELL_KNOWN_SY,
        0x3, 0},
    {"entry_that_says_something_else_is_passed_over",
        {{0x3, AUDIT, 0, WELL_KNOWN_WD}, {0x1, ALLOW, 0, WELL_KNOWN_WD}},
        USER_USERS, WELL_KNOWN_SY, 0x3, 0x1},
    {"owner_reads_and_changes_the_list", {{0}}, USER_ADMINISTRATORS,
        WELL_KNOWN_BA, 0xE0001, 0x60000},
    {"administrators_are_users", {{0x1, ALLOW, 0, WELL_KNOWN_BU}},
        USER_ADMINISTRATORS, WELL_KNOWN_SY, 0x1, 0x1},
    {"system_is_no_user", {{0x1, ALLOW, 0, WELL_KNOWN_BU}}, USER_SYSTEM,
        WELL_KNOWN_BU, 0x1, 0},
    {"system_is_an_administrator", {{0x1, ALLOW, 0, WELL_KNOWN_BA}},
        USER_SYSTEM, WELL_KNOWN_BU, 0x1, 0x1},
    {"account_is_in_its_own_token", {{0x1, ALLOW, 0, WELL_KNOWN_LA}},
        USER_ADMINISTRATORS, WELL_KNOWN_SY, 0x1, 0x1},
    {"account_of_the_machine_is_in_no_other_token",
        {{0x1, ALLOW, 0, WELL_KNOWN_LA}}, USER_USERS, WELL_KNOWN_SY, 0x1, 0},
    {"all_are_authenticated", {{0x1, ALLOW, 0, WELL_KNOWN_AU}}, USER_SYSTEM,
        WELL_KNOWN_BU, 0x1, 0x1},
};

/* Entries are added as those that allow and made what they are then. What lies
 * behind the last one would allow everybody everything, and is none. */
static void make_list(uint8_t list[LIST_BYTES], const struct entry *entries)
{
    size_t at = sizeof(struct acl);

    memset(list, 0, LIST_BYTES);
    list[0] = ACL_REVISION;
    list[2] = LIST_BYTES;
    for (unsigned i = 0; i < ENTRIES && entries[i].mask != 0; i++) {
        const struct sid *sid = well_known_sid(entries[i].sid);

        acl_allow(list, entries[i].mask, (const uint8_t *)sid);
        list[at] = entries[i].type;
        list[at + 1] = entries[i].flags;
        at += ACE_SID_OFFSET + sid_size(sid->count);
    }
    acl_allow(
        list, GENERIC_ALL, (const uint8_t *)well_known_sid(WELL_KNOWN_WD));
    list[offsetof(struct acl, count)]--;
}

static void user_row(void **state)
{
    const struct user_row *row = *state;
    static struct descriptor_block block;
    uint8_t list[LIST_BYTES];

    make_list(list, row->entry);
    descriptor_make(&block, list, LIST_BYTES, well_known_sid(row->owner),
        well_known_sid(WELL_KNOWN_SY));
    assert_int_equal(user_granted(row->user, &block,
                         object_type_generic(OBJECT_TYPE_FILE), row->rights),
        row->want);
}

static void no_list_gives_everything(void **state)
{
    static struct descriptor_block block, owned;
    uint8_t list[LIST_BYTES];

    (void)state;
    make_list(list, (const struct entry[ENTRIES]){{0}});
    descriptor_make(&block, list, LIST_BYTES, well_known_sid(WELL_KNOWN_SY),
        well_known_sid(WELL_KNOWN_SY));
    assert_true(descriptor_merge(&block, 1U << DESCRIPTOR_OWNER, NULL, &owned));
    assert_int_equal(user_granted(USER_USERS, &owned,
                         object_type_generic(OBJECT_TYPE_FILE), 0x1F01FF),
        0x1F01FF);
}

TEST_FILE(test_user)
{
    TEST_ADD_ROWS(list, user_row, user_rows);
    test_add(list, "no_list_gives_everything", no_list_gives_everything, NULL);
}
