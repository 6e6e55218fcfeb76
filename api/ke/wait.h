/* wait.h - how a thread waits inside of the kernel. */
#ifndef API_KE_WAIT_H
#define API_KE_WAIT_H

#include <stdbool.h>

struct kernel;

/* The running thread leaves its processor until the condition holds, which must
 * not change anything. Others may do anything meanwhile. */
void wait_until(
    struct kernel *kernel, bool (*condition)(void *context), void *context);

#endif
