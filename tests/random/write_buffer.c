/* write_buffer.c - event buffers of random programs, and the handlers that get
 * their entries, as steps of a scenario. */
#include <inttypes.h>

#include "tests/random/writing.h"

enum {
    ENTRY_BYTES = 200, /* of format 3 (pmu.md 1.4) */
    TOLD_BYTES = 16,   /* counters and address of an entry */
    AREA_RESET = 0x40, /* of the DS area, eight bytes a counter */
};

void write_buffer_descriptor(
    struct writing *writing, const struct descriptor *descriptor)
{
    FILE *out = writing->out;

    fprintf(out, ", u: {EventBufferConfiguration: {OverflowHandler: %s",
        descriptor->handler ? "$full" : "null");
    fprintf(out, ", EventThreshold: %" PRIu32, descriptor->threshold);
    if (descriptor->entry_size != 0) {
        fprintf(out, ", CustomEventBufferEntrySize: %" PRIu32,
            descriptor->entry_size);
    }
    fprintf(out, "}}");
    writing->full = writing->full || descriptor->handler;
}

/* HAL-EVB-07: at the place that IA32_DS_AREA tells. */
void write_buffer_reset(
    struct writing *writing, const struct program_step *step)
{
    const struct counting *counting = &step->counting;

    fprintf(writing->out,
        "    rdmsr: {cpu: %u, index: IA32_DS_AREA}\n"
        "    save: {a%u: value}\n  - as: %s\n"
        "    store: {to: $(a%u + 0x%" PRIX32 "), values: [{ULONG64: 0x%" PRIX64
        "}]}\n",
        counting->processor, step->number, writing_actors[step->actor],
        step->number, AREA_RESET + 8 * counting->index, counting->value);
}

/* How many, and what they have in common. */
void write_buffer_handler(
    const struct writing *writing, const struct answer *answer)
{
    const struct handler_call *first = NULL;
    bool same_set = true, same_count = true;
    unsigned runs = 0;

    for (size_t i = 0; i < answer->call_count; i++) {
        const struct handler_call *call = &answer->call[i];

        if (call->entries > 0) {
            runs++;
            first = first == NULL ? call : first;
            same_set = same_set && call->set == first->set;
            same_count = same_count && call->entries == first->entries;
        }
    }
    fprintf(writing->out, "{name: full, runs: %u", runs);
    if (first != NULL) {
        const struct program_step *step =
            writing->reference.set[first->set].step;

        fprintf(writing->out,
            ", cpu: %u, irql: PROFILE_LEVEL, args: {EntrySize: %d",
            first->processor, ENTRY_BYTES);
        if (same_set && writing_is_saved(writing, step)) {
            fprintf(writing->out, ", OwningHandle: $h%u", step->number);
        }
        if (same_count) {
            fprintf(writing->out, ", NumberOfEntries: %zu", first->entries);
        }
        fprintf(writing->out, "}");
    }
    fprintf(writing->out, "}");
}

void write_buffer_event(
    const struct writing *writing, const struct handler_call *call)
{
    fprintf(writing->out,
        "{event: buffer_handler_enter, set: %zu, entries: %zu, size: %d}",
        call->set + 1, call->entries, ENTRY_BYTES);
}

/* As texts that have to be equal, which is for PASSIVE_LEVEL. */
void write_buffer_told(struct writing *writing, const struct program_step *step,
    const struct answer *answer)
{
    const char *actor = writing_actors[step->actor];

    if (answer->told.counters == 0 ||
        writing->reference.level[step->actor] > 0) {
        return;
    }
    writing->told = true;
    fprintf(writing->out,
        "  - as: %s\n"
        "    store: {to: $wanted, values: [{ULONG64: 0x%" PRIX32
        "}, {ULONG64: 0x%" PRIX32 "}]}\n"
        "  - as: %s\n"
        "    call: RtlEqualUnicodeString\n"
        "    args: {",
        actor, answer->told.counters, answer->told.ip, actor);
    for (unsigned i = 1; i <= 2; i++) {
        fprintf(writing->out,
            "String%u: {Length: %d, MaximumLength: %d, Buffer: {at: $%s}}, ", i,
            TOLD_BYTES, TOLD_BYTES, i == 1 ? "told" : "wanted");
    }
    fprintf(writing->out, "CaseInSensitive: 0}\n    expect: {returns: 1}\n");
}

void write_buffer_state(const struct writing *writing, unsigned processor)
{
    const struct reference *reference = &writing->reference;
    const size_t readers = reference_buffer_readers(reference, processor);
    uint64_t enabled = 0;

    if (!writing->program->machine.model->has_pebs) {
        return;
    }
    for (uint32_t i = 0; i < REFERENCE_SAMPLED; i++) {
        if (reference->processor[processor].counter[i].sampled) {
            enabled |= UINT64_C(1) << i;
        }
    }
    fprintf(writing->out,
        "          - {msr: {cpu: %u, index: IA32_PEBS_ENABLE}, is: 0x%" PRIX64
        "}\n"
        "          - {msr: {cpu: %u, index: IA32_DS_AREA}, is: %s}\n",
        processor, enabled, processor, readers > 0 ? "{not: 0}" : "0");
}

/* It keeps what tells of the first entry, where entries have fields. */
void write_buffer_head(const struct writing *writing, FILE *out)
{
    if (!writing->full) {
        return;
    }
    fprintf(out,
        "  full: {type: PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER, "
        "do: [%s]}\n",
        writing->program->machine.model->has_pebs
            ? "{store: {to: $told, values: "
              "[{ULONG64: $EventBuffer.0.Counters}, "
              "{ULONG64: $EventBuffer.0.EventIp}]}}"
            : "");
}

/* `told` is used by the handler. */
void write_buffer_blocks(const struct writing *writing, FILE *out)
{
    if (writing->full && writing->program->machine.model->has_pebs) {
        fprintf(out, "  told: {bytes: %d}\n", TOLD_BYTES);
    }
    if (writing->told) {
        fprintf(out, "  wanted: {bytes: %d}\n", TOLD_BYTES);
    }
}
