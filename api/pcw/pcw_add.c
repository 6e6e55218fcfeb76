/* pcw_add.c - PcwAddInstance: an instance and its values, for the request that
 * the callback was called with. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/pcw/callback.h"
#include "api/pcw/collect.h"
#include "api/pcw/instance.h"
#include "api/pcw/refusal.h"
#include "api/pcw/text.h"

static const enum routine this_routine = ROUTINE_PcwAddInstance;

#define FIRST_RESERVED_ID UINT32_C(0xFFFFFFFE)

/* What the call is about, decoded. */
struct claim {
    struct pcw_buffer *buffer;
    struct guest_name name;
    ULONG id;
    struct pcw_values values;
    bool short_block; /* one that is read ends before its Size */
};

/* PCW-ADD-03b [C]. */
static NTSTATUS refuse_null(struct kernel *kernel, NTSTATUS status)
{
    if (!ruling_is(kernel, RULED_PCW_ADD_03b_status)) {
        copy_probe(kernel, this_routine, NULL, sizeof(PVOID), false);
    }
    return status;
}

/* PCW-ADD-10a [C]; the poison comes from a member of the union that the
 * callback's type does not have; of one that has returned nothing else is left.
 */
static NTSTATUS find_buffer(
    struct kernel *kernel, PPCW_BUFFER handle, struct claim *claim)
{
    uint64_t value = (uint64_t)(uintptr_t)handle;
    enum rule rule =
        value == PCW_POISON ? RULE_PCW_ADD_WRONG_MEMBER : RULE_PCW_ADD_STALE;
    const struct bugcheck_parameter parameter[4] = {{.value = value}};

    if (handle == NULL) {
        return refuse_null(kernel, STATUS_INVALID_PARAMETER_1);
    }
    claim->buffer = pcw_handle_object(kernel->pcw, PCW_BUFFER, value);
    if (claim->buffer != NULL) {
        return STATUS_SUCCESS;
    }
    if (!ruling_is(kernel, RULED_PCW_ADD_10a_status)) {
        rule_stop(kernel, kernel_cpu(kernel), rule, this_routine, parameter);
    }
    return STATUS_INVALID_PARAMETER_1;
}

/* PCW-ADD-03a, which is PCW-CRE-03b [C] for an empty one; PCW-ADD-12 [C]. */
static NTSTATUS read_name(
    struct kernel *kernel, PCUNICODE_STRING from, struct claim *claim)
{
    if (from == NULL) {
        return refuse_null(kernel, STATUS_INVALID_PARAMETER_2);
    }
    guest_name_read(kernel, this_routine, from, &claim->name);
    if (guest_name_is_odd(&claim->name)) {
        if (ruling_is(kernel, RULED_PCW_ADD_12_reject)) {
            return STATUS_INVALID_PARAMETER_2;
        }
        if (!ruling_is(kernel, RULED_PCW_ADD_12_silent)) {
            rule_warn(kernel, kernel_cpu(kernel), RULE_PCW_INSTANCE_ODD_NAME,
                this_routine);
        }
    }
    guest_name_read_text(kernel, this_routine, &claim->name);
    if (claim->name.length == 0 && ruling_is(kernel, RULED_PCW_CRE_03b_event)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_PCW_INSTANCE_NO_NAME,
            this_routine);
    }
    return STATUS_SUCCESS;
}

/* PCW-ADD-04a, PCW-ADD-04c [C]. */
static NTSTATUS check_id(struct kernel *kernel, ULONG id)
{
    if (id < FIRST_RESERVED_ID) {
        return STATUS_SUCCESS;
    }
    if (ruling_is(kernel, RULED_PCW_ADD_04c_status)) {
        return STATUS_INVALID_PARAMETER_3;
    }
    if (!ruling_is(kernel, RULED_PCW_ADD_04c_silent)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_PCW_INSTANCE_RESERVED_ID,
            this_routine);
    }
    return STATUS_SUCCESS;
}

/* Where values are read from: an element of Data, and its block. */
struct source {
    const PCW_DATA *from;
    ULONG count;
    uint32_t structure; /* whose element that is; UINT32_MAX: none yet */
    PCW_DATA data;      /* zero where there is none */
    bool probed;        /* all that counters need of the block is there */
    bool short_block;   /* a block ends before its Size */
};

/* Counters mostly lie side by side: an element is read, and a block looked at,
 * once for all of them. */
static void open_source(struct kernel *kernel,
    const struct pcw_registration *registration, uint32_t structure,
    struct source *source)
{
    uint32_t needed = registration->needed[structure];

    assert(structure < registration->structures);
    if (source->structure == structure) {
        return;
    }
    source->structure = structure;
    source->data = (PCW_DATA){0};
    if (structure < source->count && source->from != NULL) {
        copy_in(kernel, this_routine, &source->data, &source->from[structure],
            sizeof(source->data));
    }
    source->short_block |=
        pcw_ends_early(memory_find(&kernel->machine->memory, source->data.Data),
            source->data.Data, source->data.Size);
    source->probed = source->data.Data != NULL && source->data.Size >= needed &&
                     pcw_is_readable(kernel, source->data.Data, needed);
    if (source->probed) {
        copy_probe(kernel, this_routine, source->data.Data, needed, false);
    }
}

/* Whether the counter's block is there and large enough. */
static bool has_room(
    const struct source *source, const struct pcw_counter *counter)
{
    assert(source->structure == counter->structure);
    return source->data.Data != NULL &&
           source->data.Size >= (uint32_t)counter->offset + counter->size;
}

/* Whether the bytes of a counter that is not asked for may be read; those of
 * one that is must be, or this raises. */
static bool probe_value(struct kernel *kernel, const struct source *source,
    const struct pcw_counter *counter, bool asked)
{
    const uint8_t *start = (const uint8_t *)source->data.Data + counter->offset;

    assert(has_room(source, counter));
    if (source->probed) {
        return true;
    }
    if (!asked && !pcw_is_readable(kernel, start, counter->size)) {
        return false;
    }
    copy_probe(kernel, this_routine, start, counter->size, false);
    return true;
}

/* A missing block counts as one of no bytes: PCW-ADD-07a [C]. */
static NTSTATUS refuse_block(struct kernel *kernel, const struct source *source)
{
    return source->data.Data == NULL &&
                   ruling_is(kernel, RULED_PCW_ADD_07a_status)
               ? STATUS_INVALID_PARAMETER_4
               : STATUS_INVALID_BUFFER_SIZE;
}

/* Values are copied now (PCW-ADD-02b [C]). The counters that are asked for need
 * valid data; others are reported where they have it (PCW-ADD-07b [C]). */
static NTSTATUS read_values(
    struct kernel *kernel, ULONG count, PPCW_DATA from, struct claim *claim)
{
    const struct pcw_registration *registration = claim->buffer->registration;
    const struct pcw_description *description = &registration->description;
    struct pcw_request *request = claim->buffer->request;
    struct source source = {
        .from = from, .count = count, .structure = UINT32_MAX};
    bool all = ruling_is(kernel, RULED_PCW_ADD_07b_all);

    claim->values.column =
        pcw_request_columns(request, description->counter_count);
    claim->values.value =
        pcw_request_values(request, description->counter_count);
    for (uint32_t i = 0; i < description->counter_count; i++) {
        const struct pcw_counter *counter = &description->counter[i];
        bool asked =
            all || pcw_filter_wants(kernel, request->filter, counter->id);

        open_source(kernel, registration, counter->structure, &source);
        if (!has_room(&source, counter)) {
            if (asked) {
                return refuse_block(kernel, &source);
            }
        } else if (probe_value(kernel, &source, counter, asked)) {
            claim->values.column[claim->values.count] = pcw_column_of(counter);
            pcw_values_read(counter, 1, source.data.Data,
                &claim->values.value[claim->values.count++]);
        }
    }
    assert(claim->values.count <= description->counter_count);
    assert(!all || claim->values.count == description->counter_count);
    claim->short_block = source.short_block;
    return STATUS_SUCCESS;
}

static NTSTATUS decode(struct kernel *kernel, PPCW_BUFFER Buffer,
    PCUNICODE_STRING Name, ULONG Count, PPCW_DATA Data, struct claim *claim)
{
    NTSTATUS status = find_buffer(kernel, Buffer, claim);

    if (NT_SUCCESS(status)) {
        status = read_name(kernel, Name, claim);
    }
    if (NT_SUCCESS(status)) {
        status = check_id(kernel, claim->id);
    }
    /* Names and ids are all that an enumeration is about (PCW-ADD-06a,
     * PCW-ADD-06b). */
    return NT_SUCCESS(status) && claim->buffer->request->collects
               ? read_values(kernel, Count, Data, claim)
               : status;
}

static void report_twin(
    struct kernel *kernel, const struct claim *claim, enum rule rule)
{
    char subject[RULE_SUBJECT_BYTES], name[PCW_SHOWN_BYTES];

    pcw_text_shown(claim->name.text, name, sizeof(name));
    snprintf(subject, sizeof(subject), "'%s', id %" PRIu32, name, claim->id);
    rule_warn_of(kernel, kernel_cpu(kernel), rule, this_routine,
        place_current(kernel), subject);
}

static void report_twins(struct kernel *kernel, const struct claim *claim)
{
    struct pcw_twins twins;

    pcw_instance_compare(kernel, this_routine, claim->buffer->registration,
        claim->name.text,
        claim->buffer->named_count +
            claim->buffer->registration->by_name.count);
    pcw_buffer_note(claim->buffer, claim->name.text, claim->id, &twins);
    if (twins.name ||
        pcw_instance_named(claim->buffer->registration, claim->name.text,
            pcw_text_hash(claim->name.text)) != NULL) {
        report_twin(kernel, claim, RULE_PCW_INSTANCE_SAME_NAME);
    }
    if (twins.id) { /* PCW-ADD-04b [C] */
        report_twin(kernel, claim, RULE_PCW_INSTANCE_SAME_ID);
    }
}

NTSTATUS PcwAddInstance_body(PPCW_BUFFER Buffer, PCUNICODE_STRING Name,
    ULONG Id, ULONG Count, PPCW_DATA Data)
{
    struct kernel *kernel = kernel_current();
    struct claim claim = {.id = Id};
    struct pcw_request *request;
    NTSTATUS status = decode(kernel, Buffer, Name, Count, Data, &claim);

    if (!NT_SUCCESS(status)) {
        pcw_refused(kernel, this_routine, status);
        return status;
    }
    if (claim.short_block) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_PCW_BLOCK_SHORT, this_routine);
    }
    /* No time passes between the two halves, so the callback still runs. */
    assert(pcw_buffer_check(claim.buffer, kernel->pcw));
    report_twins(kernel, &claim);
    request = claim.buffer->request;
    assert(request->collects || claim.values.count == 0);
    /* What the consumer did not ask for is no error of the provider's
     * (PCW-ADD-08 [C]). */
    if (!pcw_request_is_full(request) &&
        (pcw_filter_passes(request->filter, claim.name.text, Id) ||
            ruling_is(kernel, RULED_PCW_ADD_08_provider))) {
        pcw_request_record(request, claim.buffer->registration->number,
            claim.name.text, Id, &claim.values);
        pcw_request_check_cancel(request);
    }
    return STATUS_SUCCESS;
}
