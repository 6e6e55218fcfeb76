/* place.h - where in a driver's code something happened, for people: image and
 * offset, and the function. Who loads images finds it. */
#ifndef API_CORE_PLACE_H
#define API_CORE_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct kernel;
struct strand;

enum { PLACE_BYTES = 160 };

/* Who knows the code of drivers (kernel_hooks); each function does what the one
 * of its name below says. */
struct place_finder {
    uint64_t (*of_strand)(struct kernel *kernel, struct strand *strand);
    void (*name)(
        struct kernel *kernel, uint64_t address, char *text, size_t size);
    const char *(*function)(struct kernel *kernel, uint64_t address);
    size_t (*callers)(struct kernel *kernel, uint64_t *address, size_t most);
};

/* The address of the driver's instruction that runs, or that made the kernel
 * call that runs; 0 when none of a driver's native code is involved. */
uint64_t place_current(struct kernel *kernel);

/* The same for a strand that need not run; NULL is none. */
uint64_t place_of_strand(struct kernel *kernel, struct strand *strand);

/* Writes "sampler.sys+0x1234 (OnOverflow+0x12)", or what else is known of the
 * address, cut to `size`. */
void place_name(
    struct kernel *kernel, uint64_t address, char *text, size_t size);

/* The name of the function that holds the address; NULL when it is unknown. */
const char *place_function(struct kernel *kernel, uint64_t address);

/* The instruction that made the kernel call that runs, then those that called
 * the functions that it is in, the innermost first, `most` of them at the most.
 * Returns how many; 0 when the call is none of a driver's native code. */
size_t place_callers(struct kernel *kernel, uint64_t *address, size_t most);

#endif
