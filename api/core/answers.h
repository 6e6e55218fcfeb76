/* answers.h - routines that whoever runs the kernel answers for, in place of
 * Windows: what nobody models, or what is modelled otherwise. Drivers come to
 * them by name, as they come to any other. */
#ifndef API_CORE_ANSWERS_H
#define API_CORE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

enum {
    ANSWER_ARGUMENTS = 10
}; /* that an answer is given; there may be fewer */

struct answer {
    const char *name; /* each has another one */
    bool imported;    /* by a driver that was loaded, or asked for by name */
};

/* kernel->answers; whoever runs the kernel keeps it. */
struct answers {
    struct answer *item;
    size_t count;
    /* What the n-th does, on the strand that called it; it gives back the
     * result. */
    uint64_t (*give)(
        void *context, size_t n, const uint64_t argument[ANSWER_ARGUMENTS]);
    void *context;
};

/* What an answer stores for its caller. */
struct answer_store {
    const char *routine; /* NULL: nothing is stored */
    unsigned argument;   /* the pointer, from 1 */
    uint64_t at;         /* which is this */
    size_t size;
};

/* "4 bytes stored at Argument2 of NtpmuRoutine, 0x10"; "" of none. */
void answer_store_show(
    const struct answer_store *store, char *text, size_t size);

/* How many there are. */
size_t answers_count(const struct kernel *kernel);

/* The one of that name. Returns false when there is none. */
bool answers_find(const struct kernel *kernel, const char *name, size_t *n);

/* Calls the n-th between two preemption points, at any level, as long as [C]
 * says. Returns what it gives. */
uint64_t answers_call(
    struct kernel *kernel, size_t n, const uint64_t argument[ANSWER_ARGUMENTS]);

#endif
