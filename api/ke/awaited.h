/* awaited.h - what a thread that does not go on waits for, and who has it, for
 * people. */
#ifndef API_KE_AWAITED_H
#define API_KE_AWAITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;
struct strand;

enum { AWAITED_BYTES = 400 };

/* What people call a step (struct thread), which is not 0. */
struct step_names {
    const char *(*of)(const void *context, uint32_t step);
    const void *context;
};

/* Writes "drvA waits for a fast mutex, which drvB took in step 3.drvB.1".
 * False: it is not known that the strand waits for a lock or an object. */
bool awaited_text(struct kernel *kernel, struct strand *strand,
    const struct step_names *steps, char *text, size_t size);

#endif
