/* io.c - what the I/O manager's files share: records taken and given back, and
 * the end of the machine by one of its rules. */
#include "api/io/io.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "sim/base/arena.h"

_Noreturn void io_stop(struct kernel *kernel, enum rule rule,
    enum routine routine, const char *what)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = what}, {.value = irql_current(kernel, cpu)}};

    rule_stop(kernel, cpu, rule, routine, parameter);
}

void *record_take(struct kernel *kernel, struct record_pool *pool, size_t size,
    const char *what)
{
    void *record = pool->first;

    assert(size >= sizeof(pool->first));
    if (record == NULL) {
        return run_needs(
            kernel, arena_alloc_for_guest(&kernel->machine->arena, size), what);
    }
    memcpy(&pool->first, record, sizeof(pool->first));
    memset(record, 0, size);
    return record;
}

void record_give(struct record_pool *pool, void *record)
{
    assert(record != pool->first); /* given back once */
    memcpy(record, &pool->first, sizeof(pool->first));
    pool->first = record;
}
