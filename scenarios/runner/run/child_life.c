/* child_life.c - what a child does from its first instruction to its last: it
 * is confined, runs the instance, and tells of it. */
#define _GNU_SOURCE
#include "scenarios/runner/run/child_life.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/instance_trace.h"
#include "scenarios/runner/run/samples_pipe.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/step_view.h"
#include "scenarios/runner/run/verdict.h"

bool child_keep_pipe(int pipe)
{
    close(STDOUT_FILENO);
    return dup2(pipe, CHILD_PIPE) == CHILD_PIPE &&
           close_range(STDERR_FILENO + 1, ~0U, 0) == 0;
}

void child_prepare(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    if (stream != NULL) {
        fclose(stream);
    }
    free(text);
}

/* Those that were not sent before. One that did not come to run has none. */
static void send_samples(FILE *out, const struct verdict *verdict)
{
    struct samples *none = samples_new(NULL);
    bool some = verdict != NULL && verdict->samples != NULL;

    samples_send(out, some ? verdict->samples : none, true);
    talloc_free(none);
}

static void send_mark(FILE *out, uint32_t mark)
{
    fwrite(&mark, sizeof(mark), 1, out);
}

/* Runs the instance in the sandbox, if there is one, and tells of it. Returns
 * the verdict that it came to for itself; NULL: it did not run. */
static struct verdict *run_and_tell(const struct child_life *life, FILE *out,
    const char *refused, child_body *body)
{
    struct session *session = life->session;
    struct account account = {.facts = {.out = out}};
    struct verdict *verdict;

    if (refused != NULL) {
        account_of_failure(out, life->instance,
            talloc_asprintf(NULL,
                "no sandbox for native code: the host refuses %s: %s", refused,
                strerror(errno)));
        return NULL;
    }
    session->account = &account;
    verdict = body(NULL, session, life->instance);
    session->account = NULL;
    return verdict;
}

/* The child's whole life. What the parent had buffered stays unwritten, and
 * nothing that runs at exit runs here. */
_Noreturn void child_live(
    const struct child_life *life, int pipe, pid_t parent, child_body *body)
{
    struct session *session = life->session;
    struct verdict *verdict;
    const char *refused;
    char *account = NULL;
    size_t length = 0;
    FILE *out, *told;

    crash_report_to(life->note);
    interruption_ignore();
    refused = child_keep_pipe(pipe) ? NULL : "to close what is open";
    out = fdopen(CHILD_PIPE, "w");
    told = open_memstream(&account, &length);
    if (out == NULL || told == NULL) {
        _exit(EXIT_FAILURE);
    }
    if (session->step_view != NULL) {
        step_view_redirect(session->step_view, out);
    }
    session->samples_out = out;
    if (refused == NULL) {
        refused = frames_own(&session->machine.memory.frames)
                      ? sandbox_apply(&life->limits->sandbox, parent)
                      : "memory that is shared";
    }
    verdict = run_and_tell(life, told, refused, body);
    fclose(told);
    if (session->step_view != NULL) {
        fputc(CHILD_STEPS_END, out);
    }
    if (session->sampling != NULL) {
        send_samples(out, verdict);
    }
    send_mark(out, CHILD_HEAD);
    fwrite(account, 1, length, out);
    if (life->traced && verdict != NULL) {
        instance_trace_print(life->instance, &session->machine.trace, out);
    }
    send_mark(out, CHILD_TAIL);
    _exit(fflush(out) == 0 && !ferror(out) ? EXIT_SUCCESS : EXIT_FAILURE);
}
