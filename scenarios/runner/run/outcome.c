/* outcome.c - what a step has done, from its beginning on, and the variables
 * that it sets. */
#include "scenarios/runner/run/outcome.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/counters/row_path.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_callback.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/step.h"

struct outcome *outcome_open(
    struct run *run, const struct step *step, struct outcome *outer)
{
    struct outcome *outcome = talloc_zero(run->context, struct outcome);

    assert(outcome != NULL);
    outcome->step = step;
    outcome->outer = outer;
    outcome->opened = run->open;
    outcome->own = step->in_callback ? run_own_bindings(run) : NULL;
    outcome->first_rule = run->session->kernel.rules.count;
    outcome->first_handler = run->handler_count;
    outcome->first_event = run->session->machine.trace.count;
    for (size_t i = 0; i < step->expect.count; i++) {
        const struct check_code *code = step->expect.item[i].kind->code;

        if (code->begin != NULL) {
            code->begin(run, outcome);
        }
    }
    run->open = outcome;
    return outcome;
}

size_t outcome_times(const struct step *step)
{
    size_t count = cpu_list_count(&step->cpus);

    return count == 0 ? 1 : count;
}

const char *outcome_number(void *context, const struct outcome *outcome)
{
    const struct step *step = outcome->step;

    return step->cpus.several
               ? talloc_asprintf(context, "%s on cpu %u", step->number,
                     (unsigned)cpu_list_nth(&step->cpus, outcome->nth))
               : step->number;
}

void outcome_close(struct run *run, struct outcome *outcome)
{
    struct outcome **link = &run->open;

    while (*link != outcome) {
        assert(*link != NULL);
        link = &(*link)->opened;
    }
    *link = outcome->opened;
    /* Nobody looks back behind the beginning of a step. */
    if (run->open == NULL && run->session->step_view == NULL) {
        trace_hand_on(&run->session->machine.trace);
    }
}

/* One result: a value, or the bytes of a structure or list. */
static void save_value(struct run *run, const struct outcome *outcome,
    const struct save *save, struct binding *binding)
{
    const struct variable *variable =
        &run->scenario->variables->item[save->variable];
    const struct out_block *block = &outcome->out[save->parameter];
    size_t size = nt_type_row(variable->type)->size;
    size_t bytes;

    binding->set = true;
    if (!save->is_out) {
        binding->value = step_reads(outcome->step)
                             ? outcome->value[save->result]
                             : outcome->returns;
        return;
    }
    if (!variable->array &&
        nt_type_row(variable->type)->kind != NT_KIND_STRUCT) {
        binding->value = nt_load(block->at + save->at, size);
        return;
    }
    bytes = save->is_view ? size : block->size;
    binding->bytes = talloc_memdup(run->context, block->at + save->at, bytes);
    binding->count = bytes / size;
}

/* A number of what a collect gave. */
static void save_row(struct run *run, const struct outcome *outcome,
    const struct node *path, struct binding *binding)
{
    const char *why = row_path_value(run->context, outcome->rows,
        outcome->step->collection->asked, path->text, &binding->value);

    binding->set = why == NULL;
    if (why != NULL) {
        run_fail(run, RESULT_ERROR, outcome, path, "%s: %s", path->text, why);
    }
}

void outcome_save(struct run *run, const struct outcome *outcome)
{
    const struct step *step = outcome->step;

    run_enter_outcome(run, outcome);
    for (size_t i = 0; i < step->save_count && !outcome->raised; i++) {
        const struct save *save = &step->save[i];
        const struct out_block *block = &outcome->out[save->parameter];
        struct binding *binding = scope_binding(&run->scope, save->variable);

        if (outcome->failed || (save->is_out && block->at == NULL)) {
            continue; /* the step that reads the variable says so */
        }
        if (save->row != NULL) {
            save_row(run, outcome, save->row, binding);
            continue;
        }
        save_value(run, outcome, save, binding);
    }
}
