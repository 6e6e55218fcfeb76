/* verdict_pipe.c - a verdict as bytes from a worker to the process that reports
 * it: a head, the failures, what was cited, what was compared, what came of
 * schedules
 * and of calls that failed, a tail. Both ends are one program on one kind of
 * host, so numbers are sent as they lie in memory, and a node by its number. */
#include "scenarios/runner/run/verdict_pipe.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/visible_text.h"

enum { VERDICT_HEAD = 0x4E545056, VERDICT_TAIL = 0x56505445 };

#define VERDICT_NO_TEXT UINT32_MAX /* in place of a length */

/* What became of its comparisons, as bits. */
enum {
    LITERAL_MET = 1,
    LITERAL_DIFFERS = 2,
    LITERAL_SEVERAL = 4,
    LITERAL_BITS = 7,
};

/* A message while it is read. */
struct message {
    const uint8_t *at;
    size_t left;
    const char *problem; /* the first; NULL: none so far */
    const struct instance *instance;
    const struct requirements *requirements;
};

static void refuse(struct message *message, const char *problem)
{
    if (message->problem == NULL) {
        message->problem = problem;
    }
    message->left = 0;
}

/* The next bytes; NULL after a problem. */
static const uint8_t *take(struct message *message, size_t size)
{
    const uint8_t *taken = message->at;

    if (message->left < size) {
        refuse(message, "it ends too early");
    }
    if (message->problem != NULL) {
        return NULL;
    }
    message->at += size;
    message->left -= size;
    return taken;
}

/* 0 after a problem. */
static uint32_t take_u32(struct message *message)
{
    const uint8_t *taken = take(message, sizeof(uint32_t));
    uint32_t value = 0;

    if (taken != NULL) {
        memcpy(&value, taken, sizeof(value));
    }
    return value;
}

static uint64_t take_u64(struct message *message)
{
    const uint8_t *taken = take(message, sizeof(uint64_t));
    uint64_t value = 0;

    if (taken != NULL) {
        memcpy(&value, taken, sizeof(value));
    }
    return value;
}

/* A copy, child of `context`; NULL for no text, and after a problem. */
static const char *take_text_or_none(struct message *message, void *context)
{
    uint32_t length = take_u32(message);
    const uint8_t *taken;

    if (length == VERDICT_NO_TEXT) {
        return NULL;
    }
    if (length > VERDICT_TEXT_BYTES) {
        refuse(message, "a text is too long");
    }
    taken = take(message, length);
    if (taken != NULL && memchr(taken, '\0', length) != NULL) {
        refuse(message, "a text holds a NUL");
        return NULL;
    }
    return taken == NULL ? NULL
                         : talloc_strndup(context, (const char *)taken, length);
}

static const char *take_text(struct message *message, void *context)
{
    const char *text = take_text_or_none(message, context);

    if (text == NULL) {
        refuse(message, "a text is missing");
    }
    return text;
}

/* An instance that is not open is opened for it. */
static const struct node *take_place(
    struct message *message, struct verdict *verdict)
{
    if (verdict->scenario == NULL) {
        verdict->scenario = instance_open(verdict, message->instance).scenario;
    }
    return node_number_find(verdict->scenario, take_u64(message));
}

/* A requirement's id; it is the program's own that is kept. NULL after a
 * problem. */
static const char *take_requirement(struct message *message)
{
    void *context = talloc_new(NULL);
    const char *id = take_text(message, context);
    const struct requirement *found =
        id == NULL ? NULL : requirements_find(message->requirements, id);

    if (found == NULL) {
        refuse(message, "a requirement does not exist");
    }
    talloc_free(context);
    return found == NULL ? NULL : found->id;
}

static void take_covers(struct message *message, struct failure *failure)
{
    uint32_t count = take_u32(message);

    if (count > CHECK_COVERS) {
        refuse(message, "a failure has too many requirements");
    }
    for (uint32_t i = 0; i < count && message->problem == NULL; i++) {
        failure->covers[i] = take_requirement(message);
    }
}

/* What a process says in which a driver's code ran may be the driver's. */
static const char *visible(struct verdict *verdict, const char *text)
{
    return text == NULL ? NULL : visible_text(verdict, text);
}

static void take_failure(struct message *message, struct verdict *verdict)
{
    struct failure failure = {.place = take_place(message, verdict)};

    failure.step = visible(verdict, take_text(message, verdict));
    failure.message = visible(verdict, take_text(message, verdict));
    failure.call = visible(verdict, take_text_or_none(message, verdict));
    take_covers(message, &failure);
    if (message->problem != NULL) {
        return;
    }
    verdict->failure = talloc_realloc(verdict, verdict->failure, struct failure,
        (unsigned)verdict->failure_count + 1);
    assert(verdict->failure != NULL);
    verdict->failure[verdict->failure_count++] = failure;
}

static void take_head(struct message *message, struct verdict *verdict)
{
    uint32_t head = take_u32(message);
    uint32_t result = take_u32(message);
    uint32_t failures;

    verdict->scenario = message->instance->scenario;
    verdict->checks = take_u64(message);
    verdict->not_asked = take_u64(message);
    failures = take_u32(message);
    if (message->problem == NULL && head != VERDICT_HEAD) {
        refuse(message, "it does not begin as one");
    }
    if (result > RESULT_INTERNAL) {
        refuse(message, "its result does not exist");
    }
    if (failures > VERDICT_FAILURES) {
        refuse(message, "it has too many failures");
    }
    /* What run_instance() asserts of a verdict of its own. */
    if ((result == RESULT_PASS) != (failures == 0) ||
        (result == RESULT_PASS && verdict->checks == 0)) {
        refuse(message, "its result contradicts its failures");
    }
    verdict->result = (enum result)result;
    for (uint32_t i = 0; i < failures && message->problem == NULL; i++) {
        take_failure(message, verdict);
    }
}

/* As many as there are requirements, so each can be there once. */
static void take_cited(struct message *message, struct verdict *verdict)
{
    uint32_t count = take_u32(message);

    if (count > message->requirements->count) {
        refuse(message, "it cites too many requirements");
    }
    for (uint32_t i = 0; i < count && message->problem == NULL; i++) {
        const char *covers[] = {take_requirement(message), NULL};
        uint32_t outcome = take_u32(message);

        if (outcome > CITED_FAILED) {
            refuse(message, "what came of a requirement does not exist");
        }
        if (outcome == CITED_FAILED && verdict->result == RESULT_PASS) {
            refuse(message, "its result contradicts what it cites");
        }
        if (message->problem == NULL) {
            verdict_cite(verdict, covers, (enum cited_outcome)outcome);
        }
        if (message->problem == NULL && verdict->cited_count != i + 1) {
            refuse(message, "a requirement is cited twice");
        }
    }
}

static void take_literal(struct message *message, struct verdict *verdict)
{
    struct literals *literals = verdict->literals;
    struct literal literal = {.place = take_place(message, verdict)};
    uint32_t bits = take_u32(message);

    if (bits > LITERAL_BITS) {
        refuse(message, "what became of an expected value does not exist");
    }
    literal.actual = take_text_or_none(message, literals);
    if (literal.actual != NULL && !literal_is_text(literal.actual)) {
        refuse(message, "a value is none");
    }
    if (message->problem != NULL) {
        return;
    }
    literal.met = (bits & LITERAL_MET) != 0;
    literal.differs = (bits & LITERAL_DIFFERS) != 0;
    literal.several = (bits & LITERAL_SEVERAL) != 0;
    literals->item = talloc_realloc(literals, literals->item, struct literal,
        (unsigned)literals->count + 1);
    assert(literals->item != NULL);
    literals->item[literals->count++] = literal;
}

static void take_literals(struct message *message, struct verdict *verdict)
{
    uint32_t failures = take_u32(message);
    uint32_t count = take_u32(message);

    verdict->literals = talloc_zero(verdict, struct literals);
    assert(verdict->literals != NULL);
    verdict->literals->failures = failures;
    for (uint32_t i = 0; i < count && message->problem == NULL; i++) {
        take_literal(message, verdict);
    }
}

static void take_explored(struct message *message, struct verdict *verdict)
{
    verdict->explored.schedules = take_u64(message);
    verdict->explored.left = take_u64(message);
    verdict->explored.shared = take_u64(message);
    verdict->explored.number = take_u64(message);
    verdict->explored.schedule =
        visible(verdict, take_text_or_none(message, verdict));
    verdict->explored.order =
        visible(verdict, take_text_or_none(message, verdict));
}

/* Of a failure that comes of them. */
static void take_failed_calls(struct message *message, struct verdict *verdict)
{
    uint32_t nth = take_u32(message);
    const char *calls = visible(verdict, take_text(message, verdict));
    const char *at = visible(verdict, take_text_or_none(message, verdict));

    if (message->problem == NULL && nth >= verdict->failure_count) {
        refuse(message, "calls failed for a failure that does not exist");
    }
    if (message->problem == NULL) {
        verdict->failure[nth].failed_calls = calls;
        verdict->failure[nth].failed_at = at;
    }
}

static void take_calls(struct message *message, struct verdict *verdict)
{
    uint32_t count;

    verdict->calls.sites = take_u64(message);
    verdict->calls.failed = take_u64(message);
    verdict->calls.left = take_u64(message);
    verdict->calls.unjudged = take_u64(message);
    verdict->unjudged = visible(verdict, take_text_or_none(message, verdict));
    verdict->calls.list = take_text_or_none(message, verdict);
    count = take_u32(message);
    for (uint32_t i = 0; i < count && message->problem == NULL; i++) {
        take_failed_calls(message, verdict);
    }
}

/* One byte for each condition. */
static void take_sometimes(struct message *message, struct verdict *verdict)
{
    uint32_t count = take_u32(message);
    const uint8_t *held = take(message, count);

    if (held == NULL || count == 0) {
        return;
    }
    verdict->sometimes = talloc_array(verdict, bool, count);
    assert(verdict->sometimes != NULL);
    verdict->sometimes_count = count;
    for (uint32_t i = 0; i < count; i++) {
        verdict->sometimes[i] = held[i] != 0;
    }
}

static void take_missing(struct message *message, struct verdict *verdict)
{
    struct verdict_missing *missing = &verdict->missing;
    uint32_t count = take_u32(message);

    missing->reached = take_u32(message);
    if (missing->reached > 1 || missing->reached > count ||
        (missing->reached > 0 && verdict->result == RESULT_PASS)) {
        refuse(message, "its result contradicts what is missing");
    }
    for (uint32_t i = 0; i < count && message->problem == NULL; i++) {
        missing->name = talloc_realloc(
            verdict, missing->name, const char *, (unsigned)missing->count + 1);
        assert(missing->name != NULL);
        missing->name[missing->count++] =
            visible(verdict, take_text(message, verdict));
    }
}

static void take_replaced(struct message *message, struct verdict *verdict)
{
    uint32_t count = take_u32(message);

    for (uint32_t i = 0; i < count && message->problem == NULL; i++) {
        const char *name = take_text(message, verdict);
        enum routine routine;

        if (message->problem == NULL && !routine_find(name, &routine)) {
            refuse(message, "it has replaced what is not modelled");
        } else if (message->problem == NULL) {
            verdict_add_replaced(verdict, routine);
        }
    }
}

static void take_tail(struct message *message)
{
    uint32_t tail = take_u32(message);

    if (message->problem == NULL &&
        (tail != VERDICT_TAIL || message->left != 0)) {
        refuse(message, "it does not end as one");
    }
}

struct verdict *verdict_receive(void *context, const struct instance *instance,
    const struct requirements *requirements, const uint8_t *bytes,
    size_t length, const char **problem)
{
    struct verdict *verdict = talloc_zero(context, struct verdict);
    struct message message = {
        .at = bytes,
        .left = length,
        .instance = instance,
        .requirements = requirements,
    };

    assert(verdict != NULL);
    take_head(&message, verdict);
    take_cited(&message, verdict);
    take_literals(&message, verdict);
    take_explored(&message, verdict);
    take_sometimes(&message, verdict);
    take_calls(&message, verdict);
    take_missing(&message, verdict);
    take_replaced(&message, verdict);
    take_tail(&message);
    *problem = message.problem;
    if (message.problem != NULL) {
        talloc_free(verdict);
        return NULL;
    }
    return verdict;
}

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

static void send_texts(FILE *out, const char *const text[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        send_text(out, text[i]);
    }
}

static void send_failure(
    FILE *out, const struct scenario *scenario, const struct failure *failure)
{
    size_t covers = 0;

    while (covers < CHECK_COVERS && failure->covers[covers] != NULL) {
        covers++;
    }
    /* A failure of a scenario that nobody has opened is at its root. */
    send_u64(out, scenario == NULL ? NODE_NUMBER_NONE
                                   : node_number(scenario, failure->place));
    send_text(out, failure->step);
    send_text(out, failure->message);
    send_text(out, failure->call);
    send_u32(out, covers);
    send_texts(out, failure->covers, covers);
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
    assert(scenario != NULL || literals == NULL || literals->count == 0);
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

static void send_explored(FILE *out, const struct explored *explored)
{
    send_u64(out, explored->schedules);
    send_u64(out, explored->left);
    send_u64(out, explored->shared);
    send_u64(out, explored->number);
    send_text(out, explored->schedule);
    send_text(out, explored->order);
}

static void send_calls(
    FILE *out, const struct verdict *verdict, size_t failures)
{
    const struct calls_failed *calls = &verdict->calls;
    size_t count = 0;

    send_u64(out, calls->sites);
    send_u64(out, calls->failed);
    send_u64(out, calls->left);
    send_u64(out, calls->unjudged);
    send_text(out, verdict->unjudged);
    send_text(out, calls->list);
    for (size_t i = 0; i < failures; i++) {
        count += verdict->failure[i].failed_calls != NULL;
    }
    send_u32(out, count);
    for (size_t i = 0; i < failures; i++) {
        if (verdict->failure[i].failed_calls != NULL) {
            send_u32(out, i);
            send_text(out, verdict->failure[i].failed_calls);
            send_text(out, verdict->failure[i].failed_at);
        }
    }
}

static void send_sometimes(FILE *out, const struct verdict *verdict)
{
    send_u32(out, verdict->sometimes_count);
    for (size_t i = 0; i < verdict->sometimes_count; i++) {
        fputc(verdict->sometimes[i], out);
    }
}

static void send_missing(FILE *out, const struct verdict_missing *missing)
{
    send_u32(out, missing->count);
    send_u32(out, missing->reached);
    send_texts(out, missing->name, missing->count);
}

static void send_replaced(FILE *out, const struct verdict_replaced *replaced)
{
    send_u32(out, replaced->count);
    send_texts(out, replaced->name, replaced->count);
}

void verdict_send(FILE *out, const struct verdict *verdict)
{
    size_t failures = verdict->failure_count < VERDICT_FAILURES
                          ? verdict->failure_count
                          : VERDICT_FAILURES;

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
    send_explored(out, &verdict->explored);
    send_sometimes(out, verdict);
    send_calls(out, verdict, failures);
    send_missing(out, &verdict->missing);
    send_replaced(out, &verdict->replaced);
    send_u32(out, VERDICT_TAIL);
}
