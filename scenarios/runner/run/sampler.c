/* sampler.c - a consumer that samples the counter sets while a scenario runs:
 * an alarm of the machine starts each sample. Besides the times that were asked
 * for, one is taken before something goes that no sample has shown, and before
 * the first thing goes since the last one, so that also a short scenario shows
 * its counters, with their last values. */
#include "scenarios/runner/run/sampler.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/core/place.h"
#include "api/nt/type.h"
#include "api/pcw/callback.h"
#include "api/pcw/pcw.h"
#include "api/pcw/refusal.h"
#include "scenarios/runner/counters/surveyors.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/run/samples_pipe.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/text/wide_text.h"
#include "sim/machine/strand.h"

/* A counter set that has appeared, and the query for it. */
struct watched {
    struct pcw_text name;
    size_t appeared; /* index of its name in the samples */
    bool wanted;
    bool multiple;           /* it is asked for several instances */
    bool listed;             /* it is registered now */
    struct pcw_query *query; /* NULL: none yet */
    uint64_t digest;         /* of the instances in its last sample */
    bool seen;               /* it has had one */
    bool changed; /* its instances are others than in the one before */
    struct watched *next;
};

struct sampler {
    struct run *run;
    struct samples *samples; /* the verdict's */
    const struct sampling *sampling;
    uint64_t period; /* cycles */
    struct machine_alarm alarm;
    struct watched *first, **last;
    uint32_t seen[PCW_KINDS]; /* handles there were at the last sample */
    uint64_t taken;           /* when the last sample was taken; 0: none was */
    uint64_t budget; /* preemption points left to the sample that is taken: what
                        the scenario may pass is its own */
    bool busy;       /* a sample is being taken */
    bool gone;       /* something went since the last one that was due */
    bool ended;
};

#define DIGEST_PRIME UINT64_C(0x100000001B3)

static const struct driver consumer = {.name = "ntpmu"};

static void ring(void *context);

/* The next one is due at a multiple of the period. */
static void arm(struct sampler *sampler, uint64_t after)
{
    sampler->alarm.action = ring;
    sampler->alarm.context = sampler;
    machine_set_alarm(&sampler->run->session->machine, &sampler->alarm,
        (after / sampler->period + 1) * sampler->period);
}

static bool is_among(struct sampler *sampler, const char *const *names,
    size_t count, struct pcw_text name)
{
    bool found = false;

    for (size_t i = 0; i < count && !found; i++) {
        struct pcw_text one = wide_text(sampler, names[i]);

        found = pcw_text_equal(one, name);
        talloc_free((void *)(uintptr_t)one.at);
    }
    return found;
}

static void note_set(void *context, struct pcw_text name)
{
    struct sampler *sampler = context;
    const struct sampling *sampling = sampler->sampling;
    struct watched *watched = sampler->first;

    while (watched != NULL && !pcw_text_equal(watched->name, name)) {
        watched = watched->next;
    }
    if (watched == NULL) {
        watched = talloc_zero(sampler, struct watched);
        assert(watched != NULL);
        watched->name = wide_text_copy(watched, name);
        watched->appeared =
            samples_add_name(sampler->samples, wide_text_utf8(watched, name));
        watched->wanted =
            sampling->set_count == 0 ||
            is_among(sampler, sampling->set, sampling->set_count, name);
        watched->multiple =
            !is_among(sampler, sampling->single, sampling->single_count, name);
        *sampler->last = watched;
        sampler->last = &watched->next;
    }
    watched->listed = true;
}

/* Nobody else looks at it, so a provider may fail and not know why it is not
 * seen. */
static void note_failure(
    struct sampler *sampler, const struct watched *watched, uint32_t status)
{
    char number[NT_STATUS_DIGITS];

    if (status != 0) {
        samples_add_note(sampler->samples,
            "the callback of '%s' answered %s while it was sampled (PCW-CB-02: "
            "Windows does not look at it)",
            sampler->samples->appeared[watched->appeared],
            nt_status_text(status, number));
    }
}

/* All instances of a set, with all counters. */
static struct pcw_filter filter_of(const struct watched *watched)
{
    static const uint16_t any[] = {'*'};

    return (struct pcw_filter){
        .set = watched->name,
        .instance = {any, 1},
        .id = PCW_ANY_INSTANCE_ID,
        .counters = UINT64_MAX,
        .multiple = watched->multiple,
    };
}

/* A number that is another one when instances come, go, or are called
 * otherwise. */
static uint64_t digest(const struct pcw_result *result)
{
    uint64_t digest = result->row_count;

    for (size_t i = 0; i < result->row_count; i++) {
        const struct pcw_row *row = &result->row[i];

        digest = (digest ^ row->registration) * DIGEST_PRIME;
        digest = (digest ^ row->id) * DIGEST_PRIME;
        digest = (digest ^ pcw_text_hash(row->name)) * DIGEST_PRIME;
    }
    return digest;
}

static void collect(struct sampler *sampler, struct watched *watched)
{
    struct kernel *kernel = &sampler->run->session->kernel;
    const struct pcw_filter filter = filter_of(watched);
    const struct pcw_result *result;

    if (watched->query == NULL) {
        watched->query = pcw_query_open(kernel, &filter);
    }
    if (watched->query == NULL) {
        samples_add_note(sampler->samples,
            "the guest has no memory for a query of '%s'",
            sampler->samples->appeared[watched->appeared]);
        return;
    }
    result = pcw_query_collect(kernel, watched->query, PCW_NEVER_CANCELLED);
    note_failure(sampler, watched, result->failure);
    watched->changed = !watched->seen || digest(result) != watched->digest;
    watched->digest = digest(result);
    watched->seen = true;
    samples_add_set(sampler->samples, watched->appeared,
        rows_copy(sampler->samples, NULL, result));
}

/* How often a rule is noted: for each sample that breaks it, or once, where a
 * consumer asks the same several times. */
enum way { NOTE_EACH, NOTE_ONCE };

/* Who relies on the figures of such a provider looks at the wrong ones. */
static bool is_failure(enum rule rule)
{
    return rule == RULE_PCW_INSTANCE_DISAGREES ||
           rule == RULE_PCW_INSTANCE_ALONE;
}

static bool is_noted(const struct samples *samples, const char *text)
{
    for (size_t i = 0; i < samples->note_count; i++) {
        if (strcmp(samples->note[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

static void note_rule(
    struct run *run, const struct rule_event *event, enum way way)
{
    const struct rule_row *row = &rule_rows[event->rule];
    struct samples *samples = run->verdict->samples;
    bool has_place = event->place != 0, has_subject = event->subject[0] != '\0';
    char place[PLACE_BYTES] = "";
    char *text;
    bool noted;

    place_name(&run->session->kernel, event->place, place, sizeof(place));
    text = talloc_asprintf(samples,
        "broken rule %s while it was sampled%s%s: %s%s%s (%s)", row->id,
        has_place ? ", at " : "", has_place ? place : "", row->text,
        has_subject ? ": " : "", event->subject, row->requirements);
    assert(text != NULL);
    noted = is_noted(samples, text);
    if (!noted || way == NOTE_EACH) {
        samples_add_note(samples, "%s", text);
    }
    if (!noted && is_failure(event->rule)) {
        run_fail(run, RESULT_FAIL, NULL, run->scenario->root,
            "broken rule %s%s%s: %s: %s (%s)", row->id,
            has_place ? ", at " : "", has_place ? place : "", row->text,
            event->subject, row->requirements);
    }
    talloc_free(text);
}

/* A provider's mistakes are told of, but are no step's. */
static void note_rules(
    struct run *run, size_t first, const struct cpu *cpu, enum way way)
{
    const struct rule_log *log = &run->session->kernel.rules;

    evaluate_disown_rules(run, first, cpu->index);
    for (size_t i = first; i < log->count; i++) {
        if (log->event[i].processor == cpu->index) {
            note_rule(run, &log->event[i], way);
        }
    }
}

static void close_queries(struct sampler *sampler)
{
    for (struct watched *watched = sampler->first; watched != NULL;
         watched = watched->next) {
        if (watched->query != NULL) {
            pcw_query_close(&sampler->run->session->kernel, watched->query);
            watched->query = NULL;
        }
    }
}

/* Says why there are no more, unless that is what was asked for. */
static void check_end(struct sampler *sampler)
{
    const struct samples *samples = sampler->samples;
    uint64_t most = sampler->sampling->most;

    sampler->ended |= most != 0 && samples->count == most;
    if (samples->bytes > SAMPLES_BYTES && !sampler->ended) {
        samples_add_note(sampler->samples,
            "more than %d bytes of samples: sampling ended; a larger --every "
            "or --samples ends it where you want it",
            SAMPLES_BYTES);
        sampler->ended = true;
    }
}

/* A set that is surveyed. */
struct surveyed {
    struct run *run;
    const char *name;
};

static void note_survey(void *context, const struct pcw_survey *outcome,
    size_t first_rule, const struct cpu *cpu)
{
    const struct surveyed *surveyed = context;
    struct samples *samples = surveyed->run->verdict->samples;
    char number[NT_STATUS_DIGITS];

    if (outcome->no_memory || outcome->too_many) {
        samples_add_note(samples,
            "the list and the collection of '%s' are not compared: %s",
            surveyed->name,
            outcome->no_memory ? "the guest has no memory for a query"
                               : "it has more than 4096 instances");
    }
    if (outcome->failure != 0) {
        samples_add_note(samples,
            "the callback of '%s' answered %s when its instances were listed "
            "(PCW-CB-02: Windows does not look at it)",
            surveyed->name, nt_status_text(outcome->failure, number));
    }
    note_rules(surveyed->run, first_rule, cpu, NOTE_ONCE);
}

/* Performance Monitor lists the instances when somebody opens the dialogue:
 * here where a set comes up, and where its instances are others than they were.
 */
static void survey_all(struct sampler *sampler)
{
    struct session *session = sampler->run->session;

    for (struct watched *watched = sampler->first; watched != NULL;
         watched = watched->next) {
        if (watched->listed && watched->wanted && watched->changed) {
            const struct pcw_filter filter = filter_of(watched);
            struct surveyed surveyed = {
                sampler->run, sampler->samples->appeared[watched->appeared]};

            watched->changed = false;
            surveyors_send(&session->kernel, &filter, session->budget,
                &(struct survey_reader){note_survey, &surveyed});
        }
    }
}

static void take(struct sampler *sampler, struct cpu *cpu)
{
    struct kernel *kernel = &sampler->run->session->kernel;
    size_t first_rule = kernel->rules.count;

    samples_add_sample(sampler->samples);
    for (enum pcw_kind kind = 0; kind < PCW_KINDS; kind++) {
        sampler->seen[kind] = kernel->pcw->handles[kind].count;
    }
    for (struct watched *watched = sampler->first; watched != NULL;
         watched = watched->next) {
        watched->listed = false;
    }
    pcw_sets_list(kernel, 0, note_set, sampler);
    for (struct watched *watched = sampler->first; watched != NULL;
         watched = watched->next) {
        if (watched->listed && watched->wanted) {
            collect(sampler, watched);
        }
    }
    samples_end_sample(sampler->samples);
    check_end(sampler);
    if (sampler->ended) {
        close_queries(sampler);
    }
    note_rules(sampler->run, first_rule, cpu, NOTE_EACH);
    survey_all(sampler);
    sampler->taken = cpu->time;
    if (sampler->run->session->samples_out != NULL) {
        samples_send(
            sampler->run->session->samples_out, sampler->samples, false);
        fflush(sampler->run->session->samples_out);
    }
}

/* Overflows are in the machine's trace alone. */
static void take_overflows(void *context, const struct trace *trace)
{
    struct sampler *sampler = context;

    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_record *record = &trace->record[i];

        if (record->kind == &sim_events[SIM_EVENT_OVERFLOW]) {
            const struct sample_mark mark = {.cycles = record->time,
                .processor = record->processor,
                .what = (uint32_t)record->value[0]};

            samples_add_mark(sampler->samples, &mark);
        }
    }
}

static void begin_marks(struct sampler *sampler)
{
    struct trace *trace = &sampler->run->session->machine.trace;

    assert(trace->reader.take == NULL); /* nobody has it printed */
    trace->off = false;
    trace->reader = (struct trace_reader){take_overflows, sampler};
}

static void end_marks(struct sampler *sampler)
{
    struct session *session = sampler->run->session;
    const struct rule_log *log = &session->kernel.rules;

    trace_hand_on(&session->machine.trace);
    session->machine.trace.reader = (struct trace_reader){.take = NULL};
    for (size_t i = 0; i < log->count; i++) {
        const struct sample_mark mark = {.cycles = log->event[i].time,
            .processor = log->event[i].processor,
            .is_rule = true,
            .what = log->event[i].rule};

        samples_add_mark(sampler->samples, &mark);
    }
}

static bool is_passive(struct sampler *sampler, const struct cpu *cpu)
{
    struct kernel *kernel = &sampler->run->session->kernel;

    return irql_current(kernel, cpu) ==
           irql_number(kernel, LEVEL_PASSIVE_LEVEL);
}

static void count_apart(struct sampler *sampler)
{
    struct session *session = sampler->run->session;

    sampler->budget = session->budget;
    strand_set_budget(&session->machine, &sampler->budget);
}

/* A processor whose level was raised meanwhile takes none. */
static void sample_main(void *argument)
{
    struct sampler *sampler = argument;
    struct cpu *cpu = kernel_cpu(&sampler->run->session->kernel);

    count_apart(sampler);
    if (is_passive(sampler, cpu)) {
        take(sampler, cpu);
    }
    sampler->busy = false;
    if (!sampler->ended) {
        arm(sampler, cpu->time);
    }
}

/* How well a sample fits on a processor; 0: not at all. */
static unsigned fitness(struct sampler *sampler, const struct cpu *cpu)
{
    if (!is_passive(sampler, cpu)) {
        return 0;
    }
    if (cpu->current != NULL || cpu->first != NULL) {
        return 1; /* it waits for its turn */
    }
    return cpu->pmu.running != 0 ? 2 : 3;
}

/* Of several the last, since actors begin on the first; NULL: none. */
static struct cpu *choose(struct sampler *sampler)
{
    struct machine *machine = &sampler->run->session->machine;
    struct cpu *best = NULL;
    unsigned fit = 0;

    for (uint32_t i = 0; i < machine->topology.processors; i++) {
        struct cpu *cpu = machine_cpu(machine, i);
        unsigned of_this = fitness(sampler, cpu);

        if (of_this > 0 && of_this >= fit) {
            best = cpu;
            fit = of_this;
        }
    }
    return best;
}

static bool start(struct sampler *sampler)
{
    struct cpu *cpu = choose(sampler);

    sampler->busy = cpu != NULL &&
                    strand_spawn(cpu, sample_main, sampler, &consumer) != NULL;
    return sampler->busy;
}

static void ring(void *context)
{
    struct sampler *sampler = context;
    uint64_t now = sampler->run->session->machine.now;

    if (!sampler->ended && !sampler->busy) {
        sampler->gone = false;
        start(sampler);
    }
    if (!sampler->ended) {
        arm(sampler, now);
    }
}

static bool is_idle(void *context)
{
    return !((const struct sampler *)context)->busy;
}

/* Whoever closes something waits until it was sampled, as for any collection
 * that is under way (PCW-CLS-03b [C], PCW-UNR-03 [C]). */
static void closing(void *context, enum pcw_kind kind, uint32_t number)
{
    struct sampler *sampler = context;
    struct kernel *kernel = &sampler->run->session->kernel;
    struct machine *machine = kernel->machine;

    if (sampler->ended || !is_passive(sampler, kernel_cpu(kernel)) ||
        pcw_runs_callback_of(kernel, NULL)) {
        return;
    }
    if (sampler->busy) {
        strand_wait(machine, STRAND_BLOCKED, is_idle, sampler);
    }
    if (!sampler->ended && (!sampler->gone || number > sampler->seen[kind]) &&
        start(sampler)) {
        sampler->gone = true;
        strand_wait(machine, STRAND_BLOCKED, is_idle, sampler);
    }
}

void sampler_begin(struct run *run)
{
    struct session *session = run->session;
    struct sampler *sampler;

    if (session->sampling == NULL) {
        return;
    }
    sampler = talloc_zero(run->context, struct sampler);
    assert(sampler != NULL);
    run->verdict->samples = samples_new(run->verdict);
    *sampler = (struct sampler){
        .run = run,
        .samples = run->verdict->samples,
        .sampling = session->sampling,
        .period = session->sampling->every_us * session->machine.config.pmu.mhz,
        .last = &sampler->first,
    };
    run->sampler = sampler;
    session->kernel.pcw->observer = (struct pcw_observer){closing, sampler};
    arm(sampler, session->machine.now);
    if (session->sampling->marks) {
        begin_marks(sampler);
    }
}

/* Nothing may have happened since the one that was due just now. */
static void last_main(void *argument)
{
    struct sampler *sampler = argument;
    struct cpu *cpu = kernel_cpu(&sampler->run->session->kernel);

    count_apart(sampler);
    if (cpu->time > sampler->taken) {
        take(sampler, cpu);
    }
    close_queries(sampler);
}

static void take_last(struct run *run, struct sampler *sampler)
{
    struct cpu *cpu;

    run->session->kernel.pcw->observer.closing = NULL;
    machine_set_alarm(
        &run->session->machine, &sampler->alarm, MACHINE_NO_ALARM);
    if (run->stopped || sampler->ended) {
        samples_end_sample(sampler->samples); /* it may have come in between */
        return;
    }
    cpu = choose(sampler);
    if (cpu == NULL) {
        samples_add_note(sampler->samples,
            "no processor is at PASSIVE_LEVEL at the end: there is no last "
            "sample");
        return;
    }
    run_strand(run, cpu, last_main, sampler, &consumer);
    samples_end_sample(sampler->samples);
}

/* Windows looks at none of it, and what is missing is just not seen. */
static void note_refusals(struct sampler *sampler)
{
    struct kernel *kernel = &sampler->run->session->kernel;
    char text[PCW_REFUSAL_BYTES];

    for (size_t i = 0; i < pcw_refusals_count(kernel); i++) {
        if (pcw_refusal_text(kernel, i, text, sizeof(text))) {
            samples_add_note(sampler->samples, "%s", text);
        }
    }
}

void sampler_end(struct run *run)
{
    if (run->sampler == NULL) {
        return;
    }
    take_last(run, run->sampler);
    note_refusals(run->sampler);
    if (run->sampler->sampling->marks) {
        end_marks(run->sampler);
    }
}
