/* read_answers.h - imports: routines that the scenario answers for. */
#ifndef RUNNER_SCENARIO_READ_ANSWERS_H
#define RUNNER_SCENARIO_READ_ANSWERS_H

struct reader;

/* Names come before the steps that expect calls of them, what they do after the
 * steps that set what that uses. Drivers and names of callbacks were read. */
void read_answer_names(struct reader *reader);
void read_answers(struct reader *reader);

#endif
