/* child.c - a process of its own for an instance that runs a driver's machine
 * code: made, confined, listened to and buried. */
#define _GNU_SOURCE
#include "scenarios/runner/run/child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/output/pipe_message.h"
#include "scenarios/runner/run/child_life.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/hearing.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/samples_pipe.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/step_view.h"
#include "scenarios/runner/run/syscall_policy.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/visible_text.h"

struct child {
    struct session *session;
    const struct instance *instance;
    const struct child_limits *limits;
    bool traced;
    struct crash_note *note; /* NULL: the host gave none */
    bool in_nursery;         /* a process of the nursery made it */
    pid_t pid;               /* of one that this process has made */
    int pipe;                /* our end */
};

/* How a child ended, and what it said. */
struct ending {
    struct pipe_message said;
    int status; /* of waitpid() */
};

struct child_limits child_limits_of(uint64_t cpu_us)
{
    return (struct child_limits){
        .sandbox = {.cpu_us = cpu_us, .memory_bytes = UINT64_C(2) << 30},
        .wall_ms = 4 * (cpu_us / 1000) + 5000,
    };
}

/* Ends it when it has not ended by itself. */
static void bury(const struct child *child, struct ending *ending)
{
    bool lives = pipe_message_is_cut(&ending->said);
    long buried;

    if (child->in_nursery) {
        ending->status = nursery_bury(child->session->nursery, lives);
        return;
    }
    if (lives) {
        kill(child->pid, SIGKILL);
    }
    buried = TEMP_FAILURE_RETRY(waitpid(child->pid, &ending->status, 0));
    assert(buried == child->pid);
}

/* A fault of ours, whatever a driver had done before. */
static struct verdict *ended_by_us(
    void *context, const struct child *child, const char *how)
{
    struct verdict *verdict = verdict_failed(context, child->instance,
        RESULT_INTERNAL, "%s", crash_note_text(context, child->note, how));

    verdict->failure[0].step = crash_note_step(verdict, child->note);
    return verdict;
}

/* `how` it was measured. */
static struct verdict *out_of_time(
    void *context, const struct child *child, double seconds, const char *how)
{
    struct verdict *verdict =
        verdict_failed(context, child->instance, RESULT_TIMEOUT,
            "no end after %g s %s; --timeout allows more", seconds, how);

    verdict->out_of_time = true;
    return verdict;
}

static struct verdict *ended_by_signal(
    void *context, const struct child *child, int number)
{
    const char *name = sigabbrev_np(number);

    if (number == SIGPROF || number == SIGXCPU) {
        return out_of_time(context, child,
            (double)child->limits->sandbox.cpu_us / 1e6, "of processor time");
    }
    return ended_by_us(context, child,
        talloc_asprintf(context, "its process was ended by SIG%s",
            name == NULL ? "RT" : name));
}

/* Passes on what it has shown of its steps, however it ended. Returns where the
 * verdict begins. */
static size_t forward_steps(
    const struct child *child, const struct ending *ending)
{
    struct step_view *view = child->session->step_view;
    const uint8_t *end;
    size_t length;

    if (view == NULL || ending->said.length == 0) {
        return 0;
    }
    end = memchr(ending->said.bytes, CHILD_STEPS_END, ending->said.length);
    length =
        end == NULL ? ending->said.length : (size_t)(end - ending->said.bytes);
    step_view_forward(view, ending->said.bytes, length);
    return end == NULL ? length : length + 1;
}

/* Whether the mark stands there. */
static bool is_marked(const uint8_t *at, size_t left, uint32_t mark)
{
    return left >= sizeof(mark) && memcmp(at, &mark, sizeof(mark)) == 0;
}

/* What lies between the account and the tail is the trace. */
static bool take_trace(const uint8_t *at, size_t left, FILE *trace)
{
    size_t length = left < sizeof(uint32_t) ? 0 : left - sizeof(uint32_t);

    if (!is_marked(at + length, left - length, CHILD_TAIL)) {
        return false;
    }
    if (trace != NULL) {
        visible_text_lines((const char *)at, length, trace);
    }
    return true;
}

/* The verdict on what is told. NULL, and *problem, when it is no account, or
 * not the whole of one. */
static struct verdict *hear(void *context, const struct child *child,
    const uint8_t *at, size_t left, FILE *trace, const char **problem)
{
    struct hearing hearing;

    if (!is_marked(at, left, CHILD_HEAD)) {
        *problem = left < sizeof(uint32_t) ? "it ends too early"
                                           : "it does not begin as one";
        return NULL;
    }
    at += sizeof(uint32_t);
    left -= sizeof(uint32_t);
    hearing = hearing_judge(context, child->session, child->instance, at, left);
    *problem = hearing.problem;
    if (hearing.verdict != NULL &&
        !take_trace(at + hearing.taken, left - hearing.taken, trace)) {
        *problem = "it does not end as one";
        talloc_free(hearing.verdict);
        return NULL;
    }
    return hearing.verdict;
}

/* The verdict, with the samples before it if there are to be some. NULL, and
 * *problem, when they are not whole. */
static struct verdict *receive(void *context, const struct child *child,
    const struct ending *ending, size_t begins, FILE *trace,
    const char **problem)
{
    const uint8_t *at = ending->said.bytes + begins;
    size_t left = ending->said.length - begins, taken = 0;
    struct samples *samples = NULL;
    struct verdict *verdict;

    if (child->session->sampling != NULL) {
        samples = samples_receive(context, at, left, &taken, problem);
        if (samples == NULL) {
            return NULL;
        }
    }
    verdict = hear(context, child, at + taken, left - taken, trace, problem);
    if (verdict == NULL) {
        talloc_free(samples);
        return NULL;
    }
    if (samples != NULL) {
        verdict->samples = samples;
        talloc_reparent(context, verdict, samples);
    }
    return verdict;
}

/* Samples that came before it went wrong. */
static void keep_samples(const struct child *child, const struct ending *ending,
    size_t begins, struct verdict *verdict)
{
    if (child->session->sampling != NULL && verdict->samples == NULL) {
        verdict->samples = samples_receive_cut(
            verdict, ending->said.bytes + begins, ending->said.length - begins);
    }
}

/* What became of a child, and its trace when there is a verdict of its own. */
static struct verdict *judge_ending(void *context, const struct child *child,
    const struct ending *ending, size_t begins, FILE *trace)
{
    const struct instance *instance = child->instance;
    int status = ending->status;
    const char *problem;
    struct verdict *verdict;

    if (ending->said.too_long) {
        return verdict_failed(context, instance, RESULT_CRASH,
            "its process sent more than %d bytes", CHILD_MESSAGE_BYTES);
    }
    if (ending->said.interrupted) {
        return verdict_interrupted(context, instance);
    }
    if (ending->said.expired) {
        return out_of_time(context, child, (double)child->limits->wall_ms / 1e3,
            "by the clock");
    }
    if (WIFSIGNALED(status)) {
        return ended_by_signal(context, child, WTERMSIG(status));
    }
    if (WEXITSTATUS(status) != EXIT_SUCCESS) {
        return ended_by_us(context, child,
            talloc_asprintf(context,
                "its process ended with status %d and no verdict",
                WEXITSTATUS(status)));
    }
    verdict = receive(context, child, ending, begins, trace, &problem);
    if (verdict == NULL) {
        return verdict_failed(context, instance, RESULT_CRASH,
            "its process gave no whole account: %s", problem);
    }
    return verdict;
}

static struct verdict *judge(void *context, const struct child *child,
    const struct ending *ending, FILE *trace)
{
    size_t begins = forward_steps(child, ending);
    struct verdict *verdict =
        judge_ending(context, child, ending, begins, trace);

    keep_samples(child, ending, begins, verdict);
    return verdict;
}

bool child_is_forked_here(const struct session *session)
{
    return session->nursery == NULL || session->schedule != NULL ||
           session->chooser != NULL;
}

/* Forks here, or has the nursery do it. False: the host gives no process. */
static bool begin(struct child *child, int pipe, child_body *body)
{
    struct nursery *nursery = child->session->nursery;
    pid_t parent = getpid();

    if (body == run_instance && !child_is_forked_here(child->session)) {
        const struct nursery_request request = {.instance = child->instance,
            .cpu_us = child->limits->sandbox.cpu_us,
            .traced = child->traced,
            .pipe = pipe};

        child->in_nursery = nursery_begin(nursery, &request);
    }
    if (child->in_nursery) {
        child->note = nursery_note(nursery);
        return true;
    }
    syscall_policy_make(); /* once for all; a child without says so */
    child->note = crash_note_new();
    signal(SIGCHLD, SIG_DFL); /* one that is ignored, as it may be inherited,
                                 loses how the child ended */
    fflush(NULL); /* what was printed before stands before the child's words */
    child->pid = fork();
    if (child->pid == 0) {
        const struct child_life life = {child->session, child->instance,
            child->limits, child->traced, child->note};

        child_live(&life, pipe, parent, body);
    }
    return child->pid > 0;
}

struct verdict *child_execute(void *context, struct session *session,
    const struct instance *instance, const struct child_limits *limits,
    child_body *body, FILE *trace)
{
    struct child child = {.session = session,
        .instance = instance,
        .limits = limits,
        .traced = trace != NULL,
        .pipe = -1};
    struct ending ending = {.status = 0};
    struct verdict *verdict;
    int ends[2];
    bool begun;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return verdict_failed(context, instance, RESULT_INTERNAL,
            "the host gives no pipe: %s", strerror(errno));
    }
    begun = begin(&child, ends[1], body);
    close(ends[1]);
    child.pipe = ends[0];
    if (!begun) {
        verdict = verdict_failed(context, instance, RESULT_INTERNAL,
            "the host gives no process: %s", strerror(errno));
    } else {
        /* The other end is the child's: it cannot close it and live. */
        pipe_message_listen(
            &ending.said, child.pipe, limits->wall_ms, CHILD_MESSAGE_BYTES);
        bury(&child, &ending);
        verdict = judge(context, &child, &ending, trace);
    }
    pipe_message_free(&ending.said);
    if (!child.in_nursery) {
        crash_note_free(child.note);
    }
    close(child.pipe);
    return verdict;
}

struct verdict *child_run(void *context, struct session *session,
    const struct instance *instance, const struct child_limits *limits,
    FILE *trace)
{
    return child_execute(
        context, session, instance, limits, run_instance, trace);
}
