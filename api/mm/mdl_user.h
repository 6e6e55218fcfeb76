/* mdl_user.h - pages of an MDL shown in a program: each such mapping belongs to
 * the process that was current, and its driver unmaps it there (MDL-13a). Knows
 * nothing of system mappings. */
#ifndef API_MM_MDL_USER_H
#define API_MM_MDL_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/mm/mdl.h"

struct driver;
struct kernel;

/* What is asked for. */
struct mdl_user_request {
    enum routine routine;
    const MDL *at;
    MDL mdl; /* as it is there */
    bool read_only;
    uint64_t wanted; /* the address; 0: any */
};

/* Maps it into the current process: its address there, with the buffer's offset
 * in its page. Raises where it cannot (MDL-13d [C]). */
void *mdl_user_map(
    struct kernel *kernel, const struct mdl_user_request *request);

/* The mapping of that MDL at the address goes, if it is one of the current
 * process. False: no program has one there. */
bool mdl_user_unmap(
    struct kernel *kernel, enum routine routine, const MDL *at, uint64_t base);

/* The MDL's pages are unlocked or given back by that routine: a warning where a
 * program still has them mapped (MDL-13e [C]). */
void mdl_user_unlocked(
    struct kernel *kernel, enum routine routine, const struct mdl *mdl);

/* Nothing is kept of the MDL any more. */
void mdl_user_forget(struct kernel *kernel, const struct mdl *mdl);

/* A program has ended, and its memory with it (kernel_hooks). */
void mdl_user_process_ends(struct kernel *kernel, const struct driver *program);

#endif
