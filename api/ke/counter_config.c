/* counter_config.c - decode, then replace the whole list (KHC-SET-06a). */
#include "api/ke/counter_config.h"

#include <stddef.h>
#include <string.h>

#include "api/exports.h"
#include "api/kernel.h"
#include "api/mm/copy.h"

/* KHC-SET-15 [C]: architecture, Count, pointer, element fields. Whether a
 * counter is in use needs threads, which this kernel does not have
 * (docs/fidelity.md), so nothing is. */
static NTSTATUS config_decode(struct counter_config *config,
    struct kernel *kernel, const HARDWARE_COUNTER *from, ULONG count)
{
    bool reserved = false;

    if (!kernel->arch->profiling) {
        return STATUS_NOT_IMPLEMENTED; /* KHC-SET-09 */
    }
    if (count > MAX_HW_COUNTERS) {
        return STATUS_INVALID_PARAMETER; /* KHC-SET-03 */
    }
    *config = (struct counter_config){.count = count};
    if (count > 0) { /* NULL is fine without elements (KHC-SET-04b [C]) */
        copy_in(kernel, ROUTINE_KeSetHardwareCounterConfiguration,
            config->counter, from, count * sizeof(*from));
    }
    for (ULONG i = 0; i < count; i++) {
        if (config->counter[i].Type != PMCCounter) {
            rule_warn(kernel, kernel_cpu(kernel), RULE_KHC_SET_TYPE,
                ROUTINE_KeSetHardwareCounterConfiguration);
            return STATUS_INVALID_PARAMETER; /* KHC-SET-13a [C] */
        }
        reserved |= config->counter[i].Reserved != 0;
    }
    if (reserved) { /* KHC-SET-13b [C] */
        rule_warn(kernel, kernel_cpu(kernel), RULE_KHC_SET_RESERVED,
            ROUTINE_KeSetHardwareCounterConfiguration);
    }
    return STATUS_SUCCESS;
}

NTSTATUS KeSetHardwareCounterConfiguration_body(
    PHARDWARE_COUNTER CounterArray, ULONG Count)
{
    struct kernel *kernel = kernel_current();
    struct counter_config config;
    NTSTATUS status = config_decode(&config, kernel, CounterArray, Count);

    if (NT_SUCCESS(status)) {
        kernel->config = config;
    }
    return status;
}

NTSTATUS KeQueryHardwareCounterConfiguration_body(
    PHARDWARE_COUNTER CounterArray, ULONG MaximumCount, PULONG Count)
{
    struct kernel *kernel = kernel_current();
    const struct counter_config *config = &kernel->config;
    size_t bytes = config->count * sizeof(*config->counter);
    enum routine routine = ROUTINE_KeQueryHardwareCounterConfiguration;

    if (!kernel->arch->profiling) {
        return STATUS_NOT_IMPLEMENTED; /* KHC-QRY-05a, KHC-QRY-05b [C] */
    }
    copy_probe(kernel, routine, Count, sizeof(*Count), true); /* KHC-QRY-13 */
    if (MaximumCount < config->count) {
        copy_out(kernel, routine, Count, &config->count, sizeof(*Count));
        return STATUS_BUFFER_TOO_SMALL; /* KHC-QRY-03a, KHC-QRY-03b [C] */
    }
    /* With nothing to write NULL is fine (KHC-QRY-06 [C]). */
    copy_out(kernel, routine, CounterArray, config->counter, bytes);
    copy_out(kernel, routine, Count, &config->count, sizeof(*Count));
    return STATUS_SUCCESS;
}
