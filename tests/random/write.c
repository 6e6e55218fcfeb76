/* write.c - random programs as YAML: each step with what the reference says of
 * it, and of counters, levels and sets behind it. */
#define _GNU_SOURCE
#include "tests/random/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random/writing.h"

const char *const writing_actors[PROGRAM_ACTORS] = {"drvA", "drvB", "drvC"};

/* The number of the step whose handle this one uses, and which kind it is. */
static bool uses(
    const struct program_step *step, enum act kind, unsigned number)
{
    if (kind == ACT_ALLOCATE) {
        return step->kind == ACT_FREE && step->of == number;
    }
    if (kind == ACT_REGISTER) {
        return (step->kind == ACT_UNREGISTER && step->of == number) ||
               (step->kind == ACT_CREATE &&
                   step->creating.fault != FAULT_NULL_REGISTRATION &&
                   step->creating.registration == number);
    }
    if (kind == ACT_CREATE) {
        return step->kind == ACT_CLOSE && step->of == number;
    }
    return (step->kind == ACT_CLOSE_QUERY && step->of == number) ||
           (step->kind == ACT_COLLECT && step->asking.query == number);
}

bool writing_is_saved(
    const struct writing *writing, const struct program_step *step)
{
    const struct program *program = writing->program;

    for (size_t i = 0; i < program->count; i++) {
        if (program->step[i].number > step->number &&
            uses(&program->step[i], step->kind, step->number)) {
            return true;
        }
    }
    /* In the end instances go with their registrations. */
    return !writing->stops && step->kind != ACT_CREATE;
}

static void write_save(
    const struct writing *writing, const struct program_step *step)
{
    if (!writing_is_saved(writing, step)) {
        return;
    }
    if (step->kind == ACT_ALLOCATE) {
        fprintf(writing->out, "    save: {h%u: out.CounterSetHandle}\n",
            step->number);
    } else if (step->kind == ACT_REGISTER) {
        fprintf(
            writing->out, "    save: {r%u: out.Registration}\n", step->number);
    } else if (step->kind == ACT_CREATE) {
        fprintf(writing->out, "    save: {i%u: out.Instance}\n", step->number);
    } else {
        fprintf(writing->out, "    save: {q%u: query}\n", step->number);
    }
}

static void write_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer)
{
    FILE *out = writing->out;

    fprintf(out, "    expect:\n");
    if (answer->faulted) {
        fprintf(out, "      - {raises: ACCESS_VIOLATION}\n");
    }
    if (answer->status != NULL) {
        fprintf(out, "      - {status: %s}\n", answer->status);
    }
    if (answer->level_given) {
        fprintf(out, "      - {returns: %u}\n", (unsigned)answer->level);
    }
    write_claim_results(writing, step, answer);
    write_counting_results(writing, step, answer);
    write_pcw_results(writing, step, answer);
    fprintf(out, "      - {violations: [");
    for (size_t i = 0; i < answer->rule_count; i++) {
        fprintf(out, "%s{rule: %s}", i == 0 ? "" : ", ", answer->rule[i]);
    }
    fprintf(out, "]}\n");
    if (answer->bugcheck != NULL) {
        fprintf(out, "      - {bugcheck: {code: %s", answer->bugcheck);
        if (strcmp(answer->bugcheck, "IRQL_NOT_LESS_OR_EQUAL") == 0) {
            fprintf(out, ", p2: %u",
                (unsigned)writing->reference.level[step->actor]);
        }
        fprintf(out, "}}\n");
    }
}

static void write_state(
    const struct writing *writing, const struct program_step *step)
{
    fprintf(writing->out,
        "      - state:\n          - {irql: {cpu: %u}, is: %u}\n", step->actor,
        (unsigned)writing->reference.level[step->actor]);
    for (unsigned i = 0; step->kind <= ACT_FREE &&
                         i < machine_processors(&writing->program->machine);
         i++) {
        write_buffer_state(writing, i);
    }
    if (step->kind <= ACT_LOWER) {
        write_claim_state(writing, step->actor);
        write_counting_state(writing, step->actor);
    } else if (step->kind <= ACT_RUN) {
        write_counting_state(writing, step->counting.processor);
        write_buffer_state(writing, step->counting.processor);
    }
}

static void write_step(struct writing *writing, const struct program_step *step)
{
    struct answer answer;

    fprintf(writing->out, "  - as: %s\n", writing_actors[step->actor]);
    if (step->kind <= ACT_LOWER) {
        write_claim_call(writing, step);
    } else if (step->kind == ACT_RESET) {
        write_buffer_reset(writing, step);
    } else if (step->kind <= ACT_RUN) {
        write_counting_call(writing, step);
    } else {
        write_pcw_call(writing, step);
    }
    reference_step(&writing->reference, step, &answer);
    if (answer.granted) {
        write_save(writing, step);
    }
    write_results(writing, step, &answer);
    write_state(writing, step);
    write_buffer_told(writing, step, &answer);
}

/* Levels go back, queries are closed, sets are freed and unregistered, as
 * drivers have to. */
static void write_end(struct writing *writing)
{
    const struct reference *reference = &writing->reference;
    const struct pcw_state *pcw = &reference->pcw;

    for (unsigned i = 0; i < writing->program->actors; i++) {
        while (reference->left_count[i] > 0) {
            write_step(
                writing, &(struct program_step){.kind = ACT_LOWER, .actor = i});
        }
    }
    for (size_t i = 0; i < pcw->query_count; i++) {
        if (pcw->query[i].live) {
            write_step(writing, &(struct program_step){.kind = ACT_CLOSE_QUERY,
                                    .actor = pcw->query[i].step->actor,
                                    .of = pcw->query[i].step->number});
        }
    }
    for (size_t i = 0; i < pcw->registration_count; i++) {
        if (pcw->registration[i].live) {
            write_step(writing, &(struct program_step){.kind = ACT_UNREGISTER,
                                    .actor = pcw->registration[i].step->actor,
                                    .of = pcw->registration[i].step->number});
        }
    }
    for (size_t i = 0; i < reference->set_count; i++) {
        if (reference->set[i].live) {
            write_step(writing, &(struct program_step){.kind = ACT_FREE,
                                    .actor = reference->set[i].actor,
                                    .of = reference->set[i].step->number});
        }
    }
}

/* Every actor does something, so that each has the processor of its place. */
static void write_actors(const struct program *program, FILE *out)
{
    for (unsigned i = 0; i < program->actors; i++) {
        fprintf(out,
            "  - {as: %s, call: KeGetCurrentIrql, expect: {returns: 0}}\n",
            writing_actors[i]);
    }
}

static void write_memory(const struct writing *writing, FILE *out)
{
    bool is_used = writing->full && writing->program->machine.model->has_pebs;

    for (unsigned i = 0; i < PROGRAM_BLOCKS; i++) {
        is_used = is_used || writing->block[i];
    }
    if (is_used) {
        fprintf(out, "memory:\n");
        write_pcw_blocks(writing, out);
        write_buffer_blocks(writing, out);
    }
}

static void write_head(struct writing *writing, const char *rulings, FILE *out)
{
    const struct machine *machine = &writing->program->machine;
    char *callbacks = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&callbacks, &size);

    if (stream == NULL) {
        abort();
    }
    write_counting_head(writing, stream);
    write_buffer_head(writing, stream);
    write_pcw_callbacks(writing, stream);
    fclose(stream);
    fprintf(out,
        "ntpmu: 1\nid: random.program\ntitle: A random program\n"
        "machine: {os: %s, arch: %s, groups: [%u",
        machine_windows(machine->windows),
        machine_architecture(machine->architecture), machine->size[0]);
    for (unsigned i = 1; i < machine->groups; i++) {
        fprintf(out, ", %u", machine->size[i]);
    }
    fprintf(out, "], pmu: {model: %s, latency: %u, skid: %u",
        machine->model->name, machine->latency, machine->skid);
    if (machine->model->may_have_fewer) {
        fprintf(
            out, ", general: %u, fixed: %u", machine->general, machine->fixed);
    }
    if (machine->model->any_width) {
        fprintf(out, ", width: %u", machine->width_bits);
    }
    fprintf(out, "}}\nactors: [drvA%s%s]\n",
        writing->program->actors > 1 ? ", drvB" : "",
        writing->program->actors > 2 ? ", drvC" : "");
    fprintf(out, "%s", machine->silos ? "silos: {drvB: 1}\n" : "");
    write_memory(writing, out);
    fprintf(out, "%s%s", size > 0 ? "callbacks:\n" : "", callbacks);
    if (rulings != NULL) {
        fprintf(out, "rulings: {%s}\n", rulings);
    }
    fprintf(out, "steps:\n");
    free(callbacks);
}

/* How many steps come to run, and what they do to callbacks. */
static size_t look_ahead(const struct program *program, struct writing *writing)
{
    size_t count = 0;

    memset(writing->runs, 0, sizeof(writing->runs));
    reference_start(&writing->reference, program);
    while (count < program->count && !writing->reference.stopped) {
        struct answer answer;

        reference_step(&writing->reference, &program->step[count++], &answer);
        for (unsigned i = 0; i < PROGRAM_CALLBACKS; i++) {
            writing->runs[i] += answer.pcw.runs[i];
        }
    }
    writing->stops = writing->reference.stopped;
    return count;
}

/* A query that nobody uses, where a bug check keeps it from being closed:
 * scenarios may not have one. Returns whether there was one. */
static bool leave_out_queries(struct program *program)
{
    size_t count = 0;

    for (size_t i = 0; i < program->count; i++) {
        const struct program_step *step = &program->step[i];
        bool used = step->kind != ACT_OPEN;

        for (size_t n = i + 1; n < program->count; n++) {
            used = used || uses(&program->step[n], ACT_OPEN, step->number);
        }
        if (used) {
            program->step[count++] = *step;
        }
    }
    if (count == program->count) {
        return false;
    }
    program->count = count;
    return true;
}

void program_write(
    const struct program *program, const char *rulings, FILE *out)
{
    struct program run = *program;
    struct writing writing = {.program = &run};
    char *steps = NULL;
    size_t size = 0;

    run.count = look_ahead(&run, &writing);
    if (writing.stops && leave_out_queries(&run)) {
        look_ahead(&run, &writing);
    }
    writing.out = open_memstream(&steps, &size);
    if (writing.out == NULL) {
        abort();
    }
    reference_start(&writing.reference, &run);
    write_actors(&run, writing.out);
    for (size_t i = 0; i < run.count; i++) {
        write_step(&writing, &run.step[i]);
    }
    if (!writing.stops) {
        write_end(&writing);
    }
    fclose(writing.out);
    write_head(&writing, rulings, out);
    fprintf(out, "%s", steps);
    free(steps);
}
