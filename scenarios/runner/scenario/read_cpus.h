/* read_cpus.h - the value of a key `cpu`: one processor or several. */
#ifndef RUNNER_SCENARIO_READ_CPUS_H
#define RUNNER_SCENARIO_READ_CPUS_H

#include "scenarios/runner/language/schema.h"
#include "scenarios/runner/scenario/cpu_list.h"

struct reader;

/* One processor of so many, by its number. Reports what is wrong. */
bool read_cpu(const struct schema *schema, uint32_t processors,
    const struct node *node, uint32_t *cpu);

/* 2, 0-3, [0, 2, 4-7] or all, each processor at most once. Reports what is
 * wrong; the ranges are children of `context`. */
bool read_cpu_list(const struct schema *schema, void *context,
    uint32_t processors, const struct node *node, struct cpu_list *list);

/* The same of a step's key, which may be left out (NULL). */
void read_cpus(
    struct reader *reader, const struct node *node, struct cpu_list *list);

#endif
