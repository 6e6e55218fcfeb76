/* tried.c - one run of an instance in one schedule, with a note of every choice
 * that there was. */
#define _GNU_SOURCE
#include "scenarios/runner/explore/tried.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>

#include "api/core/driver.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/machine/machine.h"

/* What went on since the choice before. */
static void end_choice(struct tried *tried)
{
    struct tried_log *log = tried->log;

    if (log->count > 0) {
        struct tried_choice *before = &log->choice[log->count - 1];

        before->touched = tried->schedule.touched;
        before->alone = !tried->schedule.mixed;
    }
}

static bool has_room(
    const struct tried_log *log, const struct schedule_choice *choice)
{
    return log->count < TRIED_CHOICES &&
           log->candidates + choice->count <= TRIED_CANDIDATES;
}

static uint32_t choose(void *context, const struct schedule_choice *choice)
{
    struct tried *tried = context;
    struct tried_log *log = tried->log;
    size_t number = log->count;

    end_choice(tried);
    if (!has_room(log, choice)) {
        return choice->usual;
    }
    log->choice[log->count++] = (struct tried_choice){
        .usual = choice->usual,
        .taken = choice->usual, /* while it is asked */
        .run = choice->run,
        .first = (uint32_t)log->candidates,
        .count = (uint32_t)choice->count,
    };
    memcpy(&log->candidate[log->candidates], choice->candidate,
        choice->count * sizeof(*choice->candidate));
    log->candidates += choice->count;
    log->choice[number].taken = tried->pick(tried, choice);
    assert(tried_could(tried, number, log->choice[number].taken));
    return log->choice[number].taken;
}

static int give_back(struct tried *tried)
{
    munmap(tried->log, sizeof(*tried->log));
    return 0;
}

struct tried *tried_new(void *context, const struct job *job,
    struct session *session, const struct instance *instance)
{
    struct tried *tried = talloc_zero(context, struct tried);

    assert(tried != NULL);
    tried->job = job;
    tried->session = session;
    tried->instance = instance;
    tried->log = mmap(NULL, sizeof(*tried->log), PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tried->log == MAP_FAILED) {
        talloc_free(tried);
        return NULL;
    }
    talloc_set_destructor(tried, give_back);
    return tried;
}

/* What a driver has spoilt is cut off where it begins. */
static void check_log(struct tried *tried)
{
    struct tried_log *log = tried->log;
    uint32_t processors = tried->instance->scenario->machine.processors;
    size_t sound = 0, candidates = 0;

    while (sound < log->count && sound < TRIED_CHOICES) {
        const struct tried_choice *choice = &log->choice[sound];

        if (choice->first != candidates || choice->count > processors + 1 ||
            candidates + choice->count > TRIED_CANDIDATES ||
            choice->usual >= processors || choice->taken >= SCHEDULE_CHOICES) {
            break;
        }
        candidates += choice->count;
        sound++;
    }
    log->count = sound;
    log->candidates = candidates;
    log->kept[TRIED_TEXT_BYTES - 1] = '\0';
    log->went[TRIED_TEXT_BYTES - 1] = '\0';
}

/* For a run of ours that breaks off: the schedule up to there. */
static void tell_schedule(void *context, struct crash_note *note)
{
    const struct tried *tried = context;
    const struct tried_log *log = tried->log;
    struct schedule_writer writer = {
        .text = note->schedule, .room = sizeof(note->schedule)};

    for (uint32_t i = 0; i < log->count; i++) {
        if (log->choice[i].taken != log->choice[i].usual) {
            schedule_write(
                &writer, (struct deviation){i, log->choice[i].taken});
        }
    }
    schedule_write_end(&writer, (uint32_t)log->count, true);
    note->schedules = tried->runs;
}

static struct verdict *run_by_time(
    void *context, struct tried *tried, FILE *trace)
{
    return job_run_schedule(
        context, tried->job, tried->session, tried->instance, trace);
}

static struct verdict *run_chosen(
    void *context, struct tried *tried, FILE *trace)
{
    struct session *session = tried->session;
    struct verdict *verdict;

    tried->log->count = 0;
    tried->log->candidates = 0;
    tried->log->replayed = 0;
    tried->log->kept[0] = tried->log->went[0] = '\0';
    schedule_init(&tried->schedule,
        tried->instance->scenario->exploring.on_time == NULL, choose, tried);
    tried->schedule.instructions = session->step_drivers;
    session->schedule = &tried->schedule;
    crash_report_ask(tell_schedule, tried);
    verdict = run_by_time(context, tried, trace);
    crash_report_ask(NULL, NULL);
    session->schedule = NULL;
    session->machine.schedule = NULL;
    if (tried->instance->native) {
        check_log(tried);
    } else {
        end_choice(tried);
    }
    return verdict;
}

/* How busy the host is, is no matter of a schedule's. Who runs out of its time
 * does so in a process of its own, which has left no trace: `pick` has chosen
 * there, and knows nothing of it here. */
static struct verdict *run_in_time(void *context, struct tried *tried,
    FILE *trace,
    struct verdict *(*run)(void *context, struct tried *tried, FILE *trace))
{
    struct verdict *verdict;

    tried->runs++;
    verdict = run(context, tried, trace);
    if (!verdict->out_of_time || tried->late) {
        return verdict;
    }
    assert(tried->instance->native);
    talloc_free(verdict);
    return run(context, tried, trace);
}

struct verdict *tried_run(void *context, struct tried *tried, FILE *trace)
{
    return run_in_time(context, tried, trace, run_chosen);
}

struct verdict *tried_run_by_time(
    void *context, struct tried *tried, FILE *trace)
{
    return run_in_time(context, tried, trace, run_by_time);
}

/* What the processor is about to do: a driver's machine code, a step of an
 * actor, or an interrupt. */
static void describe_code(
    const struct tried *tried, uint32_t processor, char text[TRIED_TEXT_BYTES])
{
    struct kernel *kernel = &tried->session->kernel;
    const struct cpu *cpu = &tried->session->machine.cpu[processor];
    struct strand *strand = cpu->current != NULL ? cpu->current : cpu->first;
    const struct driver *owner = strand == NULL ? NULL : strand->owner;
    const struct step *step;
    char what[PLACE_BYTES] = "an interrupt";

    if (strand != NULL && !strand->idle) {
        step =
            scenario_step(tried->instance->scenario, thread_of(strand)->step);
        if (place_of_strand(kernel, strand) != 0) {
            place_name(
                kernel, place_of_strand(kernel, strand), what, sizeof(what));
        } else if (step != NULL) {
            snprintf(what, sizeof(what), "step %s", step->number);
        } else {
            snprintf(what, sizeof(what), "%s outside of steps",
                owner == NULL ? "code" : owner->name);
        }
    }
    snprintf(text, TRIED_TEXT_BYTES, "%.*s on cpu %u",
        TRIED_TEXT_BYTES - (int)sizeof(" on cpu 2047"), what,
        (unsigned)processor);
}

/* What a candidate stands for. Of a PMI that comes the processor stands for the
 * PMI, and what is later for what it interrupts. */
static void describe(const struct tried *tried,
    const struct schedule_choice *choice, uint32_t candidate,
    char text[TRIED_TEXT_BYTES])
{
    bool of_pmi = choice->candidate[choice->count - 1] == SCHEDULE_LATER;

    if (candidate == SCHEDULE_CLOCK) {
        snprintf(text, TRIED_TEXT_BYTES, "the clock's next interrupt");
    } else if (of_pmi && candidate != SCHEDULE_LATER) {
        snprintf(text, TRIED_TEXT_BYTES, "the PMI on cpu %u",
            (unsigned)choice->usual);
    } else {
        describe_code(tried, of_pmi ? choice->usual : candidate, text);
    }
}

static uint32_t pick_replayed(
    struct tried *tried, const struct schedule_choice *choice)
{
    const struct deviations *replayed = tried->replayed;
    struct tried_log *log = tried->log;
    size_t number = log->count - 1;
    uint32_t processor;

    if (tried->next == replayed->count ||
        replayed->item[tried->next].choice != number) {
        return choice->usual;
    }
    processor = replayed->item[tried->next++].processor;
    if (!tried_could(tried, number, processor)) {
        return choice->usual;
    }
    log->replayed++;
    if (tried->next == replayed->count) {
        describe(tried, choice, choice->usual, log->kept);
        describe(tried, choice, processor, log->went);
    }
    return processor;
}

struct verdict *tried_replay(void *context, struct tried *tried,
    const struct deviations *deviations, FILE *trace)
{
    tried->pick = pick_replayed;
    tried->replayed = deviations;
    tried->next = 0;
    return tried_run(context, tried, trace);
}

bool tried_fits(const struct tried *tried)
{
    return tried->log->replayed == tried->replayed->count;
}

struct deviations tried_deviations(void *context, const struct tried *tried)
{
    const struct tried_log *log = tried->log;
    struct deviations made = {0};

    made.item =
        talloc_array(context, struct deviation, (unsigned)log->count + 1);
    assert(made.item != NULL);
    for (size_t i = 0; i < log->count; i++) {
        if (log->choice[i].taken != log->choice[i].usual) {
            made.item[made.count++] =
                (struct deviation){(uint32_t)i, log->choice[i].taken};
        }
    }
    return made;
}

bool tried_could(const struct tried *tried, size_t choice, uint32_t processor)
{
    const struct tried_choice *noted = &tried->log->choice[choice];

    for (size_t i = 0; i < noted->count; i++) {
        if (tried->log->candidate[noted->first + i] == processor) {
            return true;
        }
    }
    return false;
}
