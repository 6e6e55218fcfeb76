/* run_end.h - the end of a run that is no bug check: somebody needs what the
 * machine does not have, or a driver's code does not come back. */
#ifndef API_CORE_RUN_END_H
#define API_CORE_RUN_END_H

#include <stdbool.h>
#include <stddef.h>

struct kernel;
struct record_pool;

enum run_end_kind {
    RUN_GOES_ON,
    RUN_NOT_MODELLED, /* real, but the machine does not have it */
    RUN_TIMEOUT,      /* a driver's code did not come back in time */
};

enum { RUN_END_BYTES = 512 };

struct run_end {
    enum run_end_kind kind;
    char reason[RUN_END_BYTES]; /* for people, when it has ended */
};

/* Whether there is a reason exactly where it has ended; asserts that. */
bool run_end_check(const struct run_end *end);

/* Ends the machine; from code of a strand, the only kind that can need
 * something. */
__attribute__((format(printf, 3, 4))) _Noreturn void run_end_stop(
    struct kernel *kernel, enum run_end_kind kind, const char *format, ...);

/* `got`, a part of the machine's memory that is for `what`, such as "timers".
 * Where it is NULL the machine ends, for it has no memory left for them. */
void *run_needs(struct kernel *kernel, void *got, const char *what);

/* `size` zeroed bytes, which are not given back; and a record of the pool's.
 * Both are never NULL, as above. */
void *run_needs_memory(struct kernel *kernel, size_t size, const char *what);
void *record_take(struct kernel *kernel, struct record_pool *pool, size_t size,
    const char *what);

#endif
