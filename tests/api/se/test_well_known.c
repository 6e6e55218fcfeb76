/* test_well_known.c - what SE_EXPORTS has where (SEC-08a), and whose the SIDs
 * are (SEC-08b). */
#include "api/se/well_known.h"

#include "tests/api/booted_kernel.h"

/* Its members: 8 bytes each, in the order of ntifs.h. */
static struct privilege_row {
    const char *name;
    unsigned member;
    uint64_t want;
} privilege_rows[] = {
    {"SeCreateTokenPrivilege", 0, 2},
    {"SeAssignPrimaryTokenPrivilege", 1, 3},
    {"SeLockMemoryPrivilege", 2, 4},
    {"SeIncreaseQuotaPrivilege", 3, 5},
    {"SeUnsolicitedInputPrivilege", 4, 6},
    {"SeTcbPrivilege", 5, 7},
    {"SeSecurityPrivilege", 6, 8},
    {"SeTakeOwnershipPrivilege", 7, 9},
    {"SeLoadDriverPrivilege", 8, 10},
    {"SeCreatePagefilePrivilege", 9, 15},
    {"SeIncreaseBasePriorityPrivilege", 10, 14},
    {"SeSystemProfilePrivilege", 11, 11},
    {"SeSystemtimePrivilege", 12, 12},
    {"SeProfileSingleProcessPrivilege", 13, 13},
    {"SeCreatePermanentPrivilege", 14, 16},
    {"SeBackupPrivilege", 15, 17},
    {"SeRestorePrivilege", 16, 18},
    {"SeShutdownPrivilege", 17, 19},
    {"SeDebugPrivilege", 18, 20},
    {"SeAuditPrivilege", 19, 21},
    {"SeSystemEnvironmentPrivilege", 20, 22},
    {"SeChangeNotifyPrivilege", 21, 23},
    {"SeRemoteShutdownPrivilege", 22, 24},
    {"SeUndockPrivilege", 45, 25},
    {"SeSyncAgentPrivilege", 46, 26},
    {"SeEnableDelegationPrivilege", 47, 27},
    {"SeManageVolumePrivilege", 50, 28},
    {"SeImpersonatePrivilege", 51, 29},
    {"SeCreateGlobalPrivilege", 52, 30},
    {"SeTrustedCredManAccessPrivilege", 53, 31},
    {"SeRelabelPrivilege", 54, 32},
    {"SeIncreaseWorkingSetPrivilege", 55, 33},
    {"SeTimeZonePrivilege", 56, 34},
    {"SeCreateSymbolicLinkPrivilege", 57, 35},
};

static struct sid_row {
    const char *name;
    unsigned member;
    struct sid want;
} sid_rows[] = {
    {"SeNullSid", 23, {1, 1, {0, 0, 0, 0, 0, 0}, {0}}},
    {"SeWorldSid", 24, {1, 1, {0, 0, 0, 0, 0, 1}, {0}}},
    {"SeLocalSid", 25, {1, 1, {0, 0, 0, 0, 0, 2}, {0}}},
    {"SeCreatorOwnerSid", 26, {1, 1, {0, 0, 0, 0, 0, 3}, {0}}},
    {"SeCreatorGroupSid", 27, {1, 1, {0, 0, 0, 0, 0, 3}, {1}}},
    {"SeNtAuthoritySid", 28, {1, 0, {0, 0, 0, 0, 0, 5}, {0}}},
    {"SeDialupSid", 29, {1, 1, {0, 0, 0, 0, 0, 5}, {1}}},
    {"SeNetworkSid", 30, {1, 1, {0, 0, 0, 0, 0, 5}, {2}}},
    {"SeBatchSid", 31, {1, 1, {0, 0, 0, 0, 0, 5}, {3}}},
    {"SeInteractiveSid", 32, {1, 1, {0, 0, 0, 0, 0, 5}, {4}}},
    {"SeLocalSystemSid", 33, {1, 1, {0, 0, 0, 0, 0, 5}, {18}}},
    {"SeAliasAdminsSid", 34, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 544}}},
    {"SeAliasUsersSid", 35, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 545}}},
    {"SeAliasGuestsSid", 36, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 546}}},
    {"SeAliasPowerUsersSid", 37, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 547}}},
    {"SeAliasAccountOpsSid", 38, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 548}}},
    {"SeAliasSystemOpsSid", 39, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 549}}},
    {"SeAliasPrintOpsSid", 40, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 550}}},
    {"SeAliasBackupOpsSid", 41, {1, 2, {0, 0, 0, 0, 0, 5}, {32, 551}}},
    {"SeAuthenticatedUsersSid", 42, {1, 1, {0, 0, 0, 0, 0, 5}, {11}}},
    {"SeRestrictedSid", 43, {1, 1, {0, 0, 0, 0, 0, 5}, {12}}},
    {"SeAnonymousLogonSid", 44, {1, 1, {0, 0, 0, 0, 0, 5}, {7}}},
    {"SeLocalServiceSid", 48, {1, 1, {0, 0, 0, 0, 0, 5}, {19}}},
    {"SeNetworkServiceSid", 49, {1, 1, {0, 0, 0, 0, 0, 5}, {20}}},
    {"SeIUserSid", 58, {1, 1, {0, 0, 0, 0, 0, 5}, {17}}},
    {"SeUntrustedMandatorySid", 59, {1, 1, {0, 0, 0, 0, 0, 16}, {0}}},
    {"SeLowMandatorySid", 60, {1, 1, {0, 0, 0, 0, 0, 16}, {4096}}},
    {"SeMediumMandatorySid", 61, {1, 1, {0, 0, 0, 0, 0, 16}, {8192}}},
    {"SeHighMandatorySid", 62, {1, 1, {0, 0, 0, 0, 0, 16}, {12288}}},
    {"SeSystemMandatorySid", 63, {1, 1, {0, 0, 0, 0, 0, 16}, {16384}}},
    {"SeOwnerRightsSid", 64, {1, 1, {0, 0, 0, 0, 0, 3}, {4}}},
};

/* What SeExports points to, and the member that is a number or an address. */
static const struct memory_block *exports_block(
    struct booted_kernel *booted, unsigned member, uint64_t *value)
{
    const uint8_t *exports;
    const struct memory_block *block;

    booted_init_usual(booted);
    exports = well_known_exports(&booted->kernel);
    block = memory_find(&booted->machine.memory, exports);
    assert_non_null(block);
    memcpy(value, &exports[8 * member], sizeof(*value));
    return block;
}

static void privilege_row(void **state)
{
    const struct privilege_row *row = *state;
    struct booted_kernel booted;
    uint64_t value;

    exports_block(&booted, row->member, &value);
    assert_int_equal(value, row->want);
    booted_release(&booted);
}

/* No two lie in the same place, and each is in the block, behind the members.
 */
static void sid_row(void **state)
{
    const struct sid_row *row = *state;
    struct booted_kernel booted;
    uint64_t address, before;
    const struct memory_block *block =
        exports_block(&booted, row->member, &address);
    const uint8_t *exports = block->start;

    assert_in_range(address, (uintptr_t)exports + 65 * 8,
        (uintptr_t)exports + block->size - sizeof(row->want));
    assert_memory_equal(
        (const void *)(uintptr_t)address, &row->want, sizeof(row->want));
    if (row > sid_rows) {
        memcpy(&before, &exports[8 * row[-1].member], sizeof(before));
        assert_int_equal(address, before + sizeof(row->want));
    }
    booted_release(&booted);
}

/* Accounts of the machine, which are no members (SEC-08b). */
static struct account_row {
    const char *name;
    enum well_known sid;
    struct sid want;
} account_rows[] = {
    {"administrator_of_the_machine", WELL_KNOWN_LA,
        {1, 5, {0, 0, 0, 0, 0, 5},
            {21, 1000000001, 1000000002, 1000000003, 500}}},
    {"somebody", WELL_KNOWN_SOMEBODY,
        {1, 5, {0, 0, 0, 0, 0, 5},
            {21, 1000000001, 1000000002, 1000000003, 1001}}},
};

static void account_row(void **state)
{
    const struct account_row *row = *state;

    assert_memory_equal(
        well_known_sid(row->sid), &row->want, sizeof(row->want));
}

/* 65 members and 31 SIDs of 68 bytes are 2628. */
static void block_ends_behind_the_last_one(void **state)
{
    struct booted_kernel booted;
    uint64_t first;
    const struct memory_block *block = exports_block(&booted, 0, &first);

    (void)state;
    assert_int_equal(block->size, 2640);
    for (size_t i = 2628; i < block->size; i++) {
        assert_int_equal(block->start[i], 0);
    }
    booted_release(&booted);
}

TEST_FILE(test_well_known)
{
    test_add(list, "block_ends_behind_the_last_one",
        block_ends_behind_the_last_one, NULL);
    TEST_ADD_ROWS(list, privilege_row, privilege_rows);
    TEST_ADD_ROWS(list, sid_row, sid_rows);
    TEST_ADD_ROWS(list, account_row, account_rows);
}
