/* call.c - call: a kernel routine is called, with arguments in the guest's
 * memory. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/boot/exports.h"
#include "api/core/show.h"
#include "scenarios/runner/language/block.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/routine_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

struct call {
    enum routine routine;
    const struct node *argument[ROUTINE_PARAMETERS]; /* NULL: left out */
};

static struct signature signature_of(enum routine routine)
{
    const struct routine_row *row = &routine_rows[routine];

    return (struct signature){.name = row->name,
        .returns = row->returns,
        .parameter = row->parameter,
        .parameter_count = routine_parameter_count(row)};
}

static bool call_variant(size_t n, struct step_variant *variant)
{
    const char *name = name_of_callable(n, NULL);
    enum routine routine;

    if (name == NULL) {
        return false;
    }
    routine_find(name, &routine);
    *variant =
        (struct step_variant){.word = name, .signature = signature_of(routine)};
    return true;
}

static void report_argument(struct reader *reader, const struct node *key,
    const struct routine_row *row)
{
    struct suggestion suggestion = suggest_for(key->text);

    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_KEY, key,
        "%s has no parameter '%s'", row->name, key->text);
    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        suggest_offer(&suggestion, row->parameter[i].name);
    }
    schema_suggest(&reader->scope.schema, &suggestion);
}

static void check_argument(struct reader *reader, const struct node *value,
    const struct parameter *parameter)
{
    bool array = strcmp(parameter->count, "one") != 0;
    struct value_block block;
    uint64_t number;

    if (parameter_is_pointer(parameter)) {
        value_block(&reader->scope, reader->scenario, value, parameter->type,
            array, &block);
        return;
    }
    reader->scope.per_us = duration_of_parameter(parameter->name);
    value_scalar(&reader->scope, value, parameter->type, &number);
    reader->scope.per_us = 0;
}

/* Returns whether every name is one of the routine's. */
static bool read_arguments(struct reader *reader, const struct node *args,
    const struct routine_row *row, struct call *call)
{
    bool right = true;

    if (args->kind != NODE_MAPPING) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, args,
            "expected {Parameter: value}");
        return false;
    }
    for (size_t i = 0; i < args->count; i++) {
        const struct entry *entry = &args->entry[i];
        size_t k = 0;

        while (k < routine_parameter_count(row) &&
               strcmp(row->parameter[k].name, entry->key->text) != 0) {
            k++;
        }
        if (k == routine_parameter_count(row)) {
            report_argument(reader, entry->key, row);
            right = false;
            continue;
        }
        call->argument[k] = entry->value;
        check_argument(reader, entry->value, &row->parameter[k]);
    }
    return right;
}

/* Programs call kernel32, drivers the kernel. */
static void check_mode(struct reader *reader, const struct node *node,
    const struct routine_row *row, const struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    const struct driver *driver =
        scenario_driver(reader->scenario, step->actor);
    bool program = driver->user && !step->in_callback;

    if (program && row->image != IMAGE_KERNEL32) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' is a process, and %s is a routine of the kernel",
            driver->name, row->name);
        diagnostics_hint(schema->diagnostics, "let an actor, a driver, do it");
    } else if (!program && row->image == IMAGE_KERNEL32) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "%s is a routine of user mode, which a process calls", row->name);
        diagnostics_hint(schema->diagnostics,
            "write processes: [app] beside actors, and as: app here");
    }
}

static void read_call(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct node *args = node_get(step->node, "args");
    struct call *call = step->data;
    const struct routine_row *row;
    size_t routine = 0;
    bool known = routine_name_read(&reader->scope.schema, node, &routine);

    /* One that is not known is taken for the first. */
    call->routine = (enum routine)routine;
    step->signature = signature_of(call->routine);
    step->lost = !known;
    if (!known) {
        return;
    }
    row = &routine_rows[call->routine];
    check_mode(reader, node, row, step);
    reader->scenario->asks_threads |=
        call->routine == ROUTINE_ZwTerminateProcess;
    if (row->needs == NEEDS_PMU) {
        read_pmu_need(reader, node, row->name);
    }
    if (!routine_exists(call->routine, reader->scenario->os)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "%s is not exported by %s", row->name,
            os_rows[reader->scenario->os].name);
    }
    if (args != NULL && !read_arguments(reader, args, row, call)) {
        return; /* what is missing may be what is misspelt */
    }
    if (routine_is_native(row)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "%s can be called by a driver's own code only", row->name);
        return;
    }
    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        if (call->argument[i] == NULL &&
            !parameter_is_out(&row->parameter[i])) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_MISSING_KEY, node,
                "missing argument '%s'", row->parameter[i].name);
            diagnostics_hint(reader->scope.schema.diagnostics,
                "write args: {%s: value}, a %s%s", row->parameter[i].name,
                nt_type_row(row->parameter[i].type)->name,
                parameter_is_pointer(&row->parameter[i]) ? " to point to" : "");
        }
    }
}

static const struct call *call_of(const struct outcome *outcome)
{
    return outcome->step->data;
}

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

/* Memory that the scenario knows by its address, and that the call writes to: a
 * single value's, while it is there. */
static void argument_address(struct run *run, struct outcome *outcome,
    const struct parameter *parameter, size_t i, uint64_t address)
{
    const struct memory *memory = &run->session->machine.memory;
    size_t size = nt_type_row(parameter->type)->size;
    uint8_t *at = (uint8_t *)(uintptr_t)address;

    if (parameter_is_out(parameter) && size > 0 &&
        strcmp(parameter->count, "one") == 0 &&
        memory_is_usable(memory, at, size)) {
        outcome->out[i] = (struct out_block){.at = at,
            .size = size,
            .before = talloc_memdup(outcome, at, size),
            .borrowed = true};
        assert(outcome->out[i].before != NULL);
    }
}

static void argument_block(struct run *run, struct outcome *outcome,
    struct arguments *arguments, size_t i, const struct value_block *block)
{
    struct memory *memory = &run->session->machine.memory;
    const struct parameter *parameter =
        &routine_rows[call_of(outcome)->routine].parameter[i];
    uint8_t *at;

    if (block->is_address) {
        arguments->value[i] = block->address;
        argument_address(run, outcome, parameter, i, block->address);
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
    const struct call *call = call_of(outcome);
    const struct parameter *parameter =
        &routine_rows[call->routine].parameter[i];
    bool array = strcmp(parameter->count, "one") != 0;
    struct value_block block;

    if (!parameter_is_pointer(parameter)) {
        run->scope.per_us = duration_of_parameter(parameter->name);
        if (!value_scalar(&run->scope, call->argument[i], parameter->type,
                &arguments->value[i])) {
            argument_fail(run, outcome, arguments, call->argument[i]);
        }
        run->scope.per_us = 0;
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
    const struct routine_row *row = &routine_rows[call_of(outcome)->routine];
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

static void run_call(struct run *run, struct outcome *outcome)
{
    const struct call *call = call_of(outcome);
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

static const char *show_call_made(
    void *context, const struct run *run, const struct outcome *outcome)
{
    (void)context;
    (void)run;
    return outcome->call;
}

static const char *show_call_result(
    void *context, const struct run *run, const struct outcome *outcome)
{
    const enum routine routine = call_of(outcome)->routine;
    char value[SHOW_VALUE_BYTES];

    if (routine_rows[routine].returns == NT_VOID) {
        return NULL;
    }
    show_result(
        &run->session->kernel, routine, outcome->returns, value, sizeof(value));
    return talloc_strdup(context, value);
}

const struct step_code step_call = {
    .noun = "a call",
    .data_bytes = sizeof(struct call),
    .read = read_call,
    .variant = call_variant,
    .run = run_call,
    .show = show_call_made,
    .show_returned = show_call_result,
};
