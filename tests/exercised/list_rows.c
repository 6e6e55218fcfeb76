/* list_rows.c - the rows of the kernel's and the machine's tables that the
 * suite has to exercise, a line each: its kind, then what it is called. Behind
 * the row of a register stands what a trace calls it: `shown ROW WORD`. */
#include <stdio.h>

#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/nt/rulings.h"
#include "api/nt/type.h"
#include "sim/machine/msr.h"
#include "sim/pmu/armv8_registers.h"

/* What the compiler calls as it likes is in no trace. */
static void list_routines(void)
{
    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        const struct routine_row *row = &routine_rows[i];

        if (row->needs == NEEDS_CRT) {
            continue;
        }
        printf("routine %s\n", row->name);
        if (row->returns != NT_NTSTATUS) {
            continue;
        }
        printf("status %s STATUS_SUCCESS\n", row->name);
        for (const NTSTATUS *failure = row->failures;
             *failure != NO_FAILURE && *failure != ANY_FAILURE; failure++) {
            printf("status %s %s\n", row->name,
                nt_status_name((uint32_t)*failure));
        }
    }
}

/* Routines that return nothing where they fail, and have no status for that. */
static void list_nothing(void)
{
    static const struct {
        enum routine routine;
        uint64_t result;
    } fault[] = {
#define FAULT(routine, result, when, argument, bits, basis)                    \
    {ROUTINE_##routine, (uint64_t)(result)},
#include "api/core/faults.def"
    };

    for (size_t i = 0; i < sizeof(fault) / sizeof(fault[0]); i++) {
        if (fault[i].result == 0) {
            printf("nothing %s\n", routine_rows[fault[i].routine].name);
        }
    }
}

static void list_rules(void)
{
    for (enum rule i = 0; i < RULE_COUNT; i++) {
        printf("rule %s\n", rule_rows[i].id);
    }
}

/* The values that can be chosen, without the defaults. */
static void list_rulings(void)
{
    for (enum ruled i = 0; i < RULED_COUNT; i++) {
        const struct ruling_row *ruling = &ruling_rows[ruled_rows[i].ruling];

        if (ruling->state == RULING_FLIPS && ruled_rows[i].why == NULL &&
            ruling->usual != i) {
            printf("ruling %s %s\n", ruling->id, ruled_rows[i].name);
        }
    }
}

static void list_msrs(void)
{
    for (enum msr i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];

        printf("register %s\n", row->name);
        for (unsigned n = 0; n < row->most; n++) {
            printf("shown %s 0x%x\n", row->name,
                (unsigned)row->address + n * row->stride);
        }
    }
}

static void list_sysregs(void)
{
    for (unsigned i = 0; i < ARMV8_ROWS; i++) {
        const struct armv8_row *row = &armv8_rows[i];

        printf("register %s%s\n", row->name, row->suffix);
        printf("shown %s%s %s%s\n", row->name, row->suffix, row->name,
            row->suffix);
        for (unsigned n = 0; n < row->count && row->count > 1; n++) {
            printf("shown %s%s %s%u%s\n", row->name, row->suffix, row->name, n,
                row->suffix);
        }
    }
}

int main(void)
{
    list_routines();
    list_nothing();
    list_rules();
    list_rulings();
    list_msrs();
    list_sysregs();
    return 0;
}
