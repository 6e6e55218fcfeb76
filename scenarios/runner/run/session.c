/* session.c - what one run of instances shares: a machine is reserved for all
 * of them, one after another. */
#include "scenarios/runner/run/session.h"

#include "api/boot/kernel_boot.h"

bool session_open(
    struct session *session, const struct requirements *requirements)
{
    *session =
        (struct session){.requirements = requirements, .budget = UINT64_MAX};
    return machine_reserve(&session->machine);
}

void session_close(struct session *session)
{
    kernel_release(&session->kernel);
    machine_release(&session->machine);
}
