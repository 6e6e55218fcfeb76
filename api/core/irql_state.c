/* irql_state.c - the level that a processor is at, and the numbers that levels
 * have on the architecture. */
#include "api/core/irql_state.h"

#include "api/core/kernel.h"

uint8_t irql_current(struct kernel *kernel, const struct cpu *cpu)
{
    return kernel_processor(kernel, cpu)->irql.current;
}

uint8_t irql_number(const struct kernel *kernel, enum irql_level level)
{
    return irql_level_number(level, kernel->arch_id);
}

bool irql_is_raised(struct kernel *kernel, const struct cpu *cpu)
{
    return irql_current(kernel, cpu) >=
           irql_number(kernel, LEVEL_DISPATCH_LEVEL);
}
