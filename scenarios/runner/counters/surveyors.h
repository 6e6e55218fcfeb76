/* surveyors.h - consumers that look at a counter set as Performance Monitor
 * does, several at the same time where processors have nothing else to do. */
#ifndef RUNNER_COUNTERS_SURVEYORS_H
#define RUNNER_COUNTERS_SURVEYORS_H

#include <stddef.h>

#include "api/pcw/survey.h"

struct cpu;

/* Of each consumer one call when it is done, on its processor; its rules are
 * those of that processor from number `first_rule` on. */
struct survey_reader {
    void (*take)(void *context, const struct pcw_survey *outcome,
        size_t first_rule, const struct cpu *cpu);
    void *context;
};

/* As code of a strand, which is one of them, for `budget` preemption points
 * each; comes back when all are done. */
void surveyors_send(struct kernel *kernel, const struct pcw_filter *filter,
    uint64_t budget, const struct survey_reader *reader);

#endif
