/* handler.c - a handler of a counter set as the HAL calls it, and its time. */
#include "api/hal/handler.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/hal/arbiter.h"

/* The address that the driver registered is not that of code. */
__attribute__((noinline)) static _Noreturn void stop_without_code(
    struct kernel *kernel, struct cpu *cpu, const struct counter_set *set)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "no code"}, {.value = irql_current(kernel, cpu)}};

    /* Not where the code was that the interrupt came upon. */
    rule_stop_at(kernel, cpu, RULE_HAL_HANDLER_NOT_CODE, ROUTINE_COUNT,
        set->place, parameter);
}

/* HAL-OVF-13 [C]. */
static bool took_too_long(const struct kernel *kernel, uint64_t cycles)
{
    return !ruling_is(kernel, RULED_HAL_OVF_13_unlimited) &&
           cycles > ruling_number(kernel, RULING_HAL_OVF_13) *
                        kernel->machine->config.pmu.mhz;
}

__attribute__((noinline)) static void warn_of_time(
    struct kernel *kernel, struct cpu *cpu, uint64_t handler, uint64_t cycles)
{
    char text[40];

    snprintf(text, sizeof(text), "%" PRIu64 " cycles", cycles);
    rule_warn_of(kernel, cpu, RULE_HAL_HANDLER_BUDGET, ROUTINE_COUNT,
        code_is_native(kernel, handler) ? handler : 0, text);
}

void handler_run(struct kernel *kernel, struct cpu *cpu,
    struct counter_set *set, const struct handler_kind *kind, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS])
{
    struct processor *processor = kernel_processor(kernel, cpu);
    const struct driver *interrupted = processor->handler_of;
    struct exception_frame *hidden;
    uint64_t began = cpu_own_time(cpu);

    if (!code_is_at(kernel, address)) {
        stop_without_code(kernel, cpu, set);
    }
    hidden = exception_hide(kernel);
    cpu_trace(cpu, &api_events[kind->enter], set->number,
        argument[kind->shown[0]], argument[kind->shown[1]]);
    processor->handler_of = set->owner;
    set->handlers++;
    assert(set->handlers <= kernel->machine->config.processors);
    code_call(kernel, address, argument);
    assert(kernel_cpu(kernel) == cpu && processor->handler_of == set->owner);
    assert(set->handlers > 0); /* or its memory is another set's by now */
    set->handlers--;
    processor->handler_of = interrupted;
    exception_show(kernel, hidden);
    cpu_trace(cpu, &api_events[kind->leave], set->number);
    if (took_too_long(kernel, cpu_own_time(cpu) - began)) {
        warn_of_time(kernel, cpu, address, cpu_own_time(cpu) - began);
    }
}
