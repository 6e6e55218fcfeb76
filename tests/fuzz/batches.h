/* batches.h - numbers tried in processes of their own, so that a crash is one
 * of its number and not the end. */
#ifndef TESTS_FUZZ_BATCHES_H
#define TESTS_FUZZ_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

struct batches {
    const char *program; /* that repeats a number: --seed S --one N */
    uint64_t seed;
    uint64_t *number;  /* shared: the one that a process is at */
    uint64_t *crashed; /* how many did */
    uint64_t end;
};

/* Calls run(work, end) in processes, which moves *number to end and does not
 * return. False when the host gives no process. */
bool batches_run(const struct batches *batches,
    void (*run)(void *work, uint64_t end), void *work);

/* Says which number it was, and how to repeat it. */
void batches_say_crash(
    const struct batches *batches, const char *what, int value);

#endif
