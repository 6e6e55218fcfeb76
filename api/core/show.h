/* show.h - values of NT types as text for people: names where there are names,
 * objects by their number, never an address. */
#ifndef API_CORE_SHOW_H
#define API_CORE_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

/* Who has names for values that mean nothing by themselves (kernel_hooks). Each
 * writes at most `size` bytes, with a NUL, and returns false when the value is
 * none of its own; NULL where it names none of the kind. */
struct show_namer {
    /* set#1 */
    bool (*handle)(
        struct kernel *kernel, uint64_t value, char *text, size_t size);
    /* image */
    bool (*address)(
        struct kernel *kernel, uint64_t value, char *text, size_t size);
};

enum { SHOW_VALUE_BYTES = 512, SHOW_CALL_BYTES = 512, SHOW_NAME_BYTES = 64 };

/* Each writes at most `size` bytes, with a NUL; what does not fit is cut. */

/* One value of `type` that lies at `at`, a structure with all its members. */
void show_value(struct kernel *kernel, enum nt_type type, const void *at,
    char *text, size_t size);

/* Whether reading these bytes of a driver's memory changes nothing. */
bool show_can_read(const struct kernel *kernel, const void *at, size_t size);

/* Name(argument, argument): pointers by what they point to. */
void show_call(struct kernel *kernel, enum routine routine,
    const uint64_t *argument, char *text, size_t size);

/* What it returns; nothing for VOID. */
void show_result(struct kernel *kernel, enum routine routine, uint64_t result,
    char *text, size_t size);

#endif
