/* place.h - where in a driver's code something happened, for people: image and
 * offset, and the function. Who loads images finds it. */
#ifndef API_CORE_PLACE_H
#define API_CORE_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct kernel;
struct strand;

enum {
    PLACE_BYTES = 160,
    PLACE_STACK = 64, /* as many calls as anybody wants to see of one thread */
};

/* One of the calls that a thread is in. */
struct place_call {
    uint64_t address; /* of a driver's native code; 0: another's */
    uint32_t step;    /* of the actor's that is no native code (struct thread);
                         0: native code is */
};

/* Who knows the code of drivers (kernel_hooks); each function does what the one
 * of its name below says. */
struct place_finder {
    uint64_t (*of_strand)(struct kernel *kernel, struct strand *strand);
    void (*name)(
        struct kernel *kernel, uint64_t address, char *text, size_t size);
    const char *(*function)(struct kernel *kernel, uint64_t address);
    size_t (*callers)(struct kernel *kernel, uint64_t *address, size_t most);
    size_t (*stack)(struct kernel *kernel, struct strand *strand,
        struct place_call *call, size_t most);
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

/* All of the calls that a strand's thread is in, which need not run: where the
 * driver's code is or has called the kernel, what called that, and so on
 * through all that the kernel has called, with the actors' steps between; the
 * innermost first, `most` of them and PLACE_STACK at the most. Returns how
 * many; 0: it has neither native code nor a step. */
size_t place_stack(struct kernel *kernel, struct strand *strand,
    struct place_call *call, size_t most);

#endif
