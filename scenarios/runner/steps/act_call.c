/* act_call.c - a kernel routine is called: arguments in the guest's memory, an
 * exception caught where the step expects one. */
#include <assert.h>
#include <setjmp.h>
#include <string.h>
#include <talloc.h>

#include "api/boot/exports.h"
#include "api/core/exception.h"
#include "api/core/show.h"
#include "scenarios/runner/language/block.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

struct arguments {
    uint64_t value[ROUTINE_PARAMETERS];
    bool failed;
};

/* A value that could not be computed ends the step. */
static void argument_fail(struct run *run, struct outcome *outcome,
    struct arguments *arguments, const struct node *place)
{
    run_fail_value(run, outcome, place);
    arguments->failed = true;
}

static void argument_refuse(struct run *run, struct outcome *outcome,
    struct arguments *arguments, const char *why)
{
    run_fail(run, RESULT_ERROR, outcome, outcome->step->key, "%s", why);
    arguments->failed = true;
    outcome->failed = true;
}

static void argument_block(struct run *run, struct outcome *outcome,
    struct arguments *arguments, size_t i, const struct value_block *block)
{
    struct memory *memory = &run->session->machine.memory;
    const struct parameter *parameter =
        &routine_rows[outcome->step->u.call.routine].parameter[i];
    uint8_t *at;

    if (block->is_address) {
        arguments->value[i] = block->address;
        return;
    }
    at = block_place(memory, block);
    if (at == NULL) {
        argument_refuse(run, outcome, arguments,
            "the scenario has used up the guest's memory");
        return;
    }
    arguments->value[i] = (uint64_t)(uintptr_t)at;
    if (parameter_is_out(parameter) && block_is_there(block)) {
        outcome->out[i] = (struct out_block){.at = at,
            .size = block->size - (block->state == BLOCK_SHORT),
            .before = block->bytes,
            .array = strcmp(parameter->count, "one") != 0};
    }
}

static void argument_written(struct run *run, struct outcome *outcome,
    struct arguments *arguments, size_t i)
{
    const struct step_call *call = &outcome->step->u.call;
    const struct parameter *parameter =
        &routine_rows[call->routine].parameter[i];
    bool array = strcmp(parameter->count, "one") != 0;
    struct value_block block;

    if (!parameter_is_pointer(parameter)) {
        if (!value_scalar(&run->scope, call->argument[i], parameter->type,
                &arguments->value[i])) {
            argument_fail(run, outcome, arguments, call->argument[i]);
        }
        return;
    }
    if (value_block(&run->scope, outcome, call->argument[i], parameter->type,
            array, &block)) {
        argument_block(run, outcome, arguments, i, &block);
        return;
    }
    argument_fail(run, outcome, arguments, call->argument[i]);
}

/* An output that is left out gets a block of its own: one element, or as many
 * as the call says it has. */
static void argument_left_out(struct run *run, struct outcome *outcome,
    struct arguments *arguments, size_t i)
{
    const struct routine_row *row =
        &routine_rows[outcome->step->u.call.routine];
    const struct parameter *parameter = &row->parameter[i];
    struct value_block block = {.count = 1};

    for (size_t k = 0; k < routine_parameter_count(row); k++) {
        if (strcmp(row->parameter[k].name, parameter->count) == 0) {
            block.count = arguments->value[k];
        }
    }
    if (block.count > VALUE_REPEAT) {
        argument_refuse(run, outcome, arguments,
            "an output that is left out has at most 65536 elements; write "
            "{buffer: elements}");
        return;
    }
    block.size = block.count * nt_type_row(parameter->type)->size;
    block.bytes = talloc_array(outcome, uint8_t, (unsigned)block.size + 1);
    memset(block.bytes, VALUE_FILL, block.size);
    argument_block(run, outcome, arguments, i, &block);
}

static void call_now(struct run *run, struct outcome *outcome)
{
    const struct step_call *call = &outcome->step->u.call;
    const struct routine_row *row = &routine_rows[call->routine];
    struct arguments arguments = {0};
    char text[SHOW_CALL_BYTES];
    size_t count = routine_parameter_count(row);

    for (size_t i = 0; i < count; i++) {
        if (call->argument[i] != NULL) {
            argument_written(run, outcome, &arguments, i);
        }
    }
    for (size_t i = 0; i < count && !arguments.failed; i++) {
        if (call->argument[i] == NULL) {
            argument_left_out(run, outcome, &arguments, i);
        }
    }
    show_call(&run->session->kernel, call->routine, arguments.value, text,
        sizeof(text));
    outcome->call = talloc_strdup(outcome, text);
    if (!arguments.failed) {
        outcome->returns = export_entries[call->routine].call(arguments.value);
    }
}

void act_call(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, call_now);
}
