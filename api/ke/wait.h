/* wait.h - how a thread waits inside of the kernel. */
#ifndef API_KE_WAIT_H
#define API_KE_WAIT_H

#include <stdbool.h>

struct kernel;
struct strand;

/* The running thread leaves its processor until the condition holds, which must
 * not change anything. Others may do anything meanwhile; below DISPATCH_LEVEL
 * it goes on when the processor is there, too. */
void wait_until(
    struct kernel *kernel, bool (*condition)(void *context), void *context);

/* For observers of a strand that has not come to its end: what its condition is
 * about; NULL: it does not wait here. */
const void *wait_context(const struct strand *strand);

#endif
