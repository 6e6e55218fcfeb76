/* counter_config.c - KeSetHardwareCounterConfiguration and
 * KeQueryHardwareCounterConfiguration: decode, then replace the whole list
 * (KHC-SET-06a). */
#include "api/ps/counter_config.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/hal/arbiter.h"
#include "api/hal/pmu.h"
#include "api/mm/copy.h"
#include "api/ps/profiling.h"
#include "sim/base/bits.h"

static bool config_check(const struct counter_config *config)
{
    return config->count <= MAX_HW_COUNTERS;
}

/* KHC-SET-09, and KHC-ARCH-01, KHC-ARCH-02 and KHC-SET-17b, all [C]. */
static bool is_implemented(const struct kernel *kernel)
{
    bool pc = kernel->arch_id == ARCH_X86 || kernel->arch_id == ARCH_X64;

    if (kernel_is_virtual(kernel) &&
        ruling_is(kernel, RULED_KHC_SET_17b_not_implemented)) {
        return false;
    }
    if (pc && kernel->os != &os_rows[OS_WIN7] &&
        ruling_is(kernel, RULED_KHC_ARCH_01_not_implemented)) {
        return false;
    }
    return kernel->arch->profiling ||
           (kernel->arch_id == ARCH_ARM32 &&
               ruling_is(kernel, RULED_KHC_ARCH_02_implemented));
}

/* The HAL's bit of the counter that an Index of x64 selects, as RDPMC would
 * (KHC-TYPE-05); 0: of none. */
static uint64_t counter_bit(ULONG64 index)
{
    const ULONG64 fixed = 0x40000000;

    if (index < 32) {
        return bit((unsigned)index);
    }
    return index >= fixed && index - fixed < 32
               ? bit((unsigned)(32 + index - fixed))
               : 0;
}

/* Whether a set holds the counter on any processor; where the machine has no
 * PMU nobody can. */
static bool is_owned(const struct kernel *kernel, ULONG64 index)
{
    return kernel->pmu->counters == 0 ||
           holders_any(&kernel->arbiter->holders, counter_bit(index));
}

/* What is odd about an array and lets it through, each once. */
struct config_notes {
    bool reserved, duplicate, unowned;
};

static void note_element(struct config_notes *notes,
    const struct kernel *kernel, const struct counter_config *config, ULONG n)
{
    const HARDWARE_COUNTER *counter = &config->counter[n];

    assert(n < config->count);
    notes->reserved |= counter->Reserved != 0;
    notes->unowned |= !is_owned(kernel, counter->Index);
    for (ULONG i = 0; i < n; i++) {
        notes->duplicate |= config->counter[i].Index == counter->Index;
    }
}

static void warn(struct kernel *kernel, enum rule rule)
{
    rule_warn(kernel, kernel_cpu(kernel), rule,
        ROUTINE_KeSetHardwareCounterConfiguration);
}

/* KHC-SET-13b, KHC-SET-13c and KHC-SET-11b, all [C]. */
static NTSTATUS judge(const struct config_notes *notes, struct kernel *kernel)
{
    if (notes->reserved && ruling_is(kernel, RULED_KHC_SET_13b_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (notes->reserved && !ruling_is(kernel, RULED_KHC_SET_13b_silent)) {
        warn(kernel, RULE_KHC_SET_RESERVED);
    }
    if (notes->duplicate && ruling_is(kernel, RULED_KHC_SET_13c_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (notes->duplicate && ruling_is(kernel, RULED_KHC_SET_13c_event)) {
        warn(kernel, RULE_KHC_SET_DUPLICATE);
    }
    if (notes->unowned && !ruling_is(kernel, RULED_KHC_SET_11b_silent)) {
        warn(kernel, RULE_KHC_SET_UNOWNED);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS check_elements(
    const struct counter_config *config, struct kernel *kernel)
{
    struct config_notes notes = {0};

    for (ULONG i = 0; i < config->count; i++) {
        if (config->counter[i].Type != PMCCounter &&
            !ruling_is(kernel, RULED_KHC_SET_13a_accept)) {
            warn(kernel, RULE_KHC_SET_TYPE);
            return STATUS_INVALID_PARAMETER; /* KHC-SET-13a [C] */
        }
        note_element(&notes, kernel, config, i);
    }
    return judge(&notes, kernel);
}

/* CounterArray NULL: KHC-SET-04b and KHC-SET-04c, both [C]. */
static NTSTATUS check_null(struct kernel *kernel, ULONG count)
{
    if (count > 0 && ruling_is(kernel, RULED_KHC_SET_04c_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (count > 0 || ruling_is(kernel, RULED_KHC_SET_04b_fault)) {
        copy_probe(kernel, ROUTINE_KeSetHardwareCounterConfiguration, NULL,
            sizeof(HARDWARE_COUNTER), false);
    }
    return STATUS_SUCCESS;
}

/* While something is counted for a thread: KHC-SET-07, KHC-SET-14a,
 * KHC-SET-14b, KHC-SET-20, the last three [C]. */
static NTSTATUS check_use(
    struct kernel *kernel, const struct counter_config *config)
{
    if (!profiling_is_on(kernel)) {
        return STATUS_SUCCESS;
    }
    if (ruling_is(kernel, RULED_KHC_SET_20_fatal)) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = "thread profiling is enabled"}};

        rule_stop_with(kernel, kernel_cpu(kernel), RULE_KHC_SET_PROFILING,
            ROUTINE_KeSetHardwareCounterConfiguration, place_current(kernel),
            BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION, parameter);
    }
    if (!ruling_is(kernel, RULED_KHC_SET_20_silent)) {
        warn(kernel, RULE_KHC_SET_PROFILING);
    }
    return profiling_uses(kernel, config) ||
                   ruling_is(kernel, RULED_KHC_SET_14b_reject)
               ? STATUS_WMI_ALREADY_ENABLED
               : STATUS_SUCCESS;
}

static NTSTATUS check_fields_and_use(
    struct counter_config *config, struct kernel *kernel)
{
    bool first = ruling_is(kernel, RULED_KHC_SET_15_in_use_first);
    NTSTATUS status =
        first ? check_use(kernel, config) : check_elements(config, kernel);

    if (NT_SUCCESS(status)) {
        status =
            first ? check_elements(config, kernel) : check_use(kernel, config);
    }
    return status;
}

/* KHC-SET-15 [C]: architecture, Count, pointer, element fields, what is in
 * use. */
static NTSTATUS config_decode(struct counter_config *config,
    struct kernel *kernel, const HARDWARE_COUNTER *from, ULONG count)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (!is_implemented(kernel)) {
        return STATUS_NOT_IMPLEMENTED;
    }
    if (count > MAX_HW_COUNTERS) {
        return STATUS_INVALID_PARAMETER; /* KHC-SET-03 */
    }
    if (from == NULL) {
        status = check_null(kernel, count);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    *config = (struct counter_config){.count = count};
    if (count > 0) {
        copy_in(kernel, ROUTINE_KeSetHardwareCounterConfiguration,
            config->counter, from, count * sizeof(*from));
    }
    return check_fields_and_use(config, kernel);
}

NTSTATUS KeSetHardwareCounterConfiguration_body(
    PHARDWARE_COUNTER CounterArray, ULONG Count)
{
    struct kernel *kernel = kernel_current();
    struct counter_config config;
    NTSTATUS status = config_decode(&config, kernel, CounterArray, Count);

    if (NT_SUCCESS(status)) {
        assert(config_check(&config));
        assert(config.count == Count); /* all of it, or nothing */
        *kernel->config = config;
    }
    return status;
}

static const enum routine query = ROUTINE_KeQueryHardwareCounterConfiguration;

/* KHC-QRY-05a; *Count is untouched (KHC-QRY-05b [C]). */
static NTSTATUS answer_not_implemented(struct kernel *kernel, PULONG count)
{
    const ULONG none = 0;

    if (ruling_is(kernel, RULED_KHC_QRY_05b_zero)) {
        copy_out(kernel, query, count, &none, sizeof(none));
    }
    return STATUS_NOT_IMPLEMENTED;
}

/* KHC-QRY-03a, in elements (KHC-QRY-03b [C]). */
static NTSTATUS answer_too_small(struct kernel *kernel, PULONG count)
{
    ULONG length = kernel->config->count;

    assert(length > 0); /* none fits into every array */
    if (ruling_is(kernel, RULED_KHC_QRY_03b_bytes)) {
        length *= (ULONG)sizeof(HARDWARE_COUNTER);
    }
    copy_out(kernel, query, count, &length, sizeof(length));
    return STATUS_BUFFER_TOO_SMALL;
}

/* What is looked at before the size: nothing, unless KHC-QRY-06, KHC-QRY-12 or
 * KHC-QRY-13, all [C], is flipped. */
static void probe_array(
    struct kernel *kernel, const HARDWARE_COUNTER *array, ULONG maximum)
{
    ULONG count = kernel->config->count;
    bool null_raises = ruling_is(
        kernel, count == 0 ? RULED_KHC_QRY_06_fault : RULED_KHC_QRY_12_fault);

    if (array == NULL && null_raises && (count == 0 || maximum == 0)) {
        copy_probe(kernel, query, NULL, sizeof(*array), true);
    }
    if (ruling_is(kernel, RULED_KHC_QRY_13_pointer_first)) {
        copy_probe(kernel, query, array,
            (maximum < count ? maximum : count) * sizeof(*array), true);
    }
}

/* Elements as stored (KHC-QRY-08 [C]). */
static NTSTATUS answer_all(
    struct kernel *kernel, PHARDWARE_COUNTER array, PULONG count)
{
    struct counter_config config = *kernel->config;

    assert(config_check(&config));
    if (array == NULL && config.count > 0 &&
        ruling_is(kernel, RULED_KHC_QRY_07_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    for (ULONG i = 0; i < config.count; i++) {
        if (ruling_is(kernel, RULED_KHC_QRY_08_zero)) {
            config.counter[i].Reserved = 0;
        }
    }
    copy_out(kernel, query, array, config.counter,
        config.count * sizeof(*config.counter));
    copy_out(kernel, query, count, &config.count, sizeof(config.count));
    return STATUS_SUCCESS;
}

NTSTATUS KeQueryHardwareCounterConfiguration_body(
    PHARDWARE_COUNTER CounterArray, ULONG MaximumCount, PULONG Count)
{
    struct kernel *kernel = kernel_current();

    if (!is_implemented(kernel)) {
        return answer_not_implemented(kernel, Count);
    }
    if (Count == NULL && ruling_is(kernel, RULED_KHC_QRY_07_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    copy_probe(kernel, query, Count, sizeof(*Count), true); /* KHC-QRY-13 */
    probe_array(kernel, CounterArray, MaximumCount);
    if (MaximumCount < kernel->config->count) {
        return answer_too_small(kernel, Count);
    }
    return answer_all(kernel, CounterArray, Count);
}
