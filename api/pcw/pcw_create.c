/* pcw_create.c - PcwCreateInstance and PcwCloseInstance. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/pcw/buffer.h"
#include "api/pcw/instance.h"
#include "api/pcw/refusal.h"
#include "api/pcw/text.h"

enum { SIZE_BITS = 32 };

static const enum routine this_routine = ROUTINE_PcwCreateInstance;

/* What the call is about, decoded. */
struct claim {
    struct pcw_registration *registration;
    struct guest_name name;
    uint32_t hash;           /* of the name */
    struct pcw_block *block; /* as many as the registration's structures */
};

/* The last act: the handle, NULL on every failure (PCW-CRE-10b [C]). */
static NTSTATUS answer(
    struct kernel *kernel, PPCW_INSTANCE *to, uint64_t handle, NTSTATUS status)
{
    assert(NT_SUCCESS(status) == (handle != 0));
    if (!NT_SUCCESS(status)) {
        pcw_refused(kernel, this_routine, status);
    }
    if (NT_SUCCESS(status) || !ruling_is(kernel, RULED_PCW_CRE_10b_untouched)) {
        copy_out(kernel, this_routine, to, &handle, sizeof(handle));
    }
    return status;
}

/* NULL where a pointer must be: PCW-CRE-10a, PCW-CRE-02b, both [C]. */
static NTSTATUS refuse_null(
    struct kernel *kernel, enum ruled flipped, bool write, NTSTATUS status)
{
    if (!ruling_is(kernel, flipped)) {
        copy_probe(kernel, this_routine, NULL, sizeof(PVOID), write);
    }
    return status;
}

/* PCW-CRE-01, PCW-CRE-19 [C]; NULL is what a PcwRegister that failed, or came
 * too early, leaves (PCW-REG-15). */
static NTSTATUS find_registration(
    struct kernel *kernel, PPCW_REGISTRATION handle, struct claim *claim)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.value = (uint64_t)(uintptr_t)handle}};

    if (handle == NULL) {
        rule_warn(kernel, cpu, RULE_PCW_REGISTRATION_NULL, this_routine);
        return refuse_null(kernel, RULED_PCW_CRE_10a_status, false,
            STATUS_INVALID_PARAMETER_2);
    }
    claim->registration = pcw_handle_object(
        kernel->pcw, PCW_REGISTRATION, (uint64_t)(uintptr_t)handle);
    if (claim->registration != NULL) {
        return STATUS_SUCCESS;
    }
    if (!ruling_is(kernel, RULED_PCW_CRE_19_status)) {
        rule_stop(kernel, cpu, RULE_PCW_CREATE_STALE, this_routine, parameter);
    }
    return STATUS_INVALID_PARAMETER_2;
}

/* PCW-CRE-02a to PCW-CRE-03b. */
static NTSTATUS read_name(
    struct kernel *kernel, PCUNICODE_STRING from, struct claim *claim)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct guest_name *name = &claim->name;

    if (from == NULL) {
        return refuse_null(kernel, RULED_PCW_CRE_02b_status, false,
            STATUS_INVALID_PARAMETER_3);
    }
    guest_name_read(kernel, this_routine, from, name);
    if (guest_name_is_odd(name)) {
        if (ruling_is(kernel, RULED_PCW_CRE_02c_reject)) {
            return STATUS_INVALID_PARAMETER_3;
        }
        if (!ruling_is(kernel, RULED_PCW_CRE_02c_silent)) {
            rule_warn(kernel, cpu, RULE_PCW_INSTANCE_ODD_NAME, this_routine);
        }
    }
    guest_name_read_text(kernel, this_routine, name);
    claim->hash = pcw_text_hash(name->text);
    if (name->length == 0 && ruling_is(kernel, RULED_PCW_CRE_03b_event)) {
        rule_warn(kernel, cpu, RULE_PCW_INSTANCE_NO_NAME, this_routine);
    }
    return STATUS_SUCCESS;
}

/* PCW-CRE-06a; the bound is PCW-CRE-06b [C]: a pointer and a ULONG, which is as
 * long with padding, whatever the host's PCW_DATA is (GEN-ARCH-01 [C]). */
static NTSTATUS check_overflow(struct kernel *kernel, ULONG count)
{
    uint32_t element = 2 * kernel->arch->pointer_bytes;
    bool over = (uint64_t)count * element >> SIZE_BITS != 0;

    if (ruling_is(kernel, RULED_PCW_CRE_06b_number)) {
        over = count > ruling_number(kernel, RULING_PCW_CRE_06b);
    }
    return over ? STATUS_INTEGER_OVERFLOW : STATUS_SUCCESS;
}

/* PCW-CRE-04a to PCW-CRE-04d. */
static NTSTATUS check_fit(struct kernel *kernel,
    const struct pcw_registration *registration, ULONG count)
{
    uint32_t needed = registration->structures;

    if (registration->description.counter_count == 0) {
        return count != 0 && ruling_is(kernel, RULED_PCW_CRE_04d_zero)
                   ? STATUS_INVALID_PARAMETER_4
                   : STATUS_SUCCESS;
    }
    return count < needed || (count != needed &&
                                 ruling_is(kernel, RULED_PCW_CRE_04b_equal))
               ? STATUS_INVALID_PARAMETER_4
               : STATUS_SUCCESS;
}

/* The order is PCW-CRE-06c [C]. */
static NTSTATUS check_count(struct kernel *kernel,
    const struct pcw_registration *registration, ULONG count)
{
    NTSTATUS overflow = check_overflow(kernel, count);
    NTSTATUS fit = check_fit(kernel, registration, count);

    if (ruling_is(kernel, RULED_PCW_CRE_06c_count_first)) {
        return NT_SUCCESS(fit) ? overflow : fit;
    }
    return NT_SUCCESS(overflow) ? fit : overflow;
}

/* What is wrong with where it lies (PCW-CRE-18 [C]); RULE_COUNT: nothing, it is
 * memory of a kind that stays what it is. */
static enum rule find_fault(
    struct kernel *kernel, const struct pcw_block *block)
{
    const struct memory *memory = &kernel->machine->memory;
    const uint8_t *start = (const uint8_t *)(uintptr_t)block->address;
    const struct memory_block *near = memory_near(memory, start);

    if (near == NULL || start < near->start ||
        start >= near->start + near->size) {
        return RULE_PCW_BLOCK_PLACE;
    }
    if (near->freed) {
        return RULE_PCW_BLOCK_STALE;
    }
    if (pcw_ends_early(near, start, block->size)) {
        return RULE_PCW_BLOCK_SHORT;
    }
    return memory_allows(memory, start, block->size, MEMORY_READ)
               ? RULE_COUNT
               : RULE_PCW_BLOCK_PLACE;
}

static void report_fault(struct kernel *kernel, enum rule rule)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "data block of an instance"}};

    /* The ruling is about memory that may be there (PCW-CRE-18). */
    if (rule != RULE_PCW_BLOCK_PLACE) {
        rule_warn(kernel, cpu, rule, this_routine);
    } else if (ruling_is(kernel, RULED_PCW_CRE_18_fatal)) {
        rule_stop_with(kernel, cpu, rule, this_routine, place_current(kernel),
            BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION, parameter);
    } else if (!ruling_is(kernel, RULED_PCW_CRE_18_silent)) {
        rule_warn(kernel, cpu, rule, this_routine);
    }
}

/* PCW-CRE-05, of the blocks that counters lie in. The others are kept as they
 * are: they have to stay, too (PCW-CRE-07a), but nobody reads them. Of what is
 * wrong with their places the first is reported. */
static NTSTATUS read_blocks(
    struct kernel *kernel, const PCW_DATA *from, struct claim *claim)
{
    const struct pcw_registration *registration = claim->registration;
    enum rule fault = RULE_COUNT;

    assert(registration->structures == 0 || from != NULL);
    claim->block = pcw_scratch_blocks(kernel->pcw, registration->structures);
    for (uint32_t i = 0; i < registration->structures; i++) {
        PCW_DATA data;

        copy_in(kernel, this_routine, &data, &from[i], sizeof(data));
        claim->block[i] = (struct pcw_block){
            .address = (uint64_t)(uintptr_t)data.Data, .size = data.Size};
        if (registration->needed[i] == 0) {
            continue;
        }
        if (data.Data == NULL) {
            return refuse_null(kernel, RULED_PCW_CRE_10a_status, false,
                STATUS_INVALID_PARAMETER_5);
        }
        if (data.Size < registration->needed[i]) {
            return STATUS_INVALID_BUFFER_SIZE;
        }
        if (fault == RULE_COUNT) {
            fault = find_fault(kernel, &claim->block[i]);
        }
    }
    if (fault != RULE_COUNT) {
        report_fault(kernel, fault);
    }
    return STATUS_SUCCESS;
}

/* All that is checked, in the order of PCW-CRE-06c [C]. */
static NTSTATUS decode(struct kernel *kernel, PPCW_REGISTRATION Registration,
    PCUNICODE_STRING Name, ULONG Count, PPCW_DATA Data, struct claim *claim)
{
    NTSTATUS status = find_registration(kernel, Registration, claim);

    if (NT_SUCCESS(status)) {
        status = read_name(kernel, Name, claim);
    }
    if (NT_SUCCESS(status) && Data == NULL && Count > 0) {
        status = refuse_null(kernel, RULED_PCW_CRE_10a_status, false,
            STATUS_INVALID_PARAMETER_5);
    }
    if (NT_SUCCESS(status)) {
        status = check_count(kernel, claim->registration, Count);
    }
    return NT_SUCCESS(status) ? read_blocks(kernel, Data, claim) : status;
}

/* What no document forbids and no driver means (PCW-CRE-04c, PCW-CRE-15). */
static void report_oddities(
    struct kernel *kernel, const struct claim *claim, ULONG count)
{
    const struct pcw_registration *registration = claim->registration;
    struct cpu *cpu = kernel_cpu(kernel);

    if (registration->description.counter_count > 0 &&
        count > registration->structures &&
        !ruling_is(kernel, RULED_PCW_CRE_04c_silent)) {
        rule_warn(kernel, cpu, RULE_PCW_CREATE_MORE, this_routine);
    }
    pcw_instance_compare(kernel, this_routine, registration, claim->name.text,
        registration->by_name.count);
    if (pcw_instance_named(registration, claim->name.text, claim->hash) !=
            NULL &&
        !ruling_is(kernel, RULED_PCW_CRE_15_silent)) {
        char name[PCW_SHOWN_BYTES];
        char subject[RULE_SUBJECT_BYTES];

        pcw_text_shown(claim->name.text, name, sizeof(name));
        snprintf(subject, sizeof(subject), "'%s'", name);
        rule_warn_of(kernel, cpu, RULE_PCW_INSTANCE_SAME_NAME, this_routine,
            place_current(kernel), subject);
    }
}

NTSTATUS PcwCreateInstance_body(PPCW_INSTANCE *Instance,
    PPCW_REGISTRATION Registration, PCUNICODE_STRING Name, ULONG Count,
    PPCW_DATA Data)
{
    struct kernel *kernel = kernel_current();
    struct claim claim = {.registration = NULL};
    NTSTATUS status;

    if (Instance == NULL) {
        return refuse_null(
            kernel, RULED_PCW_CRE_10a_status, true, STATUS_INVALID_PARAMETER_1);
    }
    copy_probe(kernel, this_routine, Instance, sizeof(*Instance), true);
    status = decode(kernel, Registration, Name, Count, Data, &claim);
    if (!NT_SUCCESS(status)) {
        return answer(kernel, Instance, 0, status);
    }
    report_oddities(kernel, &claim, Count);
    return answer(kernel, Instance,
        pcw_instance_new(kernel, claim.registration, claim.name.text,
            claim.hash, claim.block)
            ->handle,
        STATUS_SUCCESS);
}

NTSTATUS PcwCreateInstance_failed(PVOID output, NTSTATUS status)
{
    struct kernel *kernel = kernel_current();

    assert(!NT_SUCCESS(status));
    return output == NULL ? refuse_null(kernel, RULED_PCW_CRE_10a_status, true,
                                STATUS_INVALID_PARAMETER_1)
                          : answer(kernel, output, 0, status);
}

/* PCW-CLS-02; PCW-CLS-03a [C]. */
static void refuse_handle(struct kernel *kernel, PPCW_INSTANCE handle)
{
    struct cpu *cpu = kernel_cpu(kernel);
    enum pcw_handle_state state = pcw_handle_state(
        kernel->pcw, PCW_INSTANCE, (uint64_t)(uintptr_t)handle);
    enum rule rule = handle == NULL               ? RULE_PCW_CLOSE_NULL
                     : state == PCW_HANDLE_CLOSED ? RULE_PCW_CLOSE_TWICE
                     : state == PCW_HANDLE_CLOSED_WITH
                         ? RULE_PCW_CLOSE_AFTER_UNREGISTER
                         : RULE_PCW_CLOSE_WILD;
    const struct bugcheck_parameter parameter[4] = {
        {.value = (uint64_t)(uintptr_t)handle}};

    assert(state != PCW_HANDLE_OPEN);
    if (rule != RULE_PCW_CLOSE_AFTER_UNREGISTER &&
        ruling_is(kernel, RULED_PCW_CLS_03a_event)) {
        rule_report(kernel, cpu, rule, ROUTINE_PcwCloseInstance);
        return;
    }
    rule_stop(kernel, cpu, rule, ROUTINE_PcwCloseInstance, parameter);
}

VOID PcwCloseInstance_body(PPCW_INSTANCE Instance)
{
    struct kernel *kernel = kernel_current();
    struct pcw_instance *instance;

    pcw_handle_closing(
        kernel->pcw, PCW_INSTANCE, (uint64_t)(uintptr_t)Instance);
    instance = pcw_handle_object(
        kernel->pcw, PCW_INSTANCE, (uint64_t)(uintptr_t)Instance);
    if (instance == NULL) {
        refuse_handle(kernel, Instance);
        return;
    }
    assert(pcw_instance_check(instance, kernel->pcw));
    if (instance->registration->closing) { /* PCW-UNR-02 */
        rule_warn(kernel, kernel_cpu(kernel), RULE_PCW_CLOSE_DURING_UNREGISTER,
            ROUTINE_PcwCloseInstance);
    }
    pcw_instance_end(kernel, instance, PCW_HANDLE_CLOSED);
}
