/* host_other.c - the host's self-test where drivers' code cannot run anyway. */
#include "api/image/host.h"

#if !defined(__x86_64__)

bool host_has_fsgsbase(void)
{
    return false;
}

void host_test(struct host_traps *out)
{
    *out = (struct host_traps){.x86_64 = false};
}

#endif
