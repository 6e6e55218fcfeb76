/* write_counting.c - counters of random programs, and the handlers that their
 * overflows call, as steps of a scenario. */
#include <inttypes.h>

#include "tests/random/writing.h"

enum { SHOWN = 12 /* calls of handlers whose order is asked for */ };

static bool is_arm(const struct writing *writing)
{
    return writing->program->machine.model->registers == REGISTERS_ARM;
}

/* The register that counts. */
static void write_counter(
    const struct machine *machine, uint32_t index, FILE *out)
{
    static const char *const names[] = {
        [REGISTERS_INTEL] = "IA32_PMC",
        [REGISTERS_AMD_LEGACY] = "PERF_LEGACY_CTR",
        [REGISTERS_AMD] = "PERF_CTR",
    };
    const struct model *model = machine->model;

    if (model->registers == REGISTERS_ARM) {
        fprintf(out, "PMEVCNTR%" PRIu32 "_EL0", index);
    } else if (index < model->fixed_first) {
        fprintf(out, "%s%" PRIu32, names[model->registers], index);
    } else {
        fprintf(out, "IA32_FIXED_CTR%" PRIu32, index - model->fixed_first);
    }
}

static void write_status(const struct machine *machine, FILE *out)
{
    static const char *const names[] = {
        [REGISTERS_INTEL] = "IA32_PERF_GLOBAL_STATUS",
        [REGISTERS_AMD] = "PERF_CNTR_GLOBAL_STATUS",
        [REGISTERS_ARM] = "PMOVSSET_EL0",
    };

    fprintf(out, "%s", names[machine->model->registers]);
}

/* A write of a driver of Arm's, before the one that the step is about. */
static void write_before(struct writing *writing,
    const struct program_step *step, const char *name, uint64_t value,
    const char *violations)
{
    fprintf(writing->out,
        "    msr: {cpu: %u, register: %s, value: 0x%" PRIX64 "}\n"
        "    expect: {violations: [%s]}\n  - as: %s\n",
        step->counting.processor, name, value, violations,
        writing_actors[step->actor]);
}

/* What `program` does on x86. Arm's interrupt is that of a bit that is set, so
 * that is cleared first; bit 31 of a type leaves out EL1. */
static void write_program_arm(
    struct writing *writing, const struct program_step *step)
{
    static const unsigned events[EVENTS] = {[EVENT_INSTRUCTIONS] = 0x08,
        [EVENT_BRANCHES] = 0x21,
        [EVENT_CYCLES] = 0x11};
    const struct counting *counting = &step->counting;
    const uint64_t bit = UINT64_C(1) << counting->index;
    char type[32], counter[32];

    snprintf(type, sizeof(type), "PMEVTYPER%" PRIu32 "_EL0", counting->index);
    snprintf(
        counter, sizeof(counter), "PMEVCNTR%" PRIu32 "_EL0", counting->index);
    write_before(writing, step, "PMCNTENCLR_EL0", bit, "");
    write_before(writing, step, "PMOVSCLR_EL0", bit,
        reference_pmu_loses(&writing->reference, counting)
            ? "{rule: hal.status.written}"
            : "");
    write_before(writing, step, type, 0x80000000 | events[counting->event], "");
    write_before(writing, step, counter, counting->value, "");
    write_before(writing, step,
        counting->interrupts ? "PMINTENSET_EL1" : "PMINTENCLR_EL1", bit, "");
    write_before(writing, step, "PMCR_EL0", 1, "");
    fprintf(writing->out,
        "    msr: {cpu: %u, register: PMCNTENSET_EL0, value: 0x%" PRIX64 "}\n",
        counting->processor, bit);
}

static void write_program(
    struct writing *writing, const struct program_step *step)
{
    static const char *const events[EVENTS] = {
        [EVENT_INSTRUCTIONS] = "instructions",
        [EVENT_BRANCHES] = "branches",
        [EVENT_CYCLES] = "core_cycles"};
    const struct machine *machine = &writing->program->machine;
    const struct counting *counting = &step->counting;

    if (is_arm(writing)) {
        write_program_arm(writing, step);
        return;
    }
    fprintf(writing->out, "    program: {cpu: %u, counter: %" PRIu32,
        counting->processor, counting->index);
    if (counting->index < machine->model->fixed_first) {
        fprintf(writing->out, ", event: %s", events[counting->event]);
    }
    if (counting->value != 0) {
        fprintf(writing->out, ", period: %" PRIu64,
            (UINT64_C(1) << machine->width_bits) - counting->value);
    }
    fprintf(writing->out, ", ring: user%s}\n",
        counting->interrupts ? ", pmi: true" : "");
}

/* The fields of the fixed counters but that of the one that stops. */
static uint64_t control_of(
    const struct processor_state *state, uint32_t first, uint32_t stopped)
{
    uint64_t control = 0;

    for (uint32_t i = 0; i < 4; i++) {
        const struct counter_state *counter = &state->counter[first + i];

        if (counter->running && first + i != stopped) {
            control |= (counter->interrupts ? UINT64_C(0xA) : 0x2) << 4 * i;
        }
    }
    return control;
}

static void write_stop(struct writing *writing, const struct counting *counting)
{
    static const char *const names[] = {
        [REGISTERS_INTEL] = "IA32_PERFEVTSEL",
        [REGISTERS_AMD_LEGACY] = "PERF_LEGACY_CTL",
        [REGISTERS_AMD] = "PERF_CTL",
    };
    const struct model *model = writing->program->machine.model;
    FILE *out = writing->out;

    if (is_arm(writing)) {
        fprintf(out,
            "    msr: {cpu: %u, register: PMCNTENCLR_EL0, value: 0x%X}\n",
            counting->processor, 1U << counting->index);
    } else if (counting->index < model->fixed_first) {
        fprintf(out, "    wrmsr: {cpu: %u, index: %s%" PRIu32 ", value: 0x0}\n",
            counting->processor, names[model->registers], counting->index);
    } else {
        fprintf(out,
            "    wrmsr: {cpu: %u, index: IA32_FIXED_CTR_CTRL, value: 0x%" PRIX64
            "}\n",
            counting->processor,
            control_of(&writing->reference.processor[counting->processor],
                model->fixed_first, counting->index));
    }
}

static void write_register(struct writing *writing,
    const struct counting *counting, const char *name, uint64_t value)
{
    FILE *out = writing->out;

    fprintf(out, "    %s: {cpu: %u, %s: ", is_arm(writing) ? "msr" : "wrmsr",
        counting->processor, is_arm(writing) ? "register" : "index");
    if (name != NULL) {
        fprintf(out, "%s", name);
    } else {
        write_counter(&writing->program->machine, counting->index, out);
    }
    fprintf(out, ", value: 0x%" PRIX64 "}\n", value);
}

static void write_read(struct writing *writing, const struct counting *counting)
{
    const uint32_t fixed_first = writing->program->machine.model->fixed_first;
    FILE *out = writing->out;

    if (is_arm(writing)) {
        fprintf(out, "    mrs: {cpu: %u, register: ", counting->processor);
        write_counter(&writing->program->machine, counting->index, out);
        fprintf(out, "}\n");
    } else {
        fprintf(out, "    rdpmc: {cpu: %u, index: 0x%" PRIX32 "}\n",
            counting->processor,
            counting->index < fixed_first
                ? counting->index
                : UINT32_C(0x40000000) + counting->index - fixed_first);
    }
}

/* Behind the user's code as much of the kernel's as an interrupt of its last
 * cycle takes to come. */
static void write_run(struct writing *writing, const struct counting *counting)
{
    const struct machine *machine = &writing->program->machine;

    fprintf(writing->out,
        "    run: {cpu: %u, segments: [{cycles: %" PRIu32
        ", ring: user, ip: 0x%" PRIX32
        ", rates: {instructions: %u/%u, branches: %u/%u}}, "
        "{cycles: %u, ring: kernel, rates: {}}]}\n",
        counting->processor, counting->cycles, counting->ip,
        counting->rate[EVENT_INSTRUCTIONS].p,
        counting->rate[EVENT_INSTRUCTIONS].q, counting->rate[EVENT_BRANCHES].p,
        counting->rate[EVENT_BRANCHES].q,
        machine->latency + machine->skid + 50);
}

void write_counting_call(
    struct writing *writing, const struct program_step *step)
{
    static const char *const clears[] = {
        [REGISTERS_INTEL] = "IA32_PERF_GLOBAL_OVF_CTRL",
        [REGISTERS_AMD] = "PERF_CNTR_GLOBAL_STATUS_CLR",
        [REGISTERS_ARM] = "PMOVSCLR_EL0",
    };
    const struct counting *counting = &step->counting;

    if (step->kind == ACT_PROGRAM) {
        write_program(writing, step);
    } else if (step->kind == ACT_STOP) {
        write_stop(writing, counting);
    } else if (step->kind == ACT_WRITE) {
        write_register(writing, counting, NULL, counting->value);
    } else if (step->kind == ACT_CLEAR) {
        write_register(writing, counting,
            clears[writing->program->machine.model->registers],
            UINT64_C(1) << counting->index);
    } else if (step->kind == ACT_READ) {
        write_read(writing, counting);
    } else {
        write_run(writing, counting);
    }
}

/* Of all calls of a handler: how many, and what they have in common. */
static void write_handler(const struct writing *writing,
    const struct answer *answer, const struct reload *reload, const char *name)
{
    const struct reference *reference = &writing->reference;
    const struct handler_call *first = NULL;
    bool same_set = true, same_bits = true;
    unsigned runs = 0;

    for (size_t i = 0; i < answer->call_count; i++) {
        const struct handler_call *call = &answer->call[i];
        const struct held_set *set = &reference->set[call->set];

        if (call->entries > 0 ||
            (reload == NULL
                    ? set->reload.used
                    : !set->reload.used || set->reload.slot != reload->slot)) {
            continue;
        }
        runs++;
        first = first == NULL ? call : first;
        same_set = same_set && call->set == first->set;
        same_bits = same_bits && call->bits == first->bits;
    }
    fprintf(writing->out, "{name: %s, runs: %u", name, runs);
    if (first != NULL) {
        const struct program_step *step = reference->set[first->set].step;

        fprintf(
            writing->out, ", cpu: %u, irql: PROFILE_LEVEL", first->processor);
        if (same_set && writing_is_saved(writing, step)) {
            fprintf(writing->out, ", args: {OwningHandle: $h%u", step->number);
            if (same_bits) {
                fprintf(
                    writing->out, ", OverflowBits: 0x%" PRIX64, first->bits);
            }
            fprintf(writing->out, "}");
        }
    }
    fprintf(writing->out, "}");
}

static void write_handlers(
    const struct writing *writing, const struct answer *answer)
{
    const char *separator = "";

    fprintf(writing->out, "      - {handler: [");
    if (writing->full) {
        write_buffer_handler(writing, answer);
        separator = ", ";
    }
    if (writing->plain) {
        fprintf(writing->out, "%s", separator);
        write_handler(writing, answer, NULL, "plain");
        separator = ", ";
    }
    for (unsigned i = 0; i < PROGRAM_RELOADS; i++) {
        char name[16];

        if (writing->reload[i] != NULL) {
            snprintf(name, sizeof(name), "load%u", i);
            fprintf(writing->out, "%s", separator);
            write_handler(writing, answer, writing->reload[i], name);
            separator = ", ";
        }
    }
    fprintf(writing->out, "]}\n");
}

/* The first calls in their order, and the cycle of the first overflow where it
 * is its counter's only one. */
static void write_events(
    const struct writing *writing, const struct answer *answer)
{
    FILE *out = writing->out;

    if (answer->call_count > 0) {
        fprintf(out, "      - {events: {in_order: [");
        for (size_t i = 0; i < answer->call_count && i < SHOWN; i++) {
            const struct handler_call *call = &answer->call[i];

            fprintf(out, "%s", i == 0 ? "" : ", ");
            if (call->entries > 0) {
                write_buffer_event(writing, call);
            } else {
                fprintf(out,
                    "{event: handler_enter, set: %zu, bits: 0x%" PRIX64 "}",
                    call->set + 1, call->bits);
            }
        }
        fprintf(out, "]}}\n");
    }
    if (answer->overflow_given &&
        answer->overflows[answer->overflow_index] == 1) {
        fprintf(out,
            "      - {events: {at: {event: overflow, counter: %" PRIu32
            ", cycle: %" PRIu32 "}}}\n",
            answer->overflow_index, answer->overflow_cycle);
    }
}

void write_counting_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer)
{
    bool handlers = writing->plain || writing->full;

    for (unsigned i = 0; i < PROGRAM_RELOADS; i++) {
        handlers = handlers || writing->reload[i] != NULL;
    }
    if (answer->protection) {
        fprintf(writing->out, "      - {raises: GP}\n");
    }
    if (answer->value_given) {
        fprintf(
            writing->out, "      - {value: 0x%" PRIX64 "}\n", answer->value);
    }
    if (handlers && (step->kind == ACT_RUN || step->kind == ACT_LOWER)) {
        write_handlers(writing, answer);
    }
    write_events(writing, answer);
}

void write_counting_state(const struct writing *writing, unsigned processor)
{
    const struct machine *machine = &writing->program->machine;
    const struct processor_state *state =
        &writing->reference.processor[processor];
    const char *probe = is_arm(writing) ? "sysreg" : "msr";
    const char *key = is_arm(writing) ? "register" : "index";
    FILE *out = writing->out;

    for (uint32_t i = 0; i < MACHINE_INDEXES; i++) {
        if (state->counter[i].touched) {
            fprintf(
                out, "          - {%s: {cpu: %u, %s: ", probe, processor, key);
            write_counter(machine, i, out);
            fprintf(out, "}, is: 0x%" PRIX64 "}\n", state->counter[i].value);
        }
    }
    if (machine->model->has_status) {
        fprintf(out, "          - {%s: {cpu: %u, %s: ", probe, processor, key);
        write_status(machine, out);
        fprintf(out, "}, is: 0x%" PRIX64 "}\n", state->status);
    }
    if (!is_arm(writing)) {
        fprintf(out, "          - {pending: {cpu: %u}, is: {len: %u}}\n",
            processor, state->requested ? 1U : 0U);
    }
}

void write_counting_head(const struct writing *writing, FILE *out)
{
    const bool arm = is_arm(writing);

    if (writing->plain) {
        fprintf(out, "  plain: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, "
                     "do: []}\n");
    }
    for (unsigned i = 0; i < PROGRAM_RELOADS; i++) {
        const struct reload *reload = writing->reload[i];

        if (reload == NULL) {
            continue;
        }
        fprintf(out,
            "  load%u: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: [{%s: "
            "{%s: ",
            i, arm ? "msr" : "wrmsr", arm ? "register" : "index");
        write_counter(&writing->program->machine, reload->index, out);
        fprintf(out, ", value: 0x%" PRIX64 "}}]}\n", reload->value);
    }
}
