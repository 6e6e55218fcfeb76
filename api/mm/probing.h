/* probing.h - which of a program's memory drivers have probed while they handle
 * its requests, and who touches what nobody has (IO-33c). Knows nothing of
 * requests. */
#ifndef API_MM_PROBING_H
#define API_MM_PROBING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "sim/base/record_pool.h"

struct kernel;
struct probed_range;
struct strand;

/* Of a request, from when a driver is called for it until it is over. */
struct probing {
    struct probing *next;
    const struct strand *strand; /* on which drivers are called; NULL: none */
    struct probed_range *ranges;
    bool closed; /* native code has been entered since: pages are closed */
};

struct probings {
    struct probing *first; /* that are not over */
    struct record_pool pool;
};

/* Drivers are called for it from here on, on the running strand. */
void probing_begin(struct kernel *kernel, struct probing *probing);

/* They have returned; what they probed is known until it is over. */
void probing_leave(struct kernel *kernel, struct probing *probing);
void probing_end(struct kernel *kernel, struct probing *probing);

/* Native code is entered: what programs have is closed to it, when it is called
 * for a request and has not been before. */
void probing_enter(struct kernel *kernel);

/* The running code has had these bytes checked. */
void probing_add(
    struct kernel *kernel, const volatile void *start, size_t size);

/* A routine touches bytes on behalf of the running code, which is judged. */
void probing_judge(struct kernel *kernel, enum routine routine,
    const void *start, size_t size);

/* Native code has touched the byte. Returns whether its page was closed, which
 * it is no more: the instruction may go on. */
bool probing_touched(struct kernel *kernel, uint64_t address);

/* Native code has touched what it may not: an address of programs' at which
 * nothing is is judged. */
void probing_stray(struct kernel *kernel, uint64_t address);

#endif
