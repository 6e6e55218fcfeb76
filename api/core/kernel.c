/* kernel.c - boot, and the one global pointer. */
#include "api/core/kernel.h"

#include <assert.h>

#include "api/hal/pmi.h"
#include "api/image/image.h"
#include "api/ke/interrupt.h"
#include "sim/machine/strand.h"

/* The WDK's signatures carry no context, so the kernel that runs is found
 * here, as in Windows. */
static struct kernel *current;

struct kernel *kernel_current(void)
{
    assert(current != NULL);
    return current;
}

void kernel_boot(
    struct kernel *kernel, struct machine *machine, enum os os, enum arch arch)
{
    struct rule_log rules = kernel->rules;
    struct spinlock_log spinlocks = kernel->spinlocks;
    uint32_t processors = machine->config.processors;

    assert(profile_exists(os, arch));
    image_release_all(kernel);
    pcw_release(&kernel->pcw);
    rules.count = 0;
    spinlocks.count = 0;
    *kernel = (struct kernel){
        .machine = machine,
        .os = &os_rows[os],
        .arch = &arch_rows[arch],
        .arch_id = arch,
        .rulings = rulings_default(),
        .rules = rules,
        .spinlocks = spinlocks,
        .bugcheck = {.code = BUGCHECK_NONE},
    };
    kernel->processor =
        arena_alloc(&machine->arena, processors * sizeof(*kernel->processor));
    assert(kernel->processor != NULL);
    current = kernel;
    if (kernel->arch->model != MODEL_NONE) {
        pmi_start(kernel);
    }
    interrupt_start(kernel);
}

void kernel_release(struct kernel *kernel)
{
    rule_log_release(&kernel->rules);
    image_release_all(kernel);
    spinlock_log_release(&kernel->spinlocks);
    pcw_release(&kernel->pcw);
    if (current == kernel) {
        current = NULL;
    }
}

struct cpu *kernel_cpu(struct kernel *kernel)
{
    struct strand *strand = strand_current(kernel->machine);

    assert(strand != NULL);
    return strand->cpu;
}

const struct driver *kernel_driver(struct kernel *kernel, struct cpu *cpu)
{
    const struct driver *handler_of = kernel_processor(kernel, cpu)->handler_of;

    return handler_of != NULL ? handler_of
                              : strand_current(kernel->machine)->owner;
}

struct processor *kernel_processor(struct kernel *kernel, const struct cpu *cpu)
{
    assert(cpu->index < kernel->machine->config.processors);
    return &kernel->processor[cpu->index];
}
