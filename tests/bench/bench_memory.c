/* bench_memory.c - the family memory: blocks that come and go, more than there
 * are addresses. */
#include <assert.h>

#include "sim/memory/memory.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

#define ADDRESS UINT64_C(0x190000000000)

enum {
    PAGES = 16384,
    ROUND = PAGES / 2, /* blocks of a page and a guard */
    LIVE = 100,        /* at a time */
};

/* Of one block in that round. */
static double time_of_round(unsigned round)
{
    uint8_t *live[LIVE] = {0};
    struct memory memory;
    double start = 0;
    bool ready =
        memory_reserve(&memory, ADDRESS, (size_t)PAGES * MEMORY_PAGE_BYTES);

    assert(ready);
    (void)ready;
    for (size_t i = 0; i < (size_t)round * ROUND; i++) {
        uint8_t **block = &live[i % LIVE];

        if (i == (size_t)(round - 1) * ROUND) {
            start = stopwatch_ns();
        }
        if (*block != NULL) {
            memory_free(&memory, *block);
        }
        *block = memory_alloc(&memory, 64, 0);
        assert(*block != NULL);
    }
    start = stopwatch_ns() - start;
    memory_release(&memory);
    return start / ROUND;
}

double memory_block_of_round_9(void)
{
    return time_of_round(9);
}

double memory_block_of_round_1(void)
{
    return time_of_round(1);
}
