/* pcw_register.c - PcwRegister and PcwUnregister: everything is read and
 * checked first, then the registration is made, which cannot fail. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/pcw/callback.h"
#include "api/pcw/pcw.h"
#include "api/pcw/registration.h"
#include "api/pcw/text.h"

enum {
    /* Up to Flags: all that a driver for version 1 has (PCW-REG-05). */
    VERSION_1_BYTES = 48,
    KNOWN_FLAGS = PcwRegistrationSiloNeutral,
    IDS = 0x10000,
    BITS = 8,
    SIZE_BITS = 32,
};

static const enum routine this_routine = ROUTINE_PcwRegister;

_Static_assert(VERSION_1_BYTES == offsetof(PCW_REGISTRATION_INFORMATION, Flags),
    "Flags came with version 2");

/* What the call is about, decoded. */
struct claim {
    PCW_REGISTRATION_INFORMATION info;
    struct guest_name name;
    struct pcw_counter *counter;
};

/* The last act: the handle, NULL on every failure (PCW-REG-14 [C]). */
static NTSTATUS answer(struct kernel *kernel, PPCW_REGISTRATION *to,
    uint64_t handle, NTSTATUS status)
{
    assert(NT_SUCCESS(status) || handle == 0);
    if (NT_SUCCESS(status) || !ruling_is(kernel, RULED_PCW_REG_14_untouched)) {
        copy_out(kernel, this_routine, to, &handle, sizeof(handle));
    }
    return status;
}

/* NULL where a pointer must be: PCW-REG-12a [C]. */
static NTSTATUS refuse_null(struct kernel *kernel, bool write, NTSTATUS status)
{
    if (!ruling_is(kernel, RULED_PCW_REG_12a_status)) {
        copy_probe(kernel, this_routine, NULL, sizeof(PVOID), write);
    }
    return status;
}

/* PCW-REG-04, PCW-REG-05: Flags, which are 0 in `info`, are read only where the
 * version has them. */
static NTSTATUS read_info(struct kernel *kernel,
    PPCW_REGISTRATION_INFORMATION from, PCW_REGISTRATION_INFORMATION *info)
{
    ULONG version;

    copy_in(kernel, this_routine, info, from, VERSION_1_BYTES);
    version = (ULONG)info->Version;
    if (version != PCW_VERSION_1 &&
        !(version == PCW_VERSION_2 && kernel->os->pcw_version_2)) {
        return STATUS_INVALID_PARAMETER_2;
    }
    if (version == PCW_VERSION_2) {
        copy_in(kernel, this_routine, &info->Flags, &from->Flags,
            sizeof(info->Flags));
    }
    return ((ULONG)info->Flags & ~(ULONG)KNOWN_FLAGS) != 0
               ? STATUS_INVALID_PARAMETER_2
               : STATUS_SUCCESS;
}

/* PCW-REG-03, PCW-REG-08b [C]. */
static NTSTATUS read_name(struct kernel *kernel, struct claim *claim)
{
    const UNICODE_STRING *from = claim->info.Name;

    if (from == NULL && ruling_is(kernel, RULED_PCW_REG_08b_status)) {
        return STATUS_INVALID_PARAMETER_2;
    }
    guest_name_read(kernel, this_routine, from, &claim->name);
    if (claim->name.length == 0 || guest_name_is_odd(&claim->name)) {
        return STATUS_INVALID_PARAMETER_2;
    }
    guest_name_read_text(kernel, this_routine, &claim->name);
    return STATUS_SUCCESS;
}

/* PCW-REG-06a; how many are too many is PCW-REG-06b [C]: where the size of all
 * that is kept leaves 32 bits. */
static bool are_too_many(struct kernel *kernel, const struct claim *claim)
{
    uint64_t bytes =
        (uint64_t)claim->info.CounterCount * sizeof(PCW_COUNTER_DESCRIPTOR) +
        sizeof(PCW_REGISTRATION_INFORMATION) + claim->name.length;

    if (ruling_is(kernel, RULED_PCW_REG_06b_number)) {
        return claim->info.CounterCount >
               ruling_number(kernel, RULING_PCW_REG_06b);
    }
    return bytes >> SIZE_BITS != 0;
}

static bool has_odd_size(const struct claim *claim)
{
    for (ULONG i = 0; i < claim->info.CounterCount; i++) {
        uint16_t size = claim->counter[i].size;

        if (size != sizeof(uint32_t) && size != sizeof(uint64_t)) {
            return true;
        }
    }
    return false;
}

static bool has_id_twice(const struct claim *claim)
{
    uint8_t seen[IDS / BITS] = {0};

    for (ULONG i = 0; i < claim->info.CounterCount; i++) {
        uint16_t id = claim->counter[i].id;
        uint8_t bit = (uint8_t)(1u << id % BITS);

        if ((seen[id / BITS] & bit) != 0) {
            return true;
        }
        seen[id / BITS] |= bit;
    }
    return false;
}

/* PCW-REG-13 [C]. */
static NTSTATUS check_counters(struct kernel *kernel, const struct claim *claim)
{
    bool size = has_odd_size(claim), twice = has_id_twice(claim);

    if ((size || twice) && ruling_is(kernel, RULED_PCW_REG_13_reject)) {
        return STATUS_INVALID_PARAMETER_2;
    }
    if (ruling_is(kernel, RULED_PCW_REG_13_silent)) {
        return STATUS_SUCCESS;
    }
    if (twice) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_PCW_REGISTER_SAME_ID,
            this_routine);
    }
    if (size) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_PCW_REGISTER_SIZE, this_routine);
    }
    return STATUS_SUCCESS;
}

/* Layouts are the same, so that the descriptors are copied as they are. */
_Static_assert(sizeof(struct pcw_counter) == sizeof(PCW_COUNTER_DESCRIPTOR),
    "a counter is its descriptor");

static NTSTATUS read_counters(struct kernel *kernel, struct claim *claim)
{
    ULONG count = claim->info.CounterCount;
    size_t bytes = (size_t)count * sizeof(*claim->counter);

    if (are_too_many(kernel, claim)) {
        return STATUS_INTEGER_OVERFLOW;
    }
    if (count == 0 && ruling_is(kernel, RULED_PCW_REG_12b_reject)) {
        return STATUS_INVALID_PARAMETER_2;
    }
    if (count > 0 && claim->info.Counters == NULL) {
        return refuse_null(kernel, false, STATUS_INVALID_PARAMETER_2);
    }
    /* Before memory is taken for them: this may raise. */
    copy_probe(kernel, this_routine, claim->info.Counters, bytes, false);
    claim->counter = pcw_alloc(bytes);
    copy_in(kernel, this_routine, claim->counter, claim->info.Counters, bytes);
    return check_counters(kernel, claim);
}

static NTSTATUS decode(struct kernel *kernel,
    PPCW_REGISTRATION_INFORMATION from, struct claim *claim)
{
    NTSTATUS status = read_info(kernel, from, &claim->info);

    if (NT_SUCCESS(status)) {
        status = read_name(kernel, claim);
    }
    return NT_SUCCESS(status) ? read_counters(kernel, claim) : status;
}

/* What was captured (PCW-REG-02). */
static struct pcw_description describe(const struct claim *claim)
{
    size_t bytes = claim->name.length;
    uint16_t *name = pcw_alloc(bytes);

    assert(bytes == claim->name.text.length * sizeof(*name));
    memcpy(name, claim->name.text.at, bytes);
    return (struct pcw_description){
        .name = {name, claim->name.text.length},
        .units = name,
        .counter = claim->counter,
        .counter_count = claim->info.CounterCount,
        .callback = (uint64_t)(uintptr_t)claim->info.Callback,
        .context = (uint64_t)(uintptr_t)claim->info.CallbackContext,
        .silo_neutral = claim->info.Flags == PcwRegistrationSiloNeutral,
    };
}

NTSTATUS PcwRegister_body(
    PPCW_REGISTRATION *Registration, PPCW_REGISTRATION_INFORMATION Info)
{
    struct kernel *kernel = kernel_current();
    struct claim claim = {.counter = NULL};
    NTSTATUS status;

    if (Registration == NULL) {
        return refuse_null(kernel, true, STATUS_INVALID_PARAMETER_1);
    }
    copy_probe(kernel, this_routine, Registration, sizeof(*Registration), true);
    if (Info == NULL) {
        status = refuse_null(kernel, false, STATUS_INVALID_PARAMETER_2);
        return answer(kernel, Registration, 0, status);
    }
    status = decode(kernel, Info, &claim);
    if (!NT_SUCCESS(status) || kernel->pcw->not_ready) { /* PCW-REG-15 */
        free(claim.counter);
        return answer(kernel, Registration, 0, status);
    }
    if (pcw_text_is_blank(claim.name.text)) { /* there is no status for it */
        rule_warn(kernel, kernel_cpu(kernel), RULE_PCW_REGISTER_BLANK_NAME,
            this_routine);
    }
    return answer(kernel, Registration,
        pcw_registration_new(kernel, describe(&claim),
            kernel_driver(kernel, kernel_cpu(kernel)), place_current(kernel))
            ->handle,
        STATUS_SUCCESS);
}

NTSTATUS PcwRegister_failed(PVOID output, NTSTATUS status)
{
    struct kernel *kernel = kernel_current();

    assert(!NT_SUCCESS(status));
    return output == NULL
               ? refuse_null(kernel, true, STATUS_INVALID_PARAMETER_1)
               : answer(kernel, output, 0, status);
}

/* PCW-UNR-04 [C]. */
static void refuse_handle(struct kernel *kernel, PPCW_REGISTRATION handle)
{
    struct cpu *cpu = kernel_cpu(kernel);
    enum rule rule =
        handle == NULL ? RULE_PCW_UNREGISTER_NULL : RULE_PCW_UNREGISTER_STALE;
    const struct bugcheck_parameter parameter[4] = {
        {.value = (uint64_t)(uintptr_t)handle}};

    if (ruling_is(kernel, RULED_PCW_UNR_04_event)) {
        rule_report(kernel, cpu, rule, ROUTINE_PcwUnregister);
        return;
    }
    rule_stop(kernel, cpu, rule, ROUTINE_PcwUnregister, parameter);
}

VOID PcwUnregister_body(PPCW_REGISTRATION Registration)
{
    struct kernel *kernel = kernel_current();
    struct pcw_registration *registration;

    pcw_handle_closing(
        kernel->pcw, PCW_REGISTRATION, (uint64_t)(uintptr_t)Registration);
    registration = pcw_handle_object(
        kernel->pcw, PCW_REGISTRATION, (uint64_t)(uintptr_t)Registration);
    if (registration == NULL) {
        refuse_handle(kernel, Registration);
        return;
    }
    assert(pcw_registration_check(registration, kernel->pcw));
    if (pcw_runs_callback_of(kernel, registration) &&
        !ruling_is(kernel, RULED_PCW_UNR_03_no_wait)) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = registration->handle}};

        rule_stop(kernel, kernel_cpu(kernel), RULE_PCW_UNREGISTER_INSIDE,
            ROUTINE_PcwUnregister, parameter);
    }
    pcw_registration_end(kernel, registration);
}
