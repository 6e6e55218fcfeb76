/* cpu_list.h - the processors that a step or a probe names, in order. */
#ifndef RUNNER_SCENARIO_CPU_LIST_H
#define RUNNER_SCENARIO_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both ends are in it. */
struct cpu_range {
    uint32_t first, last;
};

struct cpu_list {
    const struct cpu_range *range;
    size_t range_count; /* 0: none is named, so it is whoever's it is */
    bool several; /* written as what may be more than one: all, 0-3, a list */
};

/* How many processors; 0 where none is named. */
size_t cpu_list_count(const struct cpu_list *list);

/* The n-th, counted from 0. */
uint32_t cpu_list_nth(const struct cpu_list *list, size_t n);

#endif
