/* judge.c - what skip and xfail make of a verdict. It is strict: an instance
 * that passes although it is expected to fail is a failure, too. */
#include "scenarios/runner/run/judge.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"

static char *reason_of(void *context, const struct node *node)
{
    return talloc_asprintf(context, "%s (%s)", node_get(node, "reason")->text,
        node_get(node, "issue")->text);
}

struct verdict *judge_skipped(void *context, const struct instance *instance)
{
    struct verdict *verdict;
    char *reason;

    if (instance->skip == NULL) {
        return NULL;
    }
    reason = reason_of(NULL, instance->skip);
    verdict =
        verdict_failed(context, instance, RESULT_SKIP, "skip: %s", reason);
    verdict->failure[0].place = instance->skip;
    talloc_free(reason);
    return verdict;
}

static bool is_expected(const struct node *xfail, enum result result)
{
    const struct node *wanted = node_get(xfail, "result");

    switch (result) {
    case RESULT_FAIL:
        return wanted == NULL || node_is_word(wanted, "FAIL");
    case RESULT_ERROR:
        return wanted != NULL && node_is_word(wanted, "ERROR");
    case RESULT_TIMEOUT:
        return wanted != NULL && node_is_word(wanted, "TIMEOUT");
    case RESULT_CRASH:
        return wanted != NULL && node_is_word(wanted, "CRASH");
    case RESULT_PASS:
    case RESULT_SKIP:
    case RESULT_INTERNAL:
    case RESULT_XFAIL:
    case RESULT_XPASS:
    case RESULT_COUNT:
        break;
    }
    return false;
}

void judge_expected(const struct instance *instance, struct verdict *verdict)
{
    const struct node *xfail = instance->xfail;

    if (xfail == NULL) {
        return;
    }
    if (is_expected(xfail, verdict->result)) {
        verdict->result = RESULT_XFAIL;
        verdict->reason = reason_of(verdict, xfail);
    } else if (verdict->result == RESULT_PASS && verdict->not_asked == 0) {
        verdict->result = RESULT_XPASS;
        verdict->failure = talloc_zero(verdict, struct failure);
        assert(verdict->failure != NULL);
        verdict->failure_count = 1;
        *verdict->failure = (struct failure){
            .place = xfail,
            .step = "",
            .message = talloc_asprintf(verdict,
                "it passes, and is expected to fail: %s",
                reason_of(verdict, xfail)),
        };
    }
}
