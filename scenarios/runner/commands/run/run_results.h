/* run_results.h - what a run came to as a file for ntpmu merge. */
#ifndef RUNNER_COMMANDS_RUN_RUN_RESULTS_H
#define RUNNER_COMMANDS_RUN_RUN_RESULTS_H

#include <stdbool.h>

struct batch;
struct options;
struct suite;

struct run_results;
struct part_head;

/* What says of which run this is one, or a part; child of `context`. */
struct part_head run_results_head(
    void *context, struct suite *suite, const struct options *options);

/* Of --results; the suite is as it was read, with all its instances. NULL after
 * saying why the file cannot be written. Child of the suite. */
struct run_results *run_results_open(
    struct suite *suite, const struct options *options);

/* Every result of the batch is written from now on. */
void run_results_listen(struct run_results *results, struct batch *batch);

/* The file is there, whole. False after saying why it cannot be written. Of a
 * batch that has not come to its end there is none, which is said, too. */
bool run_results_end(struct run_results *results, const struct batch *batch);

#endif
