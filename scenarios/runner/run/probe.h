/* probe.h - the rows of probes.def: what a state expectation looks at. */
#ifndef RUNNER_RUN_PROBE_H
#define RUNNER_RUN_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/run/run.h"

/* What a probe found; memory is the context's. */
struct probed {
    void *context;
    uint64_t *value;
    HARDWARE_COUNTER configured[MAX_HW_COUNTERS];
    size_t count, capacity;
};

struct probe {
    const char *key;
    enum mapping mapping;
    enum nt_type type; /* of its elements */
    bool list;
    bool needs_pmu;
    bool cycles; /* that is what it gives */
    void (*read)(const struct run *run, const struct node *node,
        const struct cpu *cpu, struct probed *probed);
};

/* The probe of an entry of state; NULL: it has none. */
const struct probe *probe_find(const struct node *node);

/* The probe with this key, which exists. */
const struct probe *probe_named(const char *key);

/* What the probe finds there (`cpu` NULL where it is asked of none), which is a
 * fact. */
void probe_ask(const struct run *run, const struct probe *probe,
    const struct node *node, const struct cpu *cpu, struct probed *probed);

/* Asked of processors, not of an owner or of the system as a whole. */
bool probe_is_per_cpu(const struct probe *probe);

#endif
