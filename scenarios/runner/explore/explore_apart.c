/* explore_apart.c - an exploration that is done by a process of the nursery:
 * both ends of the pipe on which it tells what came of it. */
#define _GNU_SOURCE
#include "scenarios/runner/explore/explore_apart.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/output/pipe_message.h"
#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/run/worker.h"

void explore_for_others(const struct job *job, struct session *session,
    const struct instance *instance, bool traced, FILE *out)
{
    char *text = NULL;
    size_t length = 0;
    FILE *trace = open_memstream(&text, &length);
    struct verdict *verdict;
    uint64_t sent;

    /* This process has no sandbox. */
    assert(trace != NULL && instance->native);
    verdict =
        explore_instance(NULL, job, session, instance, traced ? trace : NULL);
    verdict_trim(verdict);
    fclose(trace);
    sent = length;
    fwrite(&sent, sizeof(sent), 1, out);
    fwrite(text, 1, length, out);
    verdict_send(out, verdict);
    free(text);
    talloc_free(verdict);
}

/* Takes the message apart; it is that of a process of ours. */
static struct verdict *receive(void *context, const struct job *job,
    const struct instance *instance, const struct pipe_message *said,
    FILE *trace)
{
    const char *problem = "it ends too early";
    struct verdict *verdict = NULL;
    uint64_t length = 0;

    if (said->length >= sizeof(length)) {
        memcpy(&length, said->bytes, sizeof(length));
    }
    if (said->length >= sizeof(length) &&
        length <= said->length - sizeof(length)) {
        const uint8_t *text = said->bytes + sizeof(length);

        if (trace != NULL) {
            fwrite(text, 1, (size_t)length, trace);
        }
        verdict =
            verdict_receive(context, instance, job->requirements, text + length,
                said->length - sizeof(length) - (size_t)length, &problem);
    }
    return verdict != NULL
               ? verdict
               : verdict_failed(context, instance, RESULT_INTERNAL,
                     "the process that explores gave no whole verdict: %s",
                     problem);
}

static struct verdict *judge(void *context, const struct job *job,
    const struct instance *instance, const struct pipe_message *said,
    struct worker_answer *ending, FILE *trace)
{
    struct verdict *verdict;

    if (said->interrupted) {
        return verdict_interrupted(context, instance);
    }
    if (ending->status != 0) {
        verdict = batch_worker_died(instance, ending);
        talloc_reparent(NULL, context, verdict);
        return verdict;
    }
    return receive(context, job, instance, said, trace);
}

struct verdict *explore_apart(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    struct nursery_request request = {.instance = instance,
        .cpu_us = job->settings.timeout_us,
        .traced = trace != NULL,
        .explores = true};
    struct pipe_message said = {0};
    struct verdict *verdict;
    struct worker_answer ending = {.note = NULL};
    int ends[2];
    bool begun;

    if (session->nursery == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        return NULL;
    }
    request.pipe = ends[1];
    begun = nursery_begin(session->nursery, &request);
    close(ends[1]);
    if (!begun) {
        close(ends[0]);
        return NULL;
    }
    pipe_message_listen(&said, ends[0], PIPE_MESSAGE_FOREVER, SIZE_MAX);
    ending.status = nursery_bury(session->nursery, pipe_message_is_cut(&said));
    ending.note = nursery_note(session->nursery);
    verdict = judge(context, job, instance, &said, &ending, trace);
    pipe_message_free(&said);
    close(ends[0]);
    return verdict;
}
