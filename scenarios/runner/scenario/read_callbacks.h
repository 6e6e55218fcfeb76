/* read_callbacks.h - callbacks: functions of the drivers. */
#ifndef RUNNER_SCENARIO_READ_CALLBACKS_H
#define RUNNER_SCENARIO_READ_CALLBACKS_H

struct reader;

/* Names come before the steps that use them, bodies after the steps that set
 * what they use. */
void read_callback_names(struct reader *reader);
void read_callback_bodies(struct reader *reader);

#endif
