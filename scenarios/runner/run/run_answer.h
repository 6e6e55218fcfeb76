/* run_answer.h - routines that drivers import and the scenario answers for. */
#ifndef RUNNER_RUN_RUN_ANSWER_H
#define RUNNER_RUN_RUN_ANSWER_H

struct run;

/* From now on the run's kernel, which has just booted, has them. */
void run_answers_begin(struct run *run);

/* An answer that no driver has imported is an error. */
void run_answers_report(struct run *run);

#endif
