/* read_kinds.h - machine: {kinds: ..}, processors that are not as the others.
 */
#ifndef RUNNER_SCENARIO_READ_KINDS_H
#define RUNNER_SCENARIO_READ_KINDS_H

struct node;
struct reader;

/* When the others' PMU has been read. */
void read_kinds(
    struct reader *reader, const struct node *key, const struct node *kinds);

#endif
