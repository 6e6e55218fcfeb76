/* read_effects.h - registers: {CTRL: {effects: ..}}: what a device does when it
 * is written; and interrupt: {holds: ..}, what its registers hold when it
 * interrupts. */
#ifndef RUNNER_SCENARIO_READ_EFFECTS_H
#define RUNNER_SCENARIO_READ_EFFECTS_H

#include <stddef.h>
#include <stdint.h>

struct given_range;
struct given_register;
struct node;
struct reader;

/* Reads what the register does; `node` is its entry, and all registers of the
 * range are known. */
void read_effects(struct reader *reader, const struct node *node,
    const struct given_range *range, struct given_register *reg);

/* What a register is to hold. */
struct held_register {
    const struct given_range *range;
    size_t reg;
    uint64_t value;
};

/* The list, child of the scenario; how many is *count. */
const struct held_register *read_held(
    struct reader *reader, const struct node *node, size_t *count);

#endif
