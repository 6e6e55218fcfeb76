/* irql_dispute.c - the table of routines whose pages and headers differ about
 * the level. */
#include "api/core/irql_dispute.h"

const struct irql_dispute irql_disputes[] = {
#define DISPUTE(routine_, page_lowest, page_highest, lowest_, highest_)        \
    {.routine = ROUTINE_##routine_,                                            \
        .page = {LEVEL_##page_lowest, LEVEL_##page_highest},                   \
        .header = {LEVEL_##lowest_, LEVEL_##highest_}},
#include "api/core/irql_disputes.def"
};

const size_t irql_dispute_count =
    sizeof(irql_disputes) / sizeof(irql_disputes[0]);

const struct irql_dispute *irql_dispute_find(enum routine routine)
{
    for (size_t i = 0; i < irql_dispute_count; i++) {
        if (irql_disputes[i].routine == routine) {
            return &irql_disputes[i];
        }
    }
    return NULL;
}
