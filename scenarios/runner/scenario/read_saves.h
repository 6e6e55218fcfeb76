/* read_saves.h - save: the variables that a step sets. */
#ifndef RUNNER_SCENARIO_READ_SAVES_H
#define RUNNER_SCENARIO_READ_SAVES_H

struct node;
struct reader;
struct step;

/* `node` is the whole step. */
void read_saves(
    struct reader *reader, const struct node *node, struct step *step);

#endif
