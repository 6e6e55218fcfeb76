/* device_request.h - what a program asks of a device: files that it has open,
 * requests by these. A program is a process of the scenario, or one beside a
 * driver that the driver's own steps play. */
#ifndef RUNNER_STEPS_DEVICE_REQUEST_H
#define RUNNER_STEPS_DEVICE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/se/user.h"

struct io_driver;
struct node;
struct outcome;
struct run;

/* Of a step: what is opened, closed, asked or awaited. */
struct device_request {
    const char *name; /* of what is opened; NULL: the first device */
    uint32_t access;  /* with which it is opened, if asked_access */
    bool asked_access;
    enum user user;           /* who opens it */
    const struct node *file;  /* its handle; NULL: the only one that is open */
    uint32_t code;            /* of a device control */
    const struct node *input; /* NULL: none */
    uint32_t output;          /* bytes of its output buffer */
    int64_t offset;           /* of a transfer */
    bool no_wait;             /* the step ends while it is pending */
};

struct device_control;
struct device_file;

/* What one program has, zero to begin with. */
struct device_program {
    struct device_file *files;      /* open, the first opened first */
    struct device_control *pending; /* requests that no step has awaited */
};

/* That of an actor: a process, or one beside a driver. */
struct device_program *device_program_of(struct run *run, size_t actor);

/* Each does what a step asks, as code of the program's thread, and leaves in
 * the outcome what came of it. What cannot be done at all is reported. */
void device_request_open(struct run *run, struct outcome *outcome,
    const struct io_driver *driver, struct device_program *program);
void device_request_close(
    struct run *run, struct outcome *outcome, struct device_program *program);
/* Closes what the program has open, up to one that cannot be. */
void device_request_close_all(struct run *run, struct device_program *program);
void device_request_control(
    struct run *run, struct outcome *outcome, struct device_program *program);
void device_request_await(
    struct run *run, struct outcome *outcome, struct device_program *program);

void device_request_cancel(
    struct run *run, struct outcome *outcome, struct device_program *program);
void device_request_transfer(struct run *run, struct outcome *outcome,
    struct device_program *program, bool reads);

/* The step cannot be done: an ERROR. */
void device_request_refuse(
    struct run *run, struct outcome *outcome, const char *message);

#endif
