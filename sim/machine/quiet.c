/* quiet.c - the fast path's horizon: up to which cycle no other processor,
 * alarm or PMI can come between. */
#include "sim/machine/quiet.h"

#include <assert.h>

#include "sim/base/limits.h"
#include "sim/machine/pmi.h"

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The cycle behind the last one that is at most `time`, or before LIMIT_TIME.
 */
static uint64_t behind(uint64_t time)
{
    return earlier(time, LIMIT_TIME - 1) + 1;
}

/* The first cycle at which another processor goes first. */
static uint64_t rival_time(const struct cpu *cpu)
{
    struct order *order = &cpu->machine->order;
    uint32_t rival = order_rival(order, cpu->index);
    uint64_t time = order->rival.time;

    return cpu->index < rival ? behind(time) : time;
}

static uint64_t leads_until(const struct cpu *cpu)
{
    const struct machine *machine = cpu->machine;
    const struct strand *strand = machine->running;

    if (strand == NULL || strand->cpu != cpu || machine->budget == 0 ||
        machine->schedule != NULL) {
        return 0;
    }
    return earlier(
        behind(machine->alarm.time), earlier(rival_time(cpu), LIMIT_TIME));
}

void quiet_ask(struct cpu *cpu)
{
    cpu->leads = leads_until(cpu);
    cpu->quiet = cpu->machine->waiting.waiters != NULL ? 0 : quiet_until(cpu);
    if (cpu->leads != 0) {
        cpu->points = strand_points(cpu->machine, cpu->machine->running);
    }
}

__attribute__((noinline)) bool quiet_reaches(struct cpu *cpu, uint64_t time)
{
    if (cpu->machine->waiting.waiters != NULL) {
        return false;
    }
    quiet_ask(cpu);
    return time < cpu->quiet;
}

bool quiet_check(const struct cpu *cpu)
{
    /* Those that waited at the last question may be gone. */
    assert(cpu->quiet == 0 || cpu->quiet == quiet_until(cpu));
    assert(cpu->quiet == 0 || cpu->machine->waiting.waiters == NULL);
    if (cpu->leads != 0) {
        assert(cpu->leads <= leads_until(cpu));
        assert(
            cpu->points == strand_points(cpu->machine, cpu->machine->running));
    }
    return true;
}
