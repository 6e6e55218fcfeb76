/* copy_text.h - text in a driver's memory that a routine reads: like copy_in(),
 * it may raise at the caller. */
#ifndef API_MM_COPY_TEXT_H
#define API_MM_COPY_TEXT_H

#include "api/core/guest_text.h"
#include "api/core/routine.h"

struct kernel;

/* The running kernel's reader: copy_in() on behalf of a routine, which raises
 * at the caller. `source` outlives it. */
struct copy_text_source {
    struct kernel *kernel;
    enum routine routine;
};
struct guest_reader copy_text_reader(struct copy_text_source *source);

/* The number of characters before the NUL, at most `most`; it may raise. */
size_t copy_text_length(struct kernel *kernel, enum routine routine,
    const void *address, size_t unit, size_t most);

#endif
