/* create.c - create: the thread of an actor makes a process, or a further
 * thread of one, which is not there before. */
#include <assert.h>
#include <talloc.h>

#include "api/ke/kthread.h"
#include "api/ps/creation.h"
#include "scenarios/runner/run/actor_thread.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/device_request.h"
#include "scenarios/runner/steps/steps.h"

struct created {
    size_t actor;
};

static void read_create(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct created *created = step->data;

    if (!read_player(reader, node, &created->actor)) {
        return;
    }
    if (!scenario_driver(reader->scenario, created->actor)->user) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' is a driver; only a process and its threads are created",
            node->text);
        diagnostics_hint(
            schema->diagnostics, "write processes: [app], and create: app");
        return;
    }
    if (step->in_callback) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "an actor creates processes, and no callback");
        diagnostics_hint(schema->diagnostics,
            "let it stand among the steps, with as: who creates it");
        return;
    }
    if (created->actor == step->actor) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' cannot create itself", node->text);
        diagnostics_hint(
            schema->diagnostics, "as: another actor, which creates it");
        return;
    }
    read_use_of_actor(reader->scenario, created->actor);
    reader->scenario->asks_threads = true;
    reader->scenario->actor[created->actor].later = true;
}

/* Why it cannot be created now. */
static const char *why_not(struct run *run, size_t actor)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    const size_t owner = run->scenario->actor[actor].owner;

    if (irql_current(kernel, cpu) != irql_number(kernel, LEVEL_PASSIVE_LEVEL)) {
        return talloc_asprintf(run->context,
            "cpu %u is at IRQL %u; processes are created at PASSIVE_LEVEL",
            (unsigned)cpu->index, (unsigned)irql_current(kernel, cpu));
    }
    if (!actor_thread_is_to_come(run, actor)) {
        return talloc_asprintf(run->context, "%s has begun already",
            run->scenario->actor[actor].driver.name);
    }
    return owner != actor && (actor_thread_is_to_come(run, owner) ||
                                 actor_thread_has_ended(run, owner))
               ? talloc_asprintf(run->context, "its process %s is not there",
                     run->scenario->actor[owner].driver.name)
               : NULL;
}

/* The first thread, and with it those that no step creates. */
static NTSTATUS create_process(struct run *run, size_t process)
{
    const struct scenario *scenario = run->scenario;
    struct kernel *kernel = &run->session->kernel;
    const struct driver *program = scenario_driver(scenario, process);
    NTSTATUS status;

    actor_thread_make(run, process);
    status =
        ps_create_process(kernel, program, actor_thread_object(run, process));
    for (size_t i = 0; i < scenario->actor_count && NT_SUCCESS(status); i++) {
        if (i != process && scenario->actor[i].owner == process &&
            !scenario->actor[i].later) {
            actor_thread_make(run, i);
            ps_create_thread(kernel, actor_thread_object(run, i));
        }
    }
    return status;
}

static void run_create(struct run *run, struct outcome *outcome)
{
    const struct created *created = outcome->step->data;
    const char *why = why_not(run, created->actor);

    if (why != NULL) {
        device_request_refuse(run, outcome, why);
        return;
    }
    kthread_current(&run->session->kernel); /* it is not the driver's */
    if (run->scenario->actor[created->actor].owner == created->actor) {
        outcome->returns = (uint32_t)create_process(run, created->actor);
        return;
    }
    actor_thread_make(run, created->actor);
    ps_create_thread(
        &run->session->kernel, actor_thread_object(run, created->actor));
    outcome->returns = (uint32_t)STATUS_SUCCESS;
}

const struct step_code step_create = {
    .noun = "a creation",
    .data_bytes = sizeof(struct created),
    .signature =
        &(const struct signature){.name = "a creation", .returns = NT_NTSTATUS},
    .read = read_create,
    .run_here = run_create,
};
