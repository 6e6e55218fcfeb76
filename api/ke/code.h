/* code.h - code that a driver gave by its address, an overflow handler or a
 * dispatch routine say: whether there is any, and calling it. */
#ifndef API_KE_CODE_H
#define API_KE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

enum { CODE_ARGUMENTS = 6 }; /* four in registers, two on the stack */

/* Who runs drivers' native code (kernel_hooks). */
struct code_source {
    /* Whether the address lies in a loaded image, code or not. */
    bool (*is_image)(struct kernel *kernel, uint64_t address);
    bool (*is_code)(struct kernel *kernel, uint64_t address);
    /* The name of the section that the address lies in, if that may be paged
     * out or is gone after DriverEntry; NULL: it stays. */
    const char *(*transient_section)(struct kernel *kernel, uint64_t address);
    /* Whether the image that the address lies in has FORCE_INTEGRITY. */
    bool (*is_checked)(struct kernel *kernel, uint64_t address);
    /* Through which drivers call the routine; 0: no code has needed it. */
    uint64_t (*thunk)(const struct kernel *kernel, enum routine routine);
    /* Calls it on the running strand and returns its RAX. */
    uint64_t (*call)(struct kernel *kernel, uint64_t address,
        const uint64_t argument[CODE_ARGUMENTS]);
};

/* Whether a driver has code at the address. */
bool code_is_at(struct kernel *kernel, uint64_t address);

/* Whether the address is a native driver's, so that a place can be named. */
bool code_is_native(struct kernel *kernel, uint64_t address);

/* The section of a native driver's code that is not there at every time, such
 * as PAGE or INIT; NULL: the code is always there. */
const char *code_transient_section(struct kernel *kernel, uint64_t address);

/* Whether there is code whose image says that it must be signed
 * (IMAGE_DLLCHARACTERISTICS_FORCE_INTEGRITY); that of an actor is as one that
 * does (PROC-20e [C]). */
bool code_is_checked(struct kernel *kernel, uint64_t address);

/* The address through which native code calls the routine; 0: there is no
 * native code. */
uint64_t code_of_routine(struct kernel *kernel, enum routine routine);

/* Calls it on the running strand and returns its RAX. Driver code is there. */
uint64_t code_call(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS]);

#endif
