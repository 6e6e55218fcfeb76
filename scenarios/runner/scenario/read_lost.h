/* read_lost.h - a part that cannot be read: what it names counts as used. */
#ifndef RUNNER_SCENARIO_READ_LOST_H
#define RUNNER_SCENARIO_READ_LOST_H

struct node;
struct reader;

/* What a part that was reported names, so that no other error follows from it;
 * a step's `save` has set its variables, and any manifest may have been meant.
 */
void read_lost(struct reader *reader, const struct node *node);
void read_lost_step(struct reader *reader, const struct node *node);
void read_lost_name(struct reader *reader, const struct node *name);
void read_lost_manifests(struct reader *reader);

#endif
