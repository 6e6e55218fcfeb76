/* handler_section.c - handlers in sections of a driver's image that
 * are not always there: HAL-OVF-12 [C]. */
#include "api/hal/handler_section.h"

#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/ke/code.h"

void handler_section_check(struct kernel *kernel, uint64_t handler)
{
    const enum routine routine = ROUTINE_HalAllocateHardwareCounters;
    const char *section = code_transient_section(kernel, handler);
    const struct bugcheck_parameter parameter[4] = {{.name = section}};
    struct cpu *cpu = kernel_cpu(kernel);

    if (section == NULL || ruling_is(kernel, RULED_HAL_OVF_12_silent)) {
        return;
    }
    if (ruling_is(kernel, RULED_HAL_OVF_12_fatal)) {
        rule_stop_with(kernel, cpu, RULE_HAL_ALLOC_HANDLER_PAGED, routine,
            place_current(kernel), BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION,
            parameter);
    }
    rule_warn_of(kernel, cpu, RULE_HAL_ALLOC_HANDLER_PAGED, routine,
        place_current(kernel), section);
}
