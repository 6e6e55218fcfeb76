/* awaited.h - what a thread that does not go on waits for, and who has it, for
 * people. */
#ifndef API_KE_AWAITED_H
#define API_KE_AWAITED_H

#include <stdbool.h>
#include <stddef.h>

struct kernel;
struct strand;

enum { AWAITED_BYTES = 400 };

/* Writes "drvA waits for a fast mutex, which drvB took in step 4". False: it is
 * not known that the strand waits for a lock or an object. */
bool awaited_text(
    struct kernel *kernel, struct strand *strand, char *text, size_t size);

#endif
