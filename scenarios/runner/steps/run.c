/* run.c - run: a stretch of code, or several one after another, with events at
 * given rates. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/ke/kthread.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/rate.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/code_functions.h"
#include "scenarios/runner/steps/steps.h"
#include "sim/pmu/mix.h"

/* A stretch of code. */
struct run_part {
    struct segment segment;      /* clocks not filled in */
    uint64_t burst[EVENT_COUNT]; /* happens at its beginning, at once */
};

struct code_run {
    struct run_part *part; /* one after another */
    size_t count;
    uint64_t repeat; /* how many times all of them */
};

/* What stands behind an event's name. */
typedef void read_event(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part);

/* An event that a workload decides about: no clock. */
static bool find_event(
    struct reader *reader, const struct node *key, enum event *event)
{
    const struct schema *schema = &reader->scope.schema;
    struct suggestion suggestion = suggest_for(key->text);

    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (event_rows[i].clock) {
            continue;
        }
        if (strcmp(event_rows[i].name, key->text) == 0) {
            *event = i;
            return true;
        }
        suggest_offer(&suggestion, event_rows[i].name);
    }
    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, key,
        "no event '%s' that a workload can give a rate", key->text);
    schema_suggest(schema, &suggestion);
    return false;
}

static void read_events(struct reader *reader, const struct node *table,
    const char *form, read_event *read, struct run_part *part)
{
    enum event event;

    if (table->kind != NODE_MAPPING) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, table,
            "expected {event: %s}", form);
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (find_event(reader, table->entry[i].key, &event)) {
            read(reader, table->entry[i].value, event, part);
        }
    }
}

static void read_some_events(struct reader *reader, const struct node *table,
    const char *form, read_event *read, struct run_part *part)
{
    if (table->kind == NODE_MAPPING && table->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, table,
            "expected at least one {event: %s}", form);
        return;
    }
    read_events(reader, table, form, read, part);
}

static void read_event_rate(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part)
{
    rate_read(
        &reader->scope.schema, value, "cycle", &part->segment.rate[event]);
}

static void read_rates(
    struct reader *reader, const struct node *rates, struct run_part *part)
{
    /* None at all say that nothing happens. */
    read_events(reader, rates, "events per cycle", read_event_rate, part);
}

static void read_event_total(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part)
{
    const struct schema *schema = &reader->scope.schema;
    struct rate rate = {.q = part->segment.cycles};

    if (!schema_number(schema, value, 0, LIMIT_SEGMENT_EVENTS, &rate.p)) {
        return;
    }
    if (!rate_is_possible(rate.p, rate.q)) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, value,
            "%s events do not fit in %" PRIu64 " cycle%s", value->text, rate.q,
            rate.q == 1 ? "" : "s");
        diagnostics_hint(schema->diagnostics,
            "at most 64 happen in a cycle; burst: {%s: n} lets them happen at "
            "once",
            event_rows[event].name);
        return;
    }
    part->segment.rate[event] = rate;
}

static void read_totals(struct reader *reader, const struct node *totals,
    const struct node *rates, struct run_part *part)
{
    const struct schema *schema = &reader->scope.schema;

    read_some_events(reader, totals, "events in all", read_event_total, part);
    if (totals->kind != NODE_MAPPING || rates == NULL ||
        rates->kind != NODE_MAPPING) {
        return;
    }
    for (size_t i = 0; i < totals->count; i++) {
        const struct node *key = totals->entry[i].key;

        if (node_get(rates, key->text) != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                "rates and events both say how often %s happen", key->text);
            diagnostics_hint(schema->diagnostics, "leave one of them out");
        }
    }
}

static void read_event_burst(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part)
{
    schema_number(&reader->scope.schema, value, 1, LIMIT_SEGMENT_EVENTS,
        &part->burst[event]);
}

static void read_burst(
    struct reader *reader, const struct node *burst, struct run_part *part)
{
    read_some_events(reader, burst, "events at once", read_event_burst, part);
}

/* All keys of a stretch but those that halt the processor say what code does,
 * and mean nothing where none runs. */
static void refuse_in_halt(struct reader *reader, const struct node *node)
{
    static const char *const keys[] = {
#define SEGMENT_KEY(key, ...) key,
#include "scenarios/runner/language/segment_keys.def"
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        bool halts =
            strcmp(keys[i], "mix") == 0 || strcmp(keys[i], "halted") == 0;

        if (!halts && node_get(node, keys[i]) != NULL) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT,
                node_key(node, keys[i]),
                "a halted processor runs nothing, so '%s' means nothing",
                keys[i]);
        }
    }
}

/* halted and mix, which both can halt the processor. */
static void read_halted(
    struct reader *reader, const struct node *node, struct segment *segment)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *mix = node_get(node, "mix");
    const struct node *halted = node_get(node, "halted");
    bool value = segment->halted;

    if (halted != NULL && !schema_bool(schema, halted, &value)) {
        return;
    }
    if (halted != NULL && mix != NULL) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, "halted"),
            "mix says already whether the processor is halted");
        diagnostics_hint(schema->diagnostics, "idle is, the others are not");
        return;
    }
    segment->halted = value;
    if (segment->halted) {
        refuse_in_halt(reader, node);
    }
}

/* What happens in it: one instruction a cycle where nothing says it; else what
 * is said, and of a mix what nothing else is said about. */
static void read_happening(
    struct reader *reader, const struct node *node, struct run_part *part)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *mix = node_get(node, "mix");
    const struct node *rates = node_get(node, "rates");
    const struct node *totals = node_get(node, "events");
    size_t index;

    if (mix == NULL && rates == NULL && totals == NULL) {
        part->segment.rate[EVENT_INSTRUCTIONS].p = 1;
    }
    if (mix != NULL &&
        schema_name(schema, mix, "mix", name_of_mix, NULL, &index)) {
        mix_apply(&part->segment, (enum mix)index);
    }
    if (rates != NULL) {
        read_rates(reader, rates, part);
    }
    if (totals != NULL) {
        read_totals(reader, totals, rates, part);
    }
    if (node_get(node, "burst") != NULL) {
        read_burst(reader, node_get(node, "burst"), part);
    }
    read_halted(reader, node, &part->segment);
}

/* `of`: the step. */
static void read_ring(struct reader *reader, const struct node *node,
    const struct step *of, enum ring *ring)
{
    if (node_is_word(node, "user")) {
        *ring = RING_USER;
    } else if (node_is_word(node, "kernel")) {
        *ring = RING_KERNEL;
        if (scenario_step_is_of_program(reader->scenario, of)) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
                "'%s' is a process, and its code runs in user mode",
                scenario_driver(reader->scenario, of->actor)->name);
            diagnostics_hint(reader->scope.schema.diagnostics,
                "leave ring out, or let an actor, a driver, do it");
        }
    } else {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "expected user or kernel");
    }
}

static void read_place(const struct schema *schema, const struct node *node,
    struct code_place *place)
{
    if (node_get(node, "ip") != NULL) {
        schema_key_number(
            schema, MAPPING_SEGMENT, "ip", node_get(node, "ip"), &place->ip);
    }
    if (node_get(node, "next_ip") != NULL) {
        schema_key_number(schema, MAPPING_SEGMENT, "next_ip",
            node_get(node, "next_ip"), &place->next_ip);
    }
}

/* Cycles that are wrong are reported once, and then the most that there can be:
 * any total fits in them. */
static void read_part(struct reader *reader, const struct node *node,
    const struct step *of, struct run_part *part)
{
    const struct node *cycles = node_get(node, "cycles");
    uint64_t number = LIMIT_SEGMENT_CYCLES;

    if (cycles != NULL) {
        duration_read_key(&reader->scope.schema, MAPPING_SEGMENT, "cycles",
            cycles, reader->scenario->machine.pmu.mhz, &number);
    }
    segment_init(
        &part->segment, &reader->scenario->machine.pmu, 0, number, RING_USER);
    if (node_get(node, "ring") != NULL) {
        read_ring(reader, node_get(node, "ring"), of, &part->segment.ring);
    }
    read_place(&reader->scope.schema, node, &part->segment.place);
    part->segment.code = code_functions_read(reader, node);
    read_happening(reader, node, part);
}

/* Keys of a segment beside the list of them. */
static void refuse_beside_segments(
    struct reader *reader, const struct node *node)
{
    const struct key_rows_of rows = key_rows_of(MAPPING_SEGMENT);

    for (size_t i = 0; i < rows.count; i++) {
        const struct node *key = node_key(node, rows.first[i].key);

        if (key != NULL && rows.first[i].presence == OPTIONAL) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' belongs to each entry of segments", key->text);
        }
    }
}

static void make_parts(
    struct reader *reader, struct code_run *run, size_t count)
{
    run->part =
        talloc_zero_array(reader->scenario, struct run_part, (unsigned)count);
    assert(run->part != NULL);
    run->count = count;
}

static void read_segments(
    struct reader *reader, const struct node *list, const struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct code_run *run = step->data;

    if (!schema_sequence(schema, list)) {
        return;
    }
    if (list->count > RUN_SEGMENTS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, list,
            "more than %d segments of a run", RUN_SEGMENTS);
        diagnostics_hint(
            schema->diagnostics, "repeat: n runs all of them n times");
        return;
    }
    make_parts(reader, run, list->count);
    for (size_t i = 0; i < list->count; i++) {
        if (schema_mapping(
                schema, list->item[i], MAPPING_SEGMENT, list->item[i])) {
            read_part(reader, list->item[i], step, &run->part[i]);
        }
    }
}

/* Time does not go so far. */
static void check_length(
    struct reader *reader, const struct node *key, const struct code_run *run)
{
    uint64_t cycles = 0; /* of at most 1024 * 2^48 */

    for (size_t i = 0; i < run->count; i++) {
        cycles += run->part[i].segment.cycles;
    }
    if (__builtin_mul_overflow(cycles, run->repeat, &cycles) ||
        cycles > LIMIT_TIME) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_OUT_OF_RANGE, key,
            "all of it takes more than 2^62 cycles, which is the end of time");
    }
}

static void read_run(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct code_run *run = step->data;
    const struct node *segments;

    run->repeat = 1;
    if (!schema_mapping(schema, node, MAPPING_RUN, step->key)) {
        return;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    schema_kind(schema, node, MAPPING_RUN, true); /* not both */
    segments = node_get(node, "segments");
    if (segments != NULL) {
        refuse_beside_segments(reader, node);
        read_segments(reader, segments, step);
    } else {
        if (node_get(node, "cycles") == NULL) {
            schema_error(schema, DIAGNOSTIC_MISSING_KEY, step->key,
                "missing key 'cycles'");
            diagnostics_hint(schema->diagnostics,
                "or segments, a list of stretches with cycles each");
        }
        make_parts(reader, run, 1);
        read_part(reader, node, step, &run->part[0]);
    }
    if (node_get(node, "repeat") != NULL &&
        schema_key_number(schema, MAPPING_RUN, "repeat",
            node_get(node, "repeat"), &run->repeat)) {
        check_length(reader, node_key(node, "repeat"), run);
    }
}

/* Events by kind of the part when it has run so many times. */
static void count_events(
    const struct run_part *part, uint64_t times, uint64_t events[EVENT_COUNT])
{
    for (enum event i = 0; i < EVENT_COUNT; i++) {
        events[i] =
            times * rate_events(&part->segment.rate[i], part->segment.cycles);
    }
}

/* The clocks go on from where they are now, its functions from where they were
 * after the part has run so many times. */
static void run_part(
    struct kernel *kernel, const struct run_part *part, uint64_t times)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct segment *from = &part->segment;
    uint64_t before[EVENT_COUNT];
    struct segment segment;

    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (part->burst[i] != 0) {
            cpu_add_events(cpu, i, part->burst[i], from->ring);
        }
    }
    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), from->cycles, from->ring);
    segment.halted = from->halted;
    segment.place = from->place;
    if (from->code != NULL) {
        count_events(part, times, before);
        segment.code = from->code;
        segment.before = before;
    }
    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (!event_rows[i].clock) {
            segment.rate[i] = from->rate[i];
        }
    }
    kthread_run(kernel, &segment);
}

static void run_code(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    const struct code_run *parts = outcome->step->data;

    for (uint64_t n = 0; n < parts->repeat; n++) {
        for (size_t i = 0; i < parts->count; i++) {
            run_part(kernel, &parts->part[i], n);
        }
    }
    cpu_settle(kernel_cpu(kernel));
}

const struct step_code step_run = {
    .data_bytes = sizeof(struct code_run),
    .read = read_run,
    .run = run_code,
};
