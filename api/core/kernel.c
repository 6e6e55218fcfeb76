/* kernel.c - which kernel runs, and on which processor and for which driver. */
#include "api/core/kernel.h"

#include <assert.h>

#include "api/core/leaks.h"
#include "sim/machine/strand.h"

/* The WDK's signatures carry no context, so the kernel that runs is found
 * here, as in Windows. */
static struct kernel *current;

struct kernel *kernel_current(void)
{
    assert(current != NULL);
    return current;
}

bool kernel_check(const struct kernel *kernel)
{
    const struct machine *machine = kernel->machine;

    assert(kernel->arch == &arch_rows[kernel->arch_id]);
    assert(profile_exists((enum os)(kernel->os - os_rows), kernel->arch_id));
    assert(machine->topology.processors <= machine->config.processors);
    assert(rulings_check(&kernel->rulings));
    assert(rule_log_check(&kernel->rules));
    assert(run_end_check(&kernel->end));
    assert(leaks_check_sources(kernel->hooks->leaks));
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        assert(irql_state_check(kernel, &kernel->processor[i].irql));
        assert(machine->cpu[i].local == &kernel->processor[i]);
    }
    return true;
}

void kernel_enter(struct kernel *kernel)
{
    current = kernel;
}

void kernel_leave(const struct kernel *kernel)
{
    if (current == kernel) {
        current = NULL;
    }
}

bool kernel_is_virtual(const struct kernel *kernel)
{
    return kernel->machine->config.virtualized != VIRTUALIZED_NOT;
}

const struct driver *kernel_driver(struct kernel *kernel, struct cpu *cpu)
{
    const struct driver *handler_of = kernel_processor(kernel, cpu)->handler_of;

    assert(cpu == kernel_cpu(kernel)); /* not where a thread was that moved */
    return handler_of != NULL ? handler_of
                              : strand_current(kernel->machine)->owner;
}
