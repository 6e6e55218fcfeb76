/* counter_ask.h - what a collect can give of one counter, by what it asks for
 * and what the manifest says of the counter. An expectation that is always met
 * or never is an error. Nothing is known, and so nothing reported, where only
 * the run will tell which query it is. */
#ifndef RUNNER_COUNTERS_COUNTER_ASK_H
#define RUNNER_COUNTERS_COUNTER_ASK_H

#include "scenarios/runner/scenario/reader.h"

/* Reports a value of this counter that was not asked for, or none of one that
 * the set does not have. `key` names it; `value` is what is expected, NULL: it
 * is saved. Sets without a manifest are left alone [C]: counters
 * that are not asked for are then looked at to see what the kernel does with a
 * mask (PCW-TYPE-06a). */
void counter_ask_value(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value, uint32_t id);

/* Reports a figure of this counter, or none, that is there in no collection of
 * this kind (PCW-CON-02): not asked for, its type has none, another counter is
 * missing, or two collections are needed. `key` is its name. */
void counter_ask_figure(struct reader *reader, const struct step *step,
    const struct node *key, uint32_t id);

#endif
