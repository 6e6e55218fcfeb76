/* cited.h - the requirements that the expectations of an instance cite, each
 * once, and what came of them: what coverage is made of. */
#ifndef RUNNER_RUN_CITED_H
#define RUNNER_RUN_CITED_H

#include "scenarios/runner/run/run.h"

/* What came of an expectation. */
enum cited_outcome {
    CITED_HOLLOW, /* it was met, as by whatever there might have been */
    CITED_MET,
    CITED_FAILED,
};

/* Adds the outcome to each of the requirements, whose ids outlive the verdict;
 * there are CHECK_COVERS of them at most, NULL after the last. */
void cited_note(struct verdict *verdict, const char *const covers[],
    enum cited_outcome outcome);

#endif
