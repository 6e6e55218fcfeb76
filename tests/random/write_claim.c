/* write_claim.c - claims, configurations and levels of random programs, as
 * steps of a scenario. */
#include <inttypes.h>

#include "tests/random/writing.h"

static void write_descriptor(
    struct writing *writing, const struct claim *claim, size_t n)
{
    static const char *const names[] = {
        [DESCRIPTOR_SINGLE] = "ResourceTypeSingle",
        [DESCRIPTOR_RANGE] = "ResourceTypeRange",
        [DESCRIPTOR_EXTENDED] = "ResourceTypeExtendedCounterConfiguration",
        [DESCRIPTOR_OVERFLOW] = "ResourceTypeOverflow",
        [DESCRIPTOR_EVENT_BUFFER] = "ResourceTypeEventBuffer",
        [DESCRIPTOR_TAG] = "ResourceTypeIdenitificationTag",
        [DESCRIPTOR_NONE] = "6",
    };
    const struct descriptor *one = &claim->descriptor[n];
    FILE *out = writing->out;

    fprintf(out, "%s{Type: %s", n == 0 ? "" : ", ", names[one->type]);
    if (one->flags != 0) {
        fprintf(out, ", Flags: 0x%" PRIX32, one->flags);
    }
    if (one->type == DESCRIPTOR_SINGLE) {
        fprintf(out, ", u: {CounterIndex: %" PRIu32 "}", one->first);
    } else if (one->type == DESCRIPTOR_RANGE) {
        fprintf(out, ", u: {Range: {Begin: %" PRIu32 ", End: %" PRIu32 "}}",
            one->first, one->last);
    } else if (one->type == DESCRIPTOR_OVERFLOW && !one->handler) {
        fprintf(out, ", u: {OverflowHandler: null}");
    } else if (one->type == DESCRIPTOR_OVERFLOW && claim->reload.used) {
        fprintf(out, ", u: {OverflowHandler: $load%u}", claim->reload.slot);
        writing->reload[claim->reload.slot] = &claim->reload;
    } else if (one->type == DESCRIPTOR_OVERFLOW) {
        fprintf(out, ", u: {OverflowHandler: $plain}");
        writing->plain = true;
    } else if (one->type == DESCRIPTOR_EVENT_BUFFER) {
        write_buffer_descriptor(writing, one);
    } else if (one->type == DESCRIPTOR_TAG) {
        fprintf(out, ", u: {IdentificationTag: %" PRIu32 "}", one->first);
    }
    fprintf(out, "}");
}

static void write_affinity(const struct claim *claim, FILE *out)
{
    fprintf(out, "[");
    for (size_t i = 0; i < claim->affinity_count; i++) {
        fprintf(out, "%s{Mask: 0x%" PRIX64 ", Group: %u%s}", i == 0 ? "" : ", ",
            claim->affinity[i].mask, claim->affinity[i].group,
            claim->affinity[i].reserved ? ", Reserved: [0, 1, 0]" : "");
    }
    fprintf(out, "]");
}

static void write_allocate(struct writing *writing, const struct claim *claim)
{
    FILE *out = writing->out;

    fprintf(out, "    call: HalAllocateHardwareCounters\n"
                 "    args: {GroupAffinty: ");
    if (claim->affinity_given) {
        write_affinity(claim, out);
    } else {
        fprintf(out, "null");
    }
    fprintf(
        out, ", GroupCount: %" PRIu32 ", ResourceList: ", claim->group_count);
    if (!claim->list_given) {
        fprintf(out, "null");
    } else if (claim->descriptor_count == 0) {
        fprintf(out, "{Count: 0}");
    } else {
        fprintf(out, "{Descriptors: [");
        for (size_t i = 0; i < claim->descriptor_count; i++) {
            write_descriptor(writing, claim, i);
        }
        fprintf(out, "]}");
    }
    fprintf(out, "%s}\n", claim->no_handle ? ", CounterSetHandle: null" : "");
}

static void write_elements(
    const struct element *element, uint32_t count, FILE *out)
{
    fprintf(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out,
            "%s{Type: %" PRIu32 ", Reserved: %" PRIu32 ", Index: %" PRIu64 "}",
            i == 0 ? "" : ", ", element[i].type, element[i].reserved,
            element[i].index);
    }
    fprintf(out, "]");
}

static void write_free(struct writing *writing, unsigned of)
{
    fprintf(writing->out, "    call: HalFreeHardwareCounters\n"
                          "    args: {CounterSetHandle: ");
    if (reference_set(&writing->reference, of) != NULL) {
        fprintf(writing->out, "$h%u}\n", of);
    } else {
        fprintf(writing->out, "%s}\n", of == PROGRAM_NULL ? "null" : "0x1");
    }
}

void write_claim_call(struct writing *writing, const struct program_step *step)
{
    const struct reference *reference = &writing->reference;
    const struct configuration *given = &step->configuration;
    FILE *out = writing->out;

    if (step->kind == ACT_ALLOCATE) {
        write_allocate(writing, &step->claim);
    } else if (step->kind == ACT_FREE) {
        write_free(writing, step->of);
    } else if (step->kind == ACT_CONFIGURE) {
        fprintf(out, "    call: KeSetHardwareCounterConfiguration\n"
                     "    args: {CounterArray: ");
        if (given->array_given) {
            write_elements(given->element, given->count, out);
        } else {
            fprintf(out, "null");
        }
        fprintf(out, ", Count: %" PRIu32 "}\n", given->count);
    } else if (step->kind == ACT_QUERY) {
        fprintf(out, "    call: KeQueryHardwareCounterConfiguration\n"
                     "    args: {CounterArray: ");
        if (given->array_given) {
            fprintf(out, "{buffer: %" PRIu32 "}", given->count);
        } else {
            fprintf(out, "null");
        }
        fprintf(out, ", MaximumCount: %" PRIu32 "}\n", given->count);
    } else if (step->kind == ACT_RAISE) {
        fprintf(out, "    call: KfRaiseIrql\n    args: {NewIrql: %u}\n",
            (unsigned)step->level);
    } else {
        fprintf(out, "    call: KeLowerIrql\n    args: {NewIrql: %u}\n",
            (unsigned)reference
                ->left[step->actor][reference->left_count[step->actor] - 1]);
    }
}

/* KHC-QRY-11: what is not written stays as buffers begin. */
static void write_array(const struct writing *writing, uint32_t count)
{
    const struct reference *reference = &writing->reference;
    const struct element fresh = {UINT32_C(0xA5A5A5A5), UINT32_C(0xA5A5A5A5),
        UINT64_C(0xA5A5A5A5A5A5A5A5)};
    struct element all[PROGRAM_ELEMENTS];

    for (uint32_t i = 0; i < count; i++) {
        all[i] =
            i < reference->configured_count ? reference->configured[i] : fresh;
    }
    write_elements(all, count, writing->out);
}

void write_claim_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer)
{
    FILE *out = writing->out;

    if (step->kind == ACT_ALLOCATE && !step->claim.no_handle &&
        answer->status != NULL) {
        fprintf(out, "      - {out: {CounterSetHandle: %s}}\n",
            answer->granted ? "{not: null}" : "null"); /* HAL-ALLOC-06 */
    }
    if (answer->count_given) {
        fprintf(out, "      - {out: {Count: %" PRIu32 "}}\n", answer->count);
    }
    if (step->kind != ACT_QUERY || !step->configuration.array_given ||
        answer->bugcheck != NULL) {
        return;
    }
    fprintf(out, "      - {out: {CounterArray: ");
    if (answer->array_given) {
        write_array(writing, step->configuration.count);
    } else {
        fprintf(out, "unchanged");
    }
    fprintf(out, "}}\n");
}

static void write_owned(
    const struct writing *writing, unsigned actor, unsigned processor)
{
    uint64_t left = reference_counters(&writing->reference, actor, processor);
    const char *separator = "";

    fprintf(writing->out, "          - {counters: {owner: %s, cpu: %u}, is: [",
        writing_actors[actor], processor);
    for (unsigned i = 0; i < MACHINE_INDEXES; i++) {
        if ((left >> i & 1) != 0) {
            fprintf(writing->out, "%s%u", separator, i);
            separator = ", ";
        }
    }
    fprintf(writing->out, "]}\n");
}

static void write_owners(const struct writing *writing, unsigned processor)
{
    const char *separator = "";

    fprintf(writing->out, "          - {owners: {cpu: %u}, is: [", processor);
    for (unsigned i = 0; i < writing->program->actors; i++) {
        if (reference_counters(&writing->reference, i, processor) != 0) {
            fprintf(writing->out, "%s%s", separator, writing_actors[i]);
            separator = ", ";
        }
    }
    fprintf(writing->out, "]}\n");
}

void write_claim_state(const struct writing *writing, unsigned actor)
{
    const struct reference *reference = &writing->reference;

    for (unsigned i = 0; i < machine_processors(&writing->program->machine);
         i++) {
        write_owners(writing, i);
        write_owned(writing, actor, i);
    }
    fprintf(writing->out, "          - {configured: system, is: ");
    write_elements(
        reference->configured, reference->configured_count, writing->out);
    fprintf(writing->out, "}\n");
}
