/* show_samples.h - what ntpmu counters prints: the samples of a run as lines,
 * and on standard error what is missing among them. */
#ifndef RUNNER_COMMANDS_COUNTERS_SHOW_SAMPLES_H
#define RUNNER_COMMANDS_COUNTERS_SHOW_SAMPLES_H

#include "scenarios/runner/commands/counters/described_sets.h"
#include "scenarios/runner/run/samples.h"
#include "scenarios/runner/run/verdict.h"

struct show {
    void *context; /* memory */
    const struct options *options;
    struct counter_manifests manifests;
    struct sampling sampling;
    uint64_t mhz; /* of the machine */
    bool masked;  /* counter_lines_way */
};

/* Adds the manifests that the scenario knows, and says in `sampling` which
 * counter sets are wanted. False after saying on standard error why not. */
bool show_describe(struct show *show, const struct scenario *scenario);

/* Shows a verdict's samples; `what` ran. One that did not run, or did not come
 * back, has shown nothing; neither has one that failed too early, whose failure
 * says enough. Returns what to exit with. */
enum exit_code show_verdict(
    struct show *show, const struct verdict *verdict, const char *what);

/* Says on standard error what came of `what`: the verdict's result, unless that
 * is good and what it exits with is not. */
void show_end(
    const char *what, const struct verdict *verdict, enum exit_code code);

#endif
