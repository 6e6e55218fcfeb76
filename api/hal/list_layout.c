/* list_layout.c - resource lists of drivers whose headers have the layout of
 * Windows 7: HAL-TYPE-06 [C]. */
#include "api/hal/list_layout.h"

#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"

void list_layout_check(struct kernel *kernel)
{
    const enum routine routine = ROUTINE_HalAllocateHardwareCounters;
    struct cpu *cpu = kernel_cpu(kernel);
    const struct driver *driver = kernel_driver(kernel, cpu);
    const struct bugcheck_parameter parameter[4] = {{.name = "resource list"}};

    if (driver == NULL || !driver->old_headers ||
        ruling_is(kernel, RULED_HAL_TYPE_06_silent)) {
        return;
    }
    if (ruling_is(kernel, RULED_HAL_TYPE_06_fatal)) {
        rule_stop_with(kernel, cpu, RULE_HAL_ALLOC_OLD_LAYOUT, routine,
            place_current(kernel), BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION,
            parameter);
    }
    rule_warn(kernel, cpu, RULE_HAL_ALLOC_OLD_LAYOUT, routine);
}
