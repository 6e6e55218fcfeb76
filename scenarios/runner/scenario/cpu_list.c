/* cpu_list.c - the processors that a step or a probe names, in order. */
#include "scenarios/runner/scenario/cpu_list.h"

#include <assert.h>

static size_t range_size(const struct cpu_range *range)
{
    return (size_t)range->last - range->first + 1;
}

size_t cpu_list_count(const struct cpu_list *list)
{
    size_t count = 0;

    for (size_t i = 0; i < list->range_count; i++) {
        count += range_size(&list->range[i]);
    }
    return count;
}

uint32_t cpu_list_nth(const struct cpu_list *list, size_t n)
{
    const struct cpu_range *range = list->range;

    while (n >= range_size(range)) {
        n -= range_size(range);
        range++;
        assert(range < list->range + list->range_count);
    }
    return range->first + (uint32_t)n;
}
