/* driver_step.h - a step of a driver, as it is written: what is asked, and how
 * a request is read. */
#ifndef RUNNER_STEPS_DRIVER_STEP_H
#define RUNNER_STEPS_DRIVER_STEP_H

#include "scenarios/runner/steps/device_request.h"

struct node;
struct reader;
struct step;

enum driver_action {
#define DRIVER_ACTION(name, spelling) DRIVER_##name,
#include "scenarios/runner/language/driver_actions.def"
    DRIVER_IOCTL,
    DRIVER_AWAIT,
    DRIVER_CANCEL,
    DRIVER_READ,
    DRIVER_WRITE,
};

struct driver_step {
    struct device_request request; /* first: device_request.c reads it */
    enum driver_action action;
};

/* The mapping that says what a program asks of a device: its keys, which go
 * into the step's data. The signature is the caller's to set. */
void driver_step_read(
    struct reader *reader, const struct node *node, struct step *step);

/* How much of an output there is; for requests that have one. */
void driver_step_read_output(
    struct reader *reader, const struct node *node, struct step *step);

#endif
