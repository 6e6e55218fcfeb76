/* read_machine.h - machine: what an instance runs on, and what steps need of
 * it. */
#ifndef RUNNER_SCENARIO_READ_MACHINE_H
#define RUNNER_SCENARIO_READ_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

struct node;
struct pmu_model;
struct reader;

void read_machine(struct reader *reader);

/* A model and figures of a key `pmu`, over what the model is before. Returns
 * false after reporting what is wrong. */
bool read_pmu(struct reader *reader, const struct node *key,
    const struct node *pmu, struct pmu_model *model);

/* Reports a step (`what`) that needs a PMU where there is an architecture
 * without one. */
void read_pmu_need(
    struct reader *reader, const struct node *node, const char *what);

/* The same, for a step that only Arm's processors can do, or only those of x86,
 * by the step's key. Returns false after reporting it. */
bool read_pmu_of(struct reader *reader, const struct node *node, bool arm);

/* A counter that the PMU of some processor has, by the HAL's index. */
bool read_counter(
    struct reader *reader, const struct node *node, unsigned *counter);

#endif
