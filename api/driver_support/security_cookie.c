/* security_cookie.c - what clang's stack protector calls in a driver: the
 * cookie that the loader replaces through the load configuration, and its
 * check. Linked into a driver only when a function of it is protected. */
#include <ntddk.h>

enum { FAST_FAIL_STACK_COOKIE_CHECK_FAILURE = 2 };

/* The PE format's default for x64; a loader that finds it puts another there.
 */
ULONG_PTR __security_cookie = 0x00002B992DDFA232;

/* IMAGE_LOAD_CONFIG_DIRECTORY64 as far as its SecurityCookie and the two fields
 * after it, which only x86 has. */
extern const struct load_config {
    ULONG Size;
    ULONG TimeDateStamp;
    ULONG Others[20]; /* 0: the system's defaults */
    ULONG_PTR *SecurityCookie;
    ULONG_PTR SEHandlerTable;
    ULONG_PTR SEHandlerCount;
} _load_config_used;

const struct load_config _load_config_used = {
    .Size = sizeof(_load_config_used),
    .SecurityCookie = &__security_cookie,
};
C_ASSERT(FIELD_OFFSET(struct load_config, SecurityCookie) == 0x58);

void __security_check_cookie(ULONG_PTR cookie);

void __security_check_cookie(ULONG_PTR cookie)
{
    if (cookie != __security_cookie) {
        __fastfail(FAST_FAIL_STACK_COOKIE_CHECK_FAILURE);
    }
}
