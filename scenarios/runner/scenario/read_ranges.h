/* read_ranges.h - machine: {memory: ..}, what the machine has at physical
 * addresses besides its own RAM, and probes of it. */
#ifndef RUNNER_SCENARIO_READ_RANGES_H
#define RUNNER_SCENARIO_READ_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/schema.h"

struct given_range;
struct given_register;
struct node;
struct reader;
struct scenario;

void read_ranges(struct reader *reader);

/* The range that the node names; NULL after reporting that there is none. */
const struct given_range *read_range_name(
    struct reader *reader, const struct node *node);

/* The register of the range that the node names: its number. False after
 * reporting that there is none. */
bool read_register_name(const struct schema *schema, const struct node *node,
    const struct given_range *range, size_t *reg);

/* Whether the register has so many bits; reports a value that is wider. */
bool read_register_fits(const struct schema *schema, const struct node *node,
    const struct given_register *reg, uint64_t value);

/* What a probe asks of a range: DEVICE_PROBE or PHYSICAL_PROBE. */
void read_ranges_probe(
    struct reader *reader, const struct node *node, enum mapping mapping);

/* The same of what was found valid. */
const struct given_range *read_ranges_find(
    const struct scenario *scenario, const struct node *node);
const struct given_register *read_ranges_register(
    const struct given_range *range, const struct node *node);
void read_ranges_part(const struct node *node, uint64_t *at, uint64_t *bytes);

#endif
