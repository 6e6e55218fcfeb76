/* sometimes.c - a scenario's `sometimes`, once its schedules were tried: each
 * condition has to have held in one of them. */
#include "scenarios/runner/explore/sometimes.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario.h"

/* In none of the schedules that were tried. */
static void report_never(struct verdict *verdict, const struct node *condition)
{
    const struct explored *explored = &verdict->explored;
    unsigned count = (unsigned)verdict->failure_count + 1;

    verdict->failure =
        talloc_realloc(verdict, verdict->failure, struct failure, count);
    assert(verdict->failure != NULL);
    verdict->failure[count - 1] = (struct failure){
        .place = condition,
        .step = "",
        .message = talloc_asprintf(verdict,
            "sometimes: %s was true in none of %llu schedules%s",
            condition->text, (unsigned long long)explored->schedules,
            explored->left == 0 ? "" : "; max_schedules allows more"),
    };
    verdict->failure_count = count;
    verdict->result = RESULT_FAIL;
}

static void judge_step(struct verdict *verdict, const struct step *step)
{
    const struct node *sometimes = step->sometimes;
    size_t n = step->first_sometimes;

    if (sometimes == NULL) {
        return;
    }
    if (sometimes->kind != NODE_SEQUENCE) {
        if (!verdict->sometimes[n]) {
            report_never(verdict, sometimes);
        }
        return;
    }
    for (size_t i = 0; i < sometimes->count; i++) {
        if (!verdict->sometimes[n + i]) {
            report_never(verdict, sometimes->item[i]);
        }
    }
}

void sometimes_judge(const struct scenario *scenario, struct verdict *verdict)
{
    for (uint32_t n = 1;
         n <= scenario->step_count && verdict->result == RESULT_PASS; n++) {
        const struct step *step = scenario_step(scenario, n);

        if (step != NULL) {
            judge_step(verdict, step);
        }
    }
}
