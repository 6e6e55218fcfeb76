/* copy.h - the two places where a driver's memory is touched: on the way in,
 * before a routine has changed anything, and as its last act. Either may raise
 * an access violation and not return. */
#ifndef API_MM_COPY_H
#define API_MM_COPY_H

#include <stddef.h>

#include "api/core/guest_text.h"
#include "api/core/routine.h"

struct kernel;

/* Copies `size` bytes from the driver's `from`. */
void copy_in(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size);

/* Copies `size` bytes to the driver's `to`. All or nothing is written. */
void copy_out(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size);

/* The same as the driver's own thread does it later, below DISPATCH_LEVEL:
 * whatever the level is now, and `from` may be the driver's, too. */
void copy_out_later(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size);

/* Copies `size` bytes of the driver's to another place of the driver's, which
 * may overlap. */
void copy_move(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size);

/* Raises what touching `size` bytes at `address` would raise, if anything;
 * for a routine that must know before it commits. */
void copy_probe(struct kernel *kernel, enum routine routine,
    const void *address, size_t size, bool write);

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
