/* ask_thread.c - alert, queue_apc and terminate: what others ask of the thread
 * of an actor, whatever it does meanwhile. */
#include <assert.h>
#include <talloc.h>

#include "api/ke/code.h"
#include "api/ke/kthread.h"
#include "api/ps/apc.h"
#include "api/ps/process.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/actor_thread.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/device_request.h"
#include "scenarios/runner/steps/steps.h"

struct asked_thread {
    size_t actor;
    bool whole;                 /* the process that it is of */
    enum apc_kind kind;         /* of an APC */
    const struct node *number;  /* of an APC its routine, else a status; NULL:
                                   STATUS_SUCCESS */
    const struct node *context; /* NULL: 0 */
};

/* A thread that steps play. */
static bool read_thread(
    struct reader *reader, const struct node *node, size_t *actor)
{
    if (!read_player(reader, node, actor)) {
        return false;
    }
    if (reader->scenario->actor[*actor].image != NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' is machine code, whose threads have no names here",
            node->text);
        return false;
    }
    read_use_of_actor(reader->scenario, *actor);
    reader->scenario->asks_threads = true;
    return true;
}

/* The same of a process. */
static bool read_program(
    struct reader *reader, const struct node *node, size_t *actor)
{
    if (!read_thread(reader, node, actor)) {
        return false;
    }
    if (!scenario_driver(reader->scenario, *actor)->user) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' is a driver; only a process and its threads can be ended, "
            "and "
            "take user APCs",
            node->text);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "write processes: [app], and this of app");
        return false;
    }
    return true;
}

static void read_alert(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct asked_thread *asked = step->data;

    read_thread(reader, node, &asked->actor);
}

static void read_number(struct reader *reader, const struct node *node,
    enum nt_type type, const struct node **number)
{
    uint64_t value;

    if (node != NULL && value_scalar(&reader->scope, node, type, &value)) {
        *number = node;
    }
}

static void read_terminate(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct asked_thread *asked = step->data;
    const struct node *process, *thread;

    if (!schema_mapping(schema, node, MAPPING_TERMINATE, step->key) ||
        schema_kind(schema, node, MAPPING_TERMINATE, false) == NULL) {
        return;
    }
    process = node_get(node, "process");
    thread = node_get(node, "thread");
    asked->whole = process != NULL;
    if (thread != NULL) {
        read_program(reader, thread, &asked->actor);
    } else if (process != NULL &&
               read_program(reader, process, &asked->actor) &&
               reader->scenario->actor[asked->actor].owner != asked->actor) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, process,
            "'%s' is a thread of a process", process->text);
        diagnostics_hint(
            schema->diagnostics, "terminate: {thread: %s}", process->text);
    }
    read_number(reader, node_get(node, "status"), NT_NTSTATUS, &asked->number);
}

/* By the words of keys.def. */
static const enum apc_kind kinds[] = {APC_USER, APC_NORMAL, APC_SPECIAL};

static void read_queue_apc(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct asked_thread *asked = step->data;
    const struct node *kind;
    size_t word;

    if (!schema_mapping(schema, node, MAPPING_QUEUE_APC, step->key)) {
        return;
    }
    kind = node_get(node, "kind");
    if (kind == NULL || node_get(node, "thread") == NULL ||
        !schema_key_word(schema, MAPPING_QUEUE_APC, "kind", kind, &word)) {
        return;
    }
    asked->kind = kinds[word];
    if (asked->kind == APC_USER) {
        read_program(reader, node_get(node, "thread"), &asked->actor);
    } else {
        read_thread(reader, node_get(node, "thread"), &asked->actor);
    }
    if (asked->kind != APC_USER && !step->in_callback &&
        scenario_driver(reader->scenario, step->actor)->user) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, kind,
            "'%s' is a process, which queues user APCs only",
            scenario_driver(reader->scenario, step->actor)->name);
        diagnostics_hint(schema->diagnostics, "let an actor, a driver, do it");
    }
    read_number(
        reader, node_get(node, "routine"), NT_PKNORMAL_ROUTINE, &asked->number);
    read_number(reader, node_get(node, "context"), NT_PVOID, &asked->context);
}

/* The value behind the key; `without` where it is left out. */
static bool number(struct run *run, struct outcome *outcome,
    const struct node *node, enum nt_type type, uint64_t *value)
{
    *value = 0;
    if (node == NULL) {
        return true;
    }
    run_enter_outcome(run, outcome);
    if (!value_scalar(&run->scope, node, type, value)) {
        run_fail_value(run, outcome, node);
        return false;
    }
    return true;
}

/* Whether the thread has begun; else the step is refused. */
static bool is_there(struct run *run, struct outcome *outcome, size_t actor)
{
    if (!actor_thread_is_to_come(run, actor)) {
        return true;
    }
    device_request_refuse(run, outcome,
        talloc_asprintf(run->context, "%s has not begun: a step creates it",
            run->scenario->actor[actor].driver.name));
    return false;
}

static void run_alert(struct run *run, struct outcome *outcome)
{
    const struct asked_thread *asked = outcome->step->data;

    if (!is_there(run, outcome, asked->actor)) {
        return;
    }
    apc_alert(&run->session->kernel, actor_thread_object(run, asked->actor));
}

static void run_queue_apc(struct run *run, struct outcome *outcome)
{
    const struct asked_thread *asked = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;
    struct apc apc = {.kind = asked->kind,
        .driver = asked->kind == APC_USER
                      ? scenario_driver(run->scenario, asked->actor)
                      : kernel_driver(kernel, kernel_cpu(kernel))};

    if (!is_there(run, outcome, asked->actor) ||
        !number(
            run, outcome, asked->number, NT_PKNORMAL_ROUTINE, &apc.routine) ||
        !number(run, outcome, asked->context, NT_PVOID, &apc.argument[0])) {
        return;
    }
    if (!code_is_at(kernel, apc.routine)) {
        device_request_refuse(
            run, outcome, "no callback of the scenario is the routine");
    } else if (!apc_queue(
                   kernel, actor_thread_object(run, asked->actor), &apc)) {
        device_request_refuse(run, outcome, "the thread has ended");
    } else {
        actor_thread_look(run, asked->actor);
    }
}

/* What the program has open, for its last thread. */
static void close_handles(void *context, const struct driver *program)
{
    struct run *run = context;

    for (size_t i = 0; i < run->scenario->actor_count; i++) {
        if (&run->scenario->actor[i].driver == program) {
            device_request_close_all(run, device_program_of(run, i));
        }
    }
}

static void look(void *context, const struct kthread *thread)
{
    struct run *run = context;

    for (size_t i = 0; i < run->scenario->actor_count; i++) {
        if (run->actor[i].object == thread) {
            actor_thread_look(run, i);
        }
    }
}

static void begin(struct run *run)
{
    run->session->kernel.processes->player =
        (struct ps_player){close_handles, look, run};
}

static void run_terminate(struct run *run, struct outcome *outcome)
{
    const struct asked_thread *asked = outcome->step->data;
    const struct scenario *scenario = run->scenario;
    struct kernel *kernel = &run->session->kernel;
    uint64_t status;

    if (!is_there(run, outcome, asked->actor) ||
        !number(run, outcome, asked->number, NT_NTSTATUS, &status)) {
        return;
    }
    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (i == asked->actor ||
            (asked->whole && scenario->actor[i].owner == asked->actor &&
                !actor_thread_is_to_come(run, i))) {
            apc_end(kernel, actor_thread_object(run, i),
                (NTSTATUS)(uint32_t)status);
            actor_thread_look(run, i);
        }
    }
}

const struct step_code step_alert = {
    .noun = "an alert",
    .data_bytes = sizeof(struct asked_thread),
    .read = read_alert,
    .run_here = run_alert,
};

const struct step_code step_queue_apc = {
    .noun = "an APC",
    .data_bytes = sizeof(struct asked_thread),
    .read = read_queue_apc,
    .run = run_queue_apc,
};

const struct step_code step_terminate = {
    .noun = "an end",
    .data_bytes = sizeof(struct asked_thread),
    .read = read_terminate,
    .run_here = run_terminate,
    .begin = begin,
};
