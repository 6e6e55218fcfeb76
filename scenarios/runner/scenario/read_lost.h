/* read_lost.h - a step that cannot be read: what it saves counts as saved. */
#ifndef RUNNER_SCENARIO_READ_LOST_H
#define RUNNER_SCENARIO_READ_LOST_H

struct node;
struct reader;

/* The variables of a step that was reported are set all the same, so that no
 * other error follows from it; or the one of that name. */
void read_lost_step(struct reader *reader, const struct node *node);
void read_lost_name(struct reader *reader, const struct node *name);

#endif
