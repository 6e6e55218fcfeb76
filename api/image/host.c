/* host.c - whether this host can run drivers' code: what the self-test's
 * results mean. */
#include "api/image/host.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>

enum instead { NOTHING, PATCH };

static const struct row {
    const char *text;
    int signal, trap;
    enum instead instead;
} rows[HOST_PROBES] = {
#define PROBE(name, text, signal, trap, instead, ...)                          \
    [HOST_##name] = {text, signal, trap, instead},
#include "api/image/probes.def"
};

bool host_is_fit(const struct host_traps *traps, char *why, size_t size)
{
    if (!traps->x86_64) {
        snprintf(why, size,
            "drivers are x86-64 code, and this host's processor is none");
        return false;
    }
    if (!traps->tested) {
        snprintf(why, size, "there is no memory for the self-test of the host");
        return false;
    }
    for (unsigned i = 0; i < HOST_PROBES; i++) {
        const struct host_trap *trap = &traps->trap[i];

        assert(!trap->traps || trap->signal != 0);
        if (!trap->traps) {
            if (rows[i].instead == PATCH) {
                continue;
            }
            snprintf(why, size, "this host executes %s without a trap",
                rows[i].text);
            return false;
        }
        if (trap->signal != rows[i].signal || trap->trap != rows[i].trap) {
            snprintf(why, size,
                "this host answers %s with signal %d, exception %d, and not "
                "with signal %d, exception %d",
                rows[i].text, trap->signal, trap->trap, rows[i].signal,
                rows[i].trap);
            return false;
        }
    }
    return true;
}
