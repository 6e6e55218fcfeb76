/* attach.h - stacks of devices: each stands on another one, and requests for
 * any of them come to the top (IO-47). */
#ifndef API_IO_ATTACH_H
#define API_IO_ATTACH_H

#include <stdbool.h>

struct io_device;
struct kernel;

/* The device on top of this one's stack, which may be itself. */
struct io_device *io_device_top(struct io_device *device);

/* Puts the source on top of the target's stack and returns what was there;
 * NULL: that is going away. */
struct io_device *io_device_attach(
    struct kernel *kernel, struct io_device *source, struct io_device *target);

/* What stands on the device does so no more. There is such a one. */
void io_device_detach(struct kernel *kernel, struct io_device *lower);

/* A file is opened: devices of the stack that do not have what the one below
 * them has break a rule, once each (IO-47a). */
void io_stack_judge(struct kernel *kernel, struct io_device *device);

#endif
