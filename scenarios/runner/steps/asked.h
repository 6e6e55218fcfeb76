/* asked.h - what a consumer asks of a counter set: the keys of query, and of a
 * collect that opens a query of its own. */
#ifndef RUNNER_STEPS_ASKED_H
#define RUNNER_STEPS_ASKED_H

struct asked;
struct node;
struct reader;

/* Of the mapping. What is wrong is reported. */
void asked_read(
    struct reader *reader, const struct node *node, struct asked *asked);

#endif
