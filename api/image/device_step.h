/* device_step.h - an instruction of a driver's code that accesses a register of
 * a device: it goes on natively with a page of the host's memory, which holds
 * what it reads; the device is told of it when it has come to its end. */
#ifndef API_IMAGE_DEVICE_STEP_H
#define API_IMAGE_DEVICE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "api/mm/device_register.h"

struct guest_frame;
struct touch;

struct device_step {
    struct device_place place;
    uint64_t address; /* of the access; 0: there is none */
    uint64_t value;   /* that is read */
    bool reads, writes;
};

/* The frame's instruction faulted by that touch. Returns true when it was one
 * of a device's page; the instruction goes on then. */
bool device_step_begin(struct guest_frame *frame, const struct touch *touch);

/* That instruction has been executed, or it has not and comes again: then the
 * device knows nothing of it. */
void device_step_end(struct guest_frame *frame, bool executed);

#endif
