/* bug_check_callback.h - the callbacks of drivers for bug checks, as they are
 * registered (BUG-03). Knows nothing of when they are called:
 * bug_check_dump.c. */
#ifndef API_BUG_BUG_CHECK_CALLBACK_H
#define API_BUG_BUG_CHECK_CALLBACK_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/nt/nt.h"
#include "sim/base/record_pool.h"

struct block_watcher;
struct driver;
struct kernel;
struct leak_source;

struct bug_check_callback {
    uint64_t record; /* address of the driver's */
    uint64_t routine;
    uint64_t buffer; /* of a plain one, as the next */
    uint32_t length;
    KBUGCHECK_CALLBACK_REASON reason; /* KbCallbackInvalid: a plain one */
    const struct driver *owner;
    uint64_t place; /* of the call that registered it; 0: unknown */
    uint32_t step;  /* of the actor's that did (struct thread) */
    bool freed;     /* the record's memory */
    bool removed;   /* while callbacks are called */
    bool reported;  /* as left behind */
    struct bug_check_callback *next, *previous; /* in order of registration */
};

struct bug_check_callbacks {
    struct bug_check_callback *first, *last;
    struct record_pool pool;
    jmp_buf *leaves; /* where one is left that is given up; NULL: none runs */
};

/* Whether they are linked both ways, and no record is there twice; asserts each
 * part. */
bool bug_check_callbacks_check(const struct bug_check_callbacks *callbacks);

/* The driver's record as it is now. Returns false when it is not there to be
 * read, or not as it was when it was registered. */
bool bug_check_callback_is_sound(
    struct kernel *kernel, const struct bug_check_callback *callback);

/* Sets State in the driver's record, which is sound. */
void bug_check_callback_set_state(
    const struct bug_check_callback *callback, UCHAR state);

/* Those that a driver has registered and left. */
extern const struct leak_source bug_check_callback_leaks;

/* Records whose memory is freed. */
extern const struct block_watcher bug_check_callback_block_watcher;

#endif
