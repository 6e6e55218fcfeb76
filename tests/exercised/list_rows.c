/* list_rows.c - the rows of the kernel's tables that the suite has to exercise,
 * a line each: its kind, then what it is called. */
#include <stdio.h>

#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/nt/rulings.h"
#include "api/nt/type.h"

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

int main(void)
{
    list_routines();
    list_rules();
    list_rulings();
    return 0;
}
