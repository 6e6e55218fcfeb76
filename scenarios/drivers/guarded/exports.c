/* exports.c - part of the test driver "guarded": it compares each privilege and
 * well-known SID that SeExports points to with wdm.h and MS-DTYP 2.4.2.4. */
#include "scenarios/drivers/guarded/exports.h"

#define OFFSET(member) FIELD_OFFSET(SE_EXPORTS, member)

static const struct {
    ULONG offset, number;
} privileges[] = {
    {OFFSET(SeCreateTokenPrivilege), SE_CREATE_TOKEN_PRIVILEGE},
    {OFFSET(SeAssignPrimaryTokenPrivilege), SE_ASSIGNPRIMARYTOKEN_PRIVILEGE},
    {OFFSET(SeLockMemoryPrivilege), SE_LOCK_MEMORY_PRIVILEGE},
    {OFFSET(SeIncreaseQuotaPrivilege), SE_INCREASE_QUOTA_PRIVILEGE},
    {OFFSET(SeUnsolicitedInputPrivilege), SE_UNSOLICITED_INPUT_PRIVILEGE},
    {OFFSET(SeTcbPrivilege), SE_TCB_PRIVILEGE},
    {OFFSET(SeSecurityPrivilege), SE_SECURITY_PRIVILEGE},
    {OFFSET(SeTakeOwnershipPrivilege), SE_TAKE_OWNERSHIP_PRIVILEGE},
    {OFFSET(SeLoadDriverPrivilege), SE_LOAD_DRIVER_PRIVILEGE},
    {OFFSET(SeCreatePagefilePrivilege), SE_CREATE_PAGEFILE_PRIVILEGE},
    {OFFSET(SeIncreaseBasePriorityPrivilege), SE_INC_BASE_PRIORITY_PRIVILEGE},
    {OFFSET(SeSystemProfilePrivilege), SE_SYSTEM_PROFILE_PRIVILEGE},
    {OFFSET(SeSystemtimePrivilege), SE_SYSTEMTIME_PRIVILEGE},
    {OFFSET(SeProfileSingleProcessPrivilege), SE_PROF_SINGLE_PROCESS_PRIVILEGE},
    {OFFSET(SeCreatePermanentPrivilege), SE_CREATE_PERMANENT_PRIVILEGE},
    {OFFSET(SeBackupPrivilege), SE_BACKUP_PRIVILEGE},
    {OFFSET(SeRestorePrivilege), SE_RESTORE_PRIVILEGE},
    {OFFSET(SeShutdownPrivilege), SE_SHUTDOWN_PRIVILEGE},
    {OFFSET(SeDebugPrivilege), SE_DEBUG_PRIVILEGE},
    {OFFSET(SeAuditPrivilege), SE_AUDIT_PRIVILEGE},
    {OFFSET(SeSystemEnvironmentPrivilege), SE_SYSTEM_ENVIRONMENT_PRIVILEGE},
    {OFFSET(SeChangeNotifyPrivilege), SE_CHANGE_NOTIFY_PRIVILEGE},
    {OFFSET(SeRemoteShutdownPrivilege), SE_REMOTE_SHUTDOWN_PRIVILEGE},
    {OFFSET(SeUndockPrivilege), SE_UNDOCK_PRIVILEGE},
    {OFFSET(SeSyncAgentPrivilege), SE_SYNC_AGENT_PRIVILEGE},
    {OFFSET(SeEnableDelegationPrivilege), SE_ENABLE_DELEGATION_PRIVILEGE},
    {OFFSET(SeManageVolumePrivilege), SE_MANAGE_VOLUME_PRIVILEGE},
    {OFFSET(SeImpersonatePrivilege), SE_IMPERSONATE_PRIVILEGE},
    {OFFSET(SeCreateGlobalPrivilege), SE_CREATE_GLOBAL_PRIVILEGE},
    {OFFSET(SeTrustedCredManAccessPrivilege),
        SE_TRUSTED_CREDMAN_ACCESS_PRIVILEGE},
    {OFFSET(SeRelabelPrivilege), SE_RELABEL_PRIVILEGE},
    {OFFSET(SeIncreaseWorkingSetPrivilege), SE_INC_WORKING_SET_PRIVILEGE},
    {OFFSET(SeTimeZonePrivilege), SE_TIME_ZONE_PRIVILEGE},
    {OFFSET(SeCreateSymbolicLinkPrivilege), SE_CREATE_SYMBOLIC_LINK_PRIVILEGE},
};

static const struct {
    ULONG offset;
    PCWSTR text;
} sids[] = {
    {OFFSET(SeNullSid), L"S-1-0-0"},
    {OFFSET(SeWorldSid), L"S-1-1-0"},
    {OFFSET(SeLocalSid), L"S-1-2-0"},
    {OFFSET(SeCreatorOwnerSid), L"S-1-3-0"},
    {OFFSET(SeCreatorGroupSid), L"S-1-3-1"},
    {OFFSET(SeNtAuthoritySid), L"S-1-5"},
    {OFFSET(SeDialupSid), L"S-1-5-1"},
    {OFFSET(SeNetworkSid), L"S-1-5-2"},
    {OFFSET(SeBatchSid), L"S-1-5-3"},
    {OFFSET(SeInteractiveSid), L"S-1-5-4"},
    {OFFSET(SeLocalSystemSid), L"S-1-5-18"},
    {OFFSET(SeAliasAdminsSid), L"S-1-5-32-544"},
    {OFFSET(SeAliasUsersSid), L"S-1-5-32-545"},
    {OFFSET(SeAliasGuestsSid), L"S-1-5-32-546"},
    {OFFSET(SeAliasPowerUsersSid), L"S-1-5-32-547"},
    {OFFSET(SeAliasAccountOpsSid), L"S-1-5-32-548"},
    {OFFSET(SeAliasSystemOpsSid), L"S-1-5-32-549"},
    {OFFSET(SeAliasPrintOpsSid), L"S-1-5-32-550"},
    {OFFSET(SeAliasBackupOpsSid), L"S-1-5-32-551"},
    {OFFSET(SeAuthenticatedUsersSid), L"S-1-5-11"},
    {OFFSET(SeRestrictedSid), L"S-1-5-12"},
    {OFFSET(SeAnonymousLogonSid), L"S-1-5-7"},
    {OFFSET(SeLocalServiceSid), L"S-1-5-19"},
    {OFFSET(SeNetworkServiceSid), L"S-1-5-20"},
    {OFFSET(SeIUserSid), L"S-1-5-17"},
    {OFFSET(SeUntrustedMandatorySid), L"S-1-16-0"},
    {OFFSET(SeLowMandatorySid), L"S-1-16-4096"},
    {OFFSET(SeMediumMandatorySid), L"S-1-16-8192"},
    {OFFSET(SeHighMandatorySid), L"S-1-16-12288"},
    {OFFSET(SeSystemMandatorySid), L"S-1-16-16384"},
    {OFFSET(SeOwnerRightsSid), L"S-1-3-4"},
};

static BOOLEAN is_privilege(const LUID *luid, ULONG number)
{
    return luid->LowPart == number && luid->HighPart == 0;
}

static BOOLEAN is_sid(PSID sid, PCWSTR text)
{
    WCHAR buffer[32];
    UNICODE_STRING string = {0, sizeof(buffer), buffer}, wanted;

    RtlInitUnicodeString(&wanted, text);
    return NT_SUCCESS(RtlConvertSidToUnicodeString(&string, sid, FALSE)) &&
           RtlEqualUnicodeString(&string, &wanted, FALSE);
}

BOOLEAN exports_are_right(void)
{
    const UCHAR *exports = (const UCHAR *)SeExports;
    ULONG i;

    for (i = 0; i < RTL_NUMBER_OF(privileges); i++) {
        if (!is_privilege((const LUID *)(exports + privileges[i].offset),
                privileges[i].number)) {
            return FALSE;
        }
    }
    for (i = 0; i < RTL_NUMBER_OF(sids); i++) {
        if (!is_sid(*(const PSID *)(exports + sids[i].offset), sids[i].text)) {
            return FALSE;
        }
    }
    return TRUE;
}
