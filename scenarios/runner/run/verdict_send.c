/* verdict_send.c - writing a message. */
#include <assert.h>
#include <string.h>

#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/instance_trace.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/run/verdict_message.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/scenario/scenario.h"

static void send_u32(FILE *out, size_t value)
{
    uint32_t sent = (uint32_t)value;

    fwrite(&sent, sizeof(sent), 1, out);
}

static void send_u64(FILE *out, uint64_t value)
{
    fwrite(&value, sizeof(value), 1, out);
}

static void send_text(FILE *out, const char *text)
{
    size_t length;

    if (text == NULL) {
        send_u32(out, VERDICT_NO_TEXT);
        return;
    }
    length = strnlen(text, VERDICT_TEXT_BYTES);
    send_u32(out, length);
    fwrite(text, 1, length, out);
}

static void send_failure(
    FILE *out, const struct scenario *scenario, const struct failure *failure)
{
    size_t covers = 0;

    while (covers < CHECK_COVERS && failure->covers[covers] != NULL) {
        covers++;
    }
    send_u64(out, node_number(scenario, failure->place));
    send_text(out, failure->step);
    send_text(out, failure->message);
    send_text(out, failure->call);
    send_u32(out, covers);
    for (size_t i = 0; i < covers; i++) {
        send_text(out, failure->covers[i]);
    }
}

/* What came of the expectations that cite it, in a number. */
static enum cited_outcome outcome_of(const struct cited *cited)
{
    if (cited->failed) {
        return CITED_FAILED;
    }
    return cited->hollow ? CITED_HOLLOW : CITED_MET;
}

static void send_literals(
    FILE *out, const struct scenario *scenario, const struct literals *literals)
{
    send_u32(out, literals == NULL ? 0 : literals->failures);
    send_u32(out, literals == NULL ? 0 : literals->count);
    for (size_t i = 0; literals != NULL && i < literals->count; i++) {
        const struct literal *literal = &literals->item[i];

        send_u64(out, node_number(scenario, literal->place));
        send_u32(out, (literal->met ? LITERAL_MET : 0u) |
                          (literal->differs ? LITERAL_DIFFERS : 0u) |
                          (literal->several ? LITERAL_SEVERAL : 0u));
        send_text(out, literal->actual);
    }
}

void verdict_send(FILE *out, const struct instance *instance,
    const struct verdict *verdict, const struct trace *trace)
{
    size_t failures = verdict->failure_count < VERDICT_FAILURES
                          ? verdict->failure_count
                          : VERDICT_FAILURES;

    assert(verdict->scenario != NULL); /* the failures are in it */
    send_u32(out, VERDICT_HEAD);
    send_u32(out, verdict->result);
    send_u64(out, verdict->checks);
    send_u64(out, verdict->not_asked);
    send_u32(out, failures);
    for (size_t i = 0; i < failures; i++) {
        send_failure(out, verdict->scenario, &verdict->failure[i]);
    }
    send_u32(out, verdict->cited_count);
    for (size_t i = 0; i < verdict->cited_count; i++) {
        send_text(out, verdict->cited[i].requirement);
        send_u32(out, outcome_of(&verdict->cited[i]));
    }
    send_literals(out, verdict->scenario, verdict->literals);
    if (trace != NULL) {
        instance_trace_print(instance, trace, out);
    }
    send_u32(out, VERDICT_TAIL);
}
