/* security_cookie.c - what clang's stack protector calls in a driver: the
 * cookie that the loader replaces through the load configuration, and its
 * check; and the data of Control Flow Guard. Linked into every driver. */
#include <ntddk.h>

enum { FAST_FAIL_STACK_COOKIE_CHECK_FAILURE = 2 };

/* The PE format's default for x64; a loader that finds it puts another there.
 */
ULONG_PTR __security_cookie = 0x00002B992DDFA232;

/* What Control Flow Guard calls through, and what the linker lists for it. */
extern void *__guard_check_icall_fptr, *__guard_dispatch_icall_fptr;
extern const char __guard_fids_table, __guard_fids_count, __guard_flags;

static void check_nothing(void)
{
}

/* A loader puts its own there; nothing in these drivers calls them, for they
 * are made without checks. */
void *__guard_check_icall_fptr = check_nothing;
void *__guard_dispatch_icall_fptr = check_nothing;

/* IMAGE_LOAD_CONFIG_DIRECTORY64 as far as its GuardFlags. What is a number is
 * the address of a symbol whose value the linker makes that number. */
extern const struct load_config {
    ULONG Size;
    ULONG TimeDateStamp;
    ULONG Others[20]; /* 0: the system's defaults */
    ULONG_PTR *SecurityCookie;
    ULONG_PTR SEHandlerTable; /* this and the next: only x86 has them */
    ULONG_PTR SEHandlerCount;
    void **GuardCFCheckFunctionPointer;
    void **GuardCFDispatchFunctionPointer;
    const void *GuardCFFunctionTable;
    const void *GuardCFFunctionCount;
    const void
        *GuardFlags; /* 4 bytes, and CodeIntegrity's first 4, which are 0 */
} _load_config_used;

const struct load_config _load_config_used = {
    .Size = sizeof(_load_config_used),
    .SecurityCookie = &__security_cookie,
    .GuardCFCheckFunctionPointer = &__guard_check_icall_fptr,
    .GuardCFDispatchFunctionPointer = &__guard_dispatch_icall_fptr,
    .GuardCFFunctionTable = &__guard_fids_table,
    .GuardCFFunctionCount = &__guard_fids_count,
    .GuardFlags = &__guard_flags,
};
C_ASSERT(FIELD_OFFSET(struct load_config, SecurityCookie) == 0x58);
C_ASSERT(FIELD_OFFSET(struct load_config, GuardFlags) == 0x90);

void __security_check_cookie(ULONG_PTR cookie);

void __security_check_cookie(ULONG_PTR cookie)
{
    if (cookie != __security_cookie) {
        __fastfail(FAST_FAIL_STACK_COOKIE_CHECK_FAILURE);
    }
}
