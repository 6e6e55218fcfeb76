/* session.c - what one run of instances shares: a machine is reserved for all
 * of them, one after another. */
#include "scenarios/runner/run/session.h"

#include <stdint.h>
#include <sys/resource.h>

#include "api/boot/kernel_boot.h"

bool session_open(
    struct session *session, const struct requirements *requirements)
{
    *session =
        (struct session){.requirements = requirements, .budget = UINT64_MAX};
    return machine_reserve(&session->machine);
}

static void say_limit(FILE *errors, __rlimit_resource_t resource,
    const char *what, const char *command)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        fprintf(errors, "; the limit of %s is %ju KiB ('%s')", what,
            (uintmax_t)limit.rlim_cur / 1024, command);
    }
}

void session_say_refused(FILE *errors)
{
    fprintf(errors,
        "ntpmu: the host gives no room for a machine, which takes 6 GiB of "
        "addresses and 100 MiB of memory");
    say_limit(errors, RLIMIT_AS, "addresses", "ulimit -v");
    say_limit(errors, RLIMIT_DATA, "memory", "ulimit -d");
    fputc('\n', errors);
}

void session_close(struct session *session)
{
    kernel_release(&session->kernel);
    machine_release(&session->machine);
}
