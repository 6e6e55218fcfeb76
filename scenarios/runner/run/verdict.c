/* verdict.c - what the run of an instance came to: made where nothing ran, cut
 * to what can be sent, and what it says of requirements. */
#include "scenarios/runner/run/verdict.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "api/core/missing.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/visible_text.h"

struct verdict *verdict_failed(void *context, const struct instance *instance,
    enum result result, const char *format, ...)
{
    struct verdict *verdict = talloc_zero(context, struct verdict);
    va_list arguments;

    assert(verdict != NULL);
    verdict->result = result;
    verdict->scenario = instance->scenario;
    verdict->failure = talloc_zero(verdict, struct failure);
    assert(verdict->failure != NULL);
    verdict->failure_count = 1;
    va_start(arguments, format);
    *verdict->failure = (struct failure){
        .place = instance->scenario != NULL ? instance->scenario->root
                                            : instance->outline->root,
        .step = "",
        .message = talloc_vasprintf(verdict, format, arguments),
    };
    va_end(arguments);
    return verdict;
}

const char *verdict_result_name(enum result result)
{
    static const char *const names[] = {
#define RESULT(name, class) #name,
#include "scenarios/runner/run/results.def"
    };

    assert(result < RESULT_COUNT);
    return names[result];
}

bool verdict_result_failed(enum result result)
{
    switch (result) {
    case RESULT_PASS:
    case RESULT_SKIP:
    case RESULT_XFAIL:
        return false;
    case RESULT_FAIL:
    case RESULT_ERROR:
    case RESULT_TIMEOUT:
    case RESULT_CRASH:
    case RESULT_INTERNAL:
    case RESULT_XPASS:
    case RESULT_COUNT:
        break;
    }
    return true;
}

/* NULL stays NULL. */
static const char *trim_text(struct verdict *verdict, const char *text)
{
    if (text == NULL || strlen(text) <= VERDICT_TEXT_BYTES) {
        return text;
    }
    return talloc_strndup(verdict, text, VERDICT_TEXT_BYTES);
}

void verdict_trim(struct verdict *verdict)
{
    size_t count = verdict->failure_count;

    if (count > VERDICT_FAILURES) {
        struct failure *last = &verdict->failure[VERDICT_FAILURES - 1];

        last->message = talloc_asprintf(verdict,
            "(of %zu failures the last that is shown) %s", count,
            last->message);
        verdict->failure_count = VERDICT_FAILURES;
    }
    verdict->explored.schedule = trim_text(verdict, verdict->explored.schedule);
    verdict->explored.order = trim_text(verdict, verdict->explored.order);
    for (size_t i = 0; i < verdict->failure_count; i++) {
        struct failure *failure = &verdict->failure[i];

        failure->message = trim_text(verdict, failure->message);
        failure->call = trim_text(verdict, failure->call);
        failure->failed_calls = trim_text(verdict, failure->failed_calls);
        failure->failed_at = trim_text(verdict, failure->failed_at);
    }
}

void verdict_note_missing(
    struct verdict *verdict, const struct missing_imports *missing)
{
    verdict->missing = (struct verdict_missing){
        .name = talloc_array(verdict, const char *, (unsigned)missing->count),
        .count = missing->count,
        .reached = missing->reached != 0,
    };
    assert(verdict->missing.name != NULL);
    for (size_t i = 0; i < missing->count; i++) {
        const struct missing_import *import = &missing->item[i];
        char *raw = talloc_asprintf(verdict, "%s of %s%s, for %s", import->name,
            import->module, import->variable ? ", a variable" : "",
            import->driver);

        assert(raw != NULL);
        verdict->missing.name[i] =
            trim_text(verdict, visible_text(verdict, raw));
    }
}

void verdict_add_replaced(struct verdict *verdict, enum routine routine)
{
    struct verdict_replaced *replaced = &verdict->replaced;

    replaced->name = talloc_realloc(
        verdict, replaced->name, const char *, (unsigned)replaced->count + 1);
    assert(replaced->name != NULL && routine < ROUTINE_COUNT);
    replaced->name[replaced->count++] = routine_rows[routine].name;
}

void verdict_note_replaced(
    struct verdict *verdict, const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->answer_names.count; i++) {
        enum routine routine;

        if (scenario->answer[i].replace &&
            routine_find(scenario->answer_names.item[i], &routine)) {
            verdict_add_replaced(verdict, routine);
        }
    }
}

/* The entry of this requirement, a new one where there is none. */
static struct cited *cited_entry(struct verdict *verdict, const char *id)
{
    struct cited *entry;

    for (size_t i = 0; i < verdict->cited_count; i++) {
        if (strcmp(verdict->cited[i].requirement, id) == 0) {
            return &verdict->cited[i];
        }
    }
    verdict->cited = talloc_realloc(verdict, verdict->cited, struct cited,
        (unsigned)verdict->cited_count + 1);
    assert(verdict->cited != NULL);
    entry = &verdict->cited[verdict->cited_count++];
    *entry = (struct cited){.requirement = id, .hollow = true};
    return entry;
}

void verdict_cite(struct verdict *verdict, const char *const covers[],
    enum cited_outcome outcome)
{
    for (size_t i = 0; i < CHECK_COVERS && covers[i] != NULL; i++) {
        struct cited *entry = cited_entry(verdict, covers[i]);

        entry->failed |= outcome == CITED_FAILED;
        entry->hollow &= outcome == CITED_HOLLOW;
    }
}

struct verdict *verdict_interrupted(
    void *context, const struct instance *instance)
{
    struct verdict *verdict = verdict_failed(context, instance, RESULT_ERROR,
        "interrupted by SIG%s", interruption_name());

    verdict->interrupted = true;
    return verdict;
}
