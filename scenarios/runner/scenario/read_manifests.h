/* read_manifests.h - manifests: what describes the counter sets. */
#ifndef RUNNER_SCENARIO_READ_MANIFESTS_H
#define RUNNER_SCENARIO_READ_MANIFESTS_H

struct reader;

void read_manifests(struct reader *reader);

#endif
