/* io.c - what the I/O manager's files share: the end of the machine by one of
 * its rules. */
#include "api/io/io.h"

#include "api/core/kernel.h"

_Noreturn void io_stop(struct kernel *kernel, enum rule rule,
    enum routine routine, const char *what)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = what}, {.value = irql_current(kernel, cpu)}};

    rule_stop(kernel, cpu, rule, routine, parameter);
}
