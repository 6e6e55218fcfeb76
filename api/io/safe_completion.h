/* safe_completion.h - completion routines that IoSetCompletionRoutineEx has
 * set: until one has run, its driver stays (IO-43f). */
#ifndef API_IO_SAFE_COMPLETION_H
#define API_IO_SAFE_COMPLETION_H

#include "api/core/leaks.h"
#include "api/nt/nt.h"

struct io_request;
struct kernel;
struct safe_completion;

/* That of a location, which is the request's no more, for
 * safe_completion_end(). NULL: there is none. */
struct safe_completion *safe_completion_take(
    struct kernel *kernel, const struct io_request *request, CHAR location);

/* It has run, or was not to: its driver may go. NULL: nothing happens. */
void safe_completion_end(
    struct kernel *kernel, struct safe_completion *completion);

/* The request begins anew or is gone: routines that it still has are called by
 * nobody, and what they took is lost. */
void safe_completion_lost(
    struct kernel *kernel, const struct io_request *request);

/* Those that are set, and those that are lost. */
extern const struct leak_source safe_completion_leaks;

#endif
