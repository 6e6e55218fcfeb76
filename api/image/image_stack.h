/* image_stack.h - the calls that drivers' code is in (struct place_finder). */
#ifndef API_IMAGE_IMAGE_STACK_H
#define API_IMAGE_IMAGE_STACK_H

#include <stddef.h>
#include <stdint.h>

struct kernel;
struct place_call;
struct strand;

/* As place_callers() says. */
size_t image_callers(struct kernel *kernel, uint64_t *address, size_t most);

/* As place_stack() says. */
size_t image_stack(struct kernel *kernel, struct strand *strand,
    struct place_call *call, size_t most);

#endif
