/* read_msrs.h - machine: {msrs: ..}, values of registers that the processors
 * have and the model has not. */
#ifndef RUNNER_SCENARIO_READ_MSRS_H
#define RUNNER_SCENARIO_READ_MSRS_H

struct node;
struct reader;

/* `key` is the word msrs, for errors. The machine's PMU has been read. */
void read_msrs(
    struct reader *reader, const struct node *key, const struct node *msrs);

#endif
