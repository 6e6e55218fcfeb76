/* write.c - random programs as YAML: each step with what the reference says of
 * it, and of every processor's counters behind it. */
#include "tests/random/write.h"

#include <inttypes.h>

#include "tests/random/reference.h"

static const char *const windows_names[WINDOWS_COUNT] = {
    "WIN7", "WIN8", "WIN10_PRE1903", "WIN10_1903", "WIN_FE", "WIN11"};

static const char *const actor_names[PROGRAM_ACTORS] = {"drvA", "drvB", "drvC"};

static bool has_actor(const struct program *program, unsigned actor)
{
    for (size_t i = 0; i < program->count; i++) {
        if (program->step[i].actor == actor) {
            return true;
        }
    }
    return false;
}

/* An actor starts on the processor of its place in the list. */
static unsigned processor_of(const struct program *program, unsigned actor)
{
    unsigned processor = 0;

    for (unsigned i = 0; i < actor; i++) {
        processor += has_actor(program, i);
    }
    return processor;
}

static bool has_handler(const struct program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        const struct program_step *step = &program->step[i];

        for (size_t n = 0; n < step->descriptor_count; n++) {
            if (step->descriptor[n].type == DESCRIPTOR_OVERFLOW &&
                step->descriptor[n].handler) {
                return true;
            }
        }
    }
    return false;
}

static void write_head(
    const struct program *program, const char *rulings, FILE *out)
{
    const char *separator = "";
    const bool overflow = has_handler(program);

    fprintf(out,
        "ntpmu: 1\nid: random.program\ntitle: A random program\n"
        "machine: {os: %s, cpus: %u, groups: %u, pmu: {model: intel_v4, "
        "general: %u, fixed: %u}}\nactors: [",
        windows_names[program->windows], program->groups * program->per_group,
        program->groups, program->general, program->fixed);
    for (unsigned i = 0; i < PROGRAM_ACTORS; i++) {
        if (has_actor(program, i)) {
            fprintf(out, "%s%s", separator, actor_names[i]);
            separator = ", ";
        }
    }
    fprintf(out, "]\n%s", overflow ? "callbacks:\n" : "");
    if (overflow) {
        fprintf(
            out, "  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: []}\n");
    }
    if (rulings != NULL) {
        fprintf(out, "rulings: {%s}\n", rulings);
    }
    fprintf(out, "steps:\n");
}

static void write_descriptor(const struct descriptor *one, FILE *out)
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

    fprintf(out, "{Type: %s", names[one->type]);
    if (one->flags != 0) {
        fprintf(out, ", Flags: 0x%" PRIX32, one->flags);
    }
    switch (one->type) {
    case DESCRIPTOR_SINGLE:
        fprintf(out, ", u: {CounterIndex: %" PRIu32 "}", one->first);
        break;
    case DESCRIPTOR_RANGE:
        fprintf(out, ", u: {Range: {Begin: %" PRIu32 ", End: %" PRIu32 "}}",
            one->first, one->last);
        break;
    case DESCRIPTOR_OVERFLOW:
        fprintf(
            out, ", u: {OverflowHandler: %s}", one->handler ? "$ovf" : "null");
        break;
    case DESCRIPTOR_EVENT_BUFFER:
        /* No scenario has such a handler. */
        fprintf(
            out, ", u: {EventBufferConfiguration: {OverflowHandler: null}}");
        break;
    case DESCRIPTOR_TAG:
        fprintf(out, ", u: {IdentificationTag: %" PRIu32 "}", one->first);
        break;
    case DESCRIPTOR_EXTENDED:
    case DESCRIPTOR_NONE:
        break;
    }
    fprintf(out, "}");
}

static void write_allocate(const struct program_step *step, FILE *out)
{
    fprintf(out, "    call: HalAllocateHardwareCounters\n    args: {");
    if (step->affinity_given) {
        fprintf(out, "GroupAffinty: [");
        for (size_t i = 0; i < step->affinity_count; i++) {
            fprintf(out, "%s{Mask: 0x%" PRIX64 ", Group: %u%s}",
                i == 0 ? "" : ", ", step->affinity[i].mask,
                step->affinity[i].group,
                step->affinity[i].reserved ? ", Reserved: [0, 1, 0]" : "");
        }
        fprintf(out, "]");
    } else {
        fprintf(out, "GroupAffinty: null");
    }
    fprintf(
        out, ", GroupCount: %" PRIu32 ", ResourceList: ", step->group_count);
    if (!step->list_given) {
        fprintf(out, "null");
    } else if (step->descriptor_count == 0) {
        fprintf(out, "{Count: 0}");
    } else {
        fprintf(out, "{Descriptors: [");
        for (size_t i = 0; i < step->descriptor_count; i++) {
            fprintf(out, "%s", i == 0 ? "" : ", ");
            write_descriptor(&step->descriptor[i], out);
        }
        fprintf(out, "]}");
    }
    fprintf(out, "%s}\n", step->no_handle ? ", CounterSetHandle: null" : "");
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

/* The call. `before` is the reference as it was then. */
static void write_call(
    struct reference *before, const struct program_step *step, FILE *out)
{
    fprintf(out, "  - as: %s\n", actor_names[step->actor]);
    switch (step->kind) {
    case ACT_ALLOCATE:
        write_allocate(step, out);
        break;
    case ACT_FREE:
        fprintf(out,
            "    call: HalFreeHardwareCounters\n    args: {CounterSetHandle: ");
        if (reference_set(before, step->freed) != NULL) {
            fprintf(out, "$h%u}\n", step->freed);
        } else {
            fprintf(out, "0x1}\n");
        }
        break;
    case ACT_CONFIGURE:
        fprintf(out, "    call: KeSetHardwareCounterConfiguration\n"
                     "    args: {CounterArray: ");
        if (step->array_given) {
            write_elements(step->element, step->count, out);
        } else {
            fprintf(out, "null");
        }
        fprintf(out, ", Count: %" PRIu32 "}\n", step->count);
        break;
    case ACT_QUERY:
        fprintf(out, "    call: KeQueryHardwareCounterConfiguration\n"
                     "    args: {");
        if (step->array_given) {
            fprintf(out, "CounterArray: {buffer: %" PRIu32 "}", step->count);
        } else {
            fprintf(out, "CounterArray: null");
        }
        fprintf(out, ", MaximumCount: %" PRIu32 "}\n", step->count);
        break;
    case ACT_RAISE:
        fprintf(out, "    call: KfRaiseIrql\n    args: {NewIrql: %u}\n",
            (unsigned)step->level);
        break;
    case ACT_LOWER:
        fprintf(out, "    call: KeLowerIrql\n    args: {NewIrql: %u}\n",
            (unsigned)
                before->left[step->actor][before->left_count[step->actor] - 1]);
        break;
    case ACT_KINDS:
        break;
    }
}

static void write_counters(
    const struct reference *reference, unsigned actor, FILE *out)
{
    const struct program *program = reference->program;

    for (unsigned cpu = 0; cpu < program->groups * program->per_group; cpu++) {
        uint64_t left = reference_counters(reference, actor, cpu);
        const char *separator = "";

        fprintf(out, "          - {counters: {owner: %s, cpu: %u}, is: [",
            actor_names[actor], cpu);
        for (unsigned i = 0; i < 64; i++) {
            if ((left >> i & 1) != 0) {
                fprintf(out, "%s%u", separator, i);
                separator = ", ";
            }
        }
        fprintf(out, "]}\n");
    }
}

static void write_owners(const struct reference *reference, FILE *out)
{
    const struct program *program = reference->program;

    for (unsigned cpu = 0; cpu < program->groups * program->per_group; cpu++) {
        const char *separator = "";

        fprintf(out, "          - {owners: {cpu: %u}, is: [", cpu);
        for (unsigned i = 0; i < PROGRAM_ACTORS; i++) {
            if (reference_counters(reference, i, cpu) != 0) {
                fprintf(out, "%s%s", separator, actor_names[i]);
                separator = ", ";
            }
        }
        fprintf(out, "]}\n");
    }
}

static void write_state(
    const struct reference *reference, unsigned actor, FILE *out)
{
    fprintf(out, "      - state:\n");
    write_owners(reference, out);
    write_counters(reference, actor, out);
    fprintf(out, "          - {irql: {cpu: %u}, is: %u}\n",
        processor_of(reference->program, actor),
        (unsigned)reference->level[actor]);
    fprintf(out, "          - {configured: system, is: ");
    write_elements(reference->configured, reference->configured_count, out);
    fprintf(out, "}\n");
}

static void write_results(const struct reference *reference,
    const struct program_step *step, const struct answer *answer, FILE *out)
{
    if (answer->faulted) {
        fprintf(out, "      - {raises: ACCESS_VIOLATION}\n");
    }
    if (answer->status != NULL) {
        fprintf(out, "      - {status: %s}\n", answer->status);
    }
    if (answer->level_given) {
        fprintf(out, "      - {returns: %u}\n", (unsigned)answer->level);
    }
    if (step->kind == ACT_ALLOCATE && !step->no_handle &&
        answer->status != NULL) {
        fprintf(out, "      - {out: {CounterSetHandle: %s}}\n",
            answer->granted ? "{not: null}" : "null"); /* HAL-ALLOC-06 */
    }
    if (answer->count_given) {
        fprintf(out, "      - {out: {Count: %" PRIu32 "}}\n", answer->count);
    }
    if (step->kind == ACT_QUERY && step->array_given && !reference->stopped) {
        fprintf(out, "      - {out: {CounterArray: ");
        if (answer->array_given) {
            struct element all[PROGRAM_ELEMENTS];

            /* KHC-QRY-11: what is not written stays as buffers begin. */
            for (uint32_t i = 0; i < step->count; i++) {
                all[i] = i < reference->configured_count
                             ? reference->configured[i]
                             : (struct element){UINT32_C(0xA5A5A5A5),
                                   UINT32_C(0xA5A5A5A5),
                                   UINT64_C(0xA5A5A5A5A5A5A5A5)};
            }
            write_elements(all, step->count, out);
        } else {
            fprintf(out, "unchanged");
        }
        fprintf(out, "}}\n");
    }
}

static void write_answer(const struct reference *reference,
    const struct program_step *step, const struct answer *answer, FILE *out)
{
    fprintf(out, "    expect:\n");
    write_results(reference, step, answer, out);
    fprintf(out, "      - {violations: [");
    for (size_t i = 0; i < answer->rule_count; i++) {
        fprintf(out, "%s{rule: %s}", i == 0 ? "" : ", ", answer->rule[i]);
    }
    fprintf(out, "]}\n");
    if (reference->stopped) {
        fprintf(out,
            "      - {bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, p2: %u}}\n",
            (unsigned)reference->level[step->actor]);
    }
    write_state(reference, step->actor, out);
}

/* Whether a later step frees the set of this one, or the end does. */
static bool is_freed(const struct program *program, size_t at)
{
    const unsigned number = program->step[at].number;
    struct reference reference;

    reference_start(&reference, program);
    for (size_t i = 0; i < program->count && !reference.stopped; i++) {
        if (i > at && program->step[i].kind == ACT_FREE &&
            program->step[i].freed == number) {
            return true;
        }
        reference_step(&reference, &program->step[i]);
    }
    return !reference.stopped;
}

static void write_step(
    struct reference *reference, const struct program_step *step, FILE *out)
{
    const struct program *program = reference->program;
    struct answer answer;

    write_call(reference, step, out);
    answer = reference_step(reference, step);
    if (answer.granted && is_freed(program, (size_t)(step - program->step))) {
        fprintf(out, "    save: {h%u: out.CounterSetHandle}\n", step->number);
    }
    write_answer(reference, step, &answer, out);
}

/* Levels go back and sets are freed, as drivers have to. */
static void write_end(struct reference *reference, FILE *out)
{
    for (unsigned i = 0; i < PROGRAM_ACTORS; i++) {
        const struct program_step lower = {.kind = ACT_LOWER, .actor = i};

        while (reference->left_count[i] > 0) {
            write_step(reference, &lower, out);
        }
    }
    for (size_t i = 0; i < reference->set_count; i++) {
        if (reference->set[i].live) {
            const struct program_step give = {.kind = ACT_FREE,
                .actor = reference->set[i].actor,
                .freed = reference->set[i].number};

            write_step(reference, &give, out);
        }
    }
}

/* How many steps come to run. */
static size_t steps_run(const struct program *program)
{
    struct reference reference;
    size_t count = 0;

    reference_start(&reference, program);
    while (count < program->count && !reference.stopped) {
        reference_step(&reference, &program->step[count++]);
    }
    return count;
}

void program_write(
    const struct program *program, const char *rulings, FILE *out)
{
    struct program run = *program;
    struct reference reference;

    run.count = steps_run(program);
    reference_start(&reference, &run);
    write_head(&run, rulings, out);
    for (size_t i = 0; i < run.count; i++) {
        write_step(&reference, &run.step[i], out);
    }
    if (!reference.stopped) {
        write_end(&reference, out);
    }
}
