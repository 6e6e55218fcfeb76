/* names.c - the names in the kernel's and the machine's lists, one by one: a
 * function a list. */
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/explore_mode.h"

#include <assert.h>
#include <pthread.h>
#include <talloc.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/mm/given_memory.h"
#include "api/nt/profile.h"
#include "api/se/user.h"
#include "sim/pmu/armv8_registers.h"
#include "sim/pmu/mix.h"
#include "sim/pmu/model.h"
#include "sim/pmu/segment.h"

const char *name_of_os(size_t n, const void *context)
{
    (void)context;
    return n < OS_COUNT ? os_rows[n].name : NULL;
}

const char *name_of_arch(size_t n, const void *context)
{
    (void)context;
    return n < ARCH_COUNT ? arch_rows[n].name : NULL;
}

const char *name_of_model(size_t n, const void *context)
{
    (void)context;
    return n < MODEL_COUNT ? pmu_models[n].name : NULL;
}

const char *name_of_explore_mode(size_t n, const void *context)
{
    static const char *const words[] = {
#define EXPLORE_MODE(name, word, random, limited) word,
#include "scenarios/runner/language/explore_modes.def"
    };

    (void)context;
    return n < EXPLORE_MODE_COUNT ? words[n] : NULL;
}

/* What hypervisors leave, in the order of virtualized.def; the first row, which
 * has none, gives its place to what a ruling says. */
const char *name_of_virtualized(size_t n, const void *context)
{
    (void)context;
    if (n == VIRTUALIZED_NOT) {
        return "default";
    }
    return n < VIRTUALIZED_COUNT ? virtualized_rows[n].name : NULL;
}

const char *name_of_register_access(size_t n, const void *context)
{
    static const char *const words[] = {
#define REGISTER_ACCESS(name, word, ...) word,
#include "api/mm/register_access.def"
    };

    (void)context;
    return n < REGISTER_ACCESSES ? words[n] : NULL;
}

const char *name_of_user(size_t n, const void *context)
{
    (void)context;
    return n < USER_COUNT ? user_names[n] : NULL;
}

const char *name_of_mix(size_t n, const void *context)
{
    (void)context;
    return n < MIX_COUNT ? mix_rows[n].name : NULL;
}

/* Made of rows that hold many registers each, so there is no list to point
 * into; it is made once. The first that is empty ends it. */
static char sysregs[128][24];
static pthread_once_t sysregs_made = PTHREAD_ONCE_INIT;

static void make_sysregs(void)
{
    size_t n = 0;

    while (armv8_register_name(n, sysregs[n], sizeof(sysregs[n]))) {
        n++;
        assert(n < sizeof(sysregs) / sizeof(sysregs[0]));
    }
    sysregs[n][0] = '\0';
}

const char *name_of_sysreg(size_t n, const void *context)
{
    (void)context;
    assert(n < sizeof(sysregs) / sizeof(sysregs[0]));
    pthread_once(&sysregs_made, make_sysregs);
    return sysregs[n][0] != '\0' ? sysregs[n] : NULL;
}

const char *name_of_ring(size_t n, const void *context)
{
    (void)context;
    return n < RING_COUNT ? ring_names[n] : NULL;
}

const char *name_of_pmu_event(size_t n, const void *context)
{
    (void)context;
    return n < EVENT_COUNT ? event_rows[n].name : NULL;
}

const char *name_of_routine(size_t n, const void *context)
{
    (void)context;
    return n < ROUTINE_COUNT ? routine_rows[n].name : NULL;
}

/* Routines that an actor can call; the others are for a driver's own code. */
const char *name_of_callable(size_t n, const void *context)
{
    (void)context;
    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        if (!routine_is_native(&routine_rows[i]) && n-- == 0) {
            return routine_rows[i].name;
        }
    }
    return NULL;
}

const char *name_of_rule(size_t n, const void *context)
{
    (void)context;
    return n < RULE_COUNT ? rule_rows[n].id : NULL;
}

const char *name_of_bugcheck(size_t n, const void *context)
{
    (void)context;
    return bugcheck_listed((unsigned)n);
}

const char *name_of_leak(size_t n, const void *context)
{
    (void)context;
    return n < LEAK_COUNT ? leak_names[n] : NULL;
}

const char *name_of_driver_action(size_t n, const void *context)
{
    static const char *const names[] = {
#define DRIVER_ACTION(name, spelling) spelling,
#include "scenarios/runner/language/driver_actions.def"
    };

    (void)context;
    return n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
}

char *names_of_pmu_arches(void *context, const char *last)
{
    char *text = talloc_strdup(context, "");
    const char *pending = NULL; /* may be the last one */

    for (enum arch i = 0; i < ARCH_COUNT; i++) {
        if (arch_rows[i].model == MODEL_NONE) {
            continue;
        }
        if (pending != NULL) {
            text = talloc_asprintf_append_buffer(
                text, "%s%s", text[0] == '\0' ? "" : ", ", pending);
        }
        pending = arch_rows[i].name;
    }
    assert(pending != NULL && text[0] != '\0');
    return talloc_asprintf_append_buffer(text, " %s %s", last, pending);
}
