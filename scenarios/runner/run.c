/* run.c - a machine is made, steps run on it one after another, and each is
 * evaluated. */
#include "scenarios/runner/run.h"

#include <assert.h>
#include <talloc.h>

#include "api/image/trap.h"
#include "scenarios/runner/callback.h"
#include "scenarios/runner/stuck.h"
#include "sim/strand.h"

bool session_open(
    struct session *session, const struct requirements *requirements)
{
    *session =
        (struct session){.requirements = requirements, .budget = UINT64_MAX};
    return machine_reserve(&session->machine);
}

void session_close(struct session *session)
{
    kernel_release(&session->kernel);
    machine_release(&session->machine);
}

struct cpu *run_cpu(struct run *run, const struct step *step)
{
    struct machine *machine = &run->session->machine;
    struct strand *strand = strand_current(machine);

    assert(strand != NULL);
    return step->cpu == CPU_OWN ? strand->cpu
                                : machine_cpu(machine, (uint32_t)step->cpu);
}

static struct outcome *open_outcome(
    struct run *run, const struct step *step, struct outcome *outer)
{
    struct outcome *outcome = talloc_zero(run->context, struct outcome);

    assert(outcome != NULL);
    outcome->step = step;
    outcome->outer = outer;
    outcome->opened = run->open;
    outcome->first_rule = run->session->kernel.rules.count;
    outcome->first_handler = run->handler_count;
    run->open = outcome;
    return outcome;
}

/* What a step gives to later ones. */
static void save_results(struct run *run, const struct outcome *outcome)
{
    const struct step *step = outcome->step;

    for (size_t i = 0; i < step->save_count && !outcome->raised; i++) {
        const struct save *save = &step->save[i];
        enum nt_type type = run->scenario->variables->item[save->variable].type;
        const struct out_block *block = &outcome->out[save->parameter];
        struct binding *binding = &run->scope.binding[save->variable];

        if (save->is_out && block->at == NULL) {
            continue; /* the step that reads the variable says so */
        }
        binding->value = save->is_out
                             ? nt_load(block->at, nt_type_row(type)->size)
                         : step->kind == STEP_CALL ? outcome->returns
                                                   : outcome->value;
        binding->set = true;
    }
}

/* The action, as code of the strand that runs. */
static void act(struct run *run, struct outcome *outcome)
{
    static void (*const actions[])(struct run *, struct outcome *) = {
#define STEP(name, key, function) [STEP_##name] = act_##function,
#include "scenarios/runner/steps.def"
    };

    if (outcome->step->kind != STEP_EXPECT) {
        actions[outcome->step->kind](run, outcome);
    }
    outcome->finished = true;
    save_results(run, outcome);
}

void run_steps_here(
    struct run *run, const struct step_list *steps, struct outcome *outer)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct outcome *outcome = open_outcome(run, &steps->item[i], outer);

        act(run, outcome);
        evaluate_step(run, outcome);
        talloc_free(outcome);
    }
}

static void note_handler(struct run *run, const struct handler_run *handler)
{
    if (run->handler_count == run->handler_capacity) {
        run->handler_capacity =
            run->handler_capacity == 0 ? 16 : 2 * run->handler_capacity;
        run->handler = talloc_realloc(run->context, run->handler,
            struct handler_run, (unsigned)run->handler_capacity);
        assert(run->handler != NULL);
    }
    run->handler[run->handler_count++] = *handler;
}

/* A handler of the driver was called. */
static void called_back(
    void *context, size_t n, uint64_t OverflowBits, uint64_t OwningHandle)
{
    struct run *run = context;
    const struct callback *callback = &run->scenario->callback[n];
    struct cpu *cpu = kernel_cpu(&run->session->kernel);
    struct binding *binding = run->scope.binding;
    const struct handler_run handler = {
        .callback = n,
        .processor = cpu->index,
        .irql = irql_current(&run->session->kernel, cpu),
        .bits = OverflowBits,
        .handle = OwningHandle,
    };

    note_handler(run, &handler);
    run->called[n] = true;
    binding[callback->bits_variable] =
        (struct binding){.value = OverflowBits, .set = true};
    binding[callback->handle_variable] =
        (struct binding){.value = OwningHandle, .set = true};
    run_steps_here(run, &callback->steps, run->open);
}

struct step_strand {
    struct run *run;
    struct outcome *outcome;
};

static void step_main(void *argument)
{
    struct step_strand *strand = argument;
    const struct step *step = strand->outcome->step;

    if (step->kind == STEP_PARALLEL) {
        act(strand->run, strand->outcome); /* its branches are the actors */
        return;
    }
    actor_enter(strand->run, step->actor);
    act(strand->run, strand->outcome);
    actor_leave(strand->run, step->actor);
}

/* The driver's own code cannot go on, though it has broken no rule. */
static void report_native_end(struct run *run, struct outcome *outcome)
{
    const struct native *native = &run->session->kernel.native;

    if (native->end != NATIVE_GOES_ON) {
        run_fail(run,
            native->end == NATIVE_TIMEOUT ? RESULT_TIMEOUT : RESULT_ERROR,
            outcome, outcome->step->key, "%s", native->reason);
    }
}

/* Why the machine does not go on, when that is nobody's bug check. */
static void report_end(
    struct run *run, struct outcome *outcome, enum machine_end end)
{
    switch (end) {
    case MACHINE_IDLE:
        break;
    case MACHINE_STOPPED:
        report_native_end(run, outcome);
        break;
    case MACHINE_DEADLOCK:
        run_fail(run, RESULT_TIMEOUT, outcome, outcome->step->key,
            "deadlock: every processor waits for another%s", stuck_places(run));
        break;
    case MACHINE_BUDGET:
        run_fail(run, RESULT_TIMEOUT, outcome, outcome->step->key,
            "no end after %llu preemption points or 2^62 cycles; --budget "
            "allows more points%s",
            (unsigned long long)run->session->budget, stuck_places(run));
        break;
    }
}

/* Steps that had begun when the machine stopped, the innermost first. */
static void evaluate_open(struct run *run)
{
    while (run->open != NULL) {
        evaluate_step(run, run->open);
    }
}

/* Runs a step of the scenario itself. Returns whether there can be another. */
static bool run_step(struct run *run, const struct step *step)
{
    struct session *session = run->session;
    struct machine *machine = &session->machine;
    struct outcome *outcome = open_outcome(run, step, NULL);
    struct step_strand strand = {run, outcome};
    enum machine_end end;

    if (step->kind == STEP_EXPECT) {
        outcome->finished = true; /* there is nothing to do */
        evaluate_step(run, outcome);
        return true;
    }
    actor_spawn(run, step->actor, step_main, &strand);
    end = machine_run(machine);
    report_end(run, outcome, end);
    if (end == MACHINE_IDLE) {
        assert(outcome->finished);
        evaluate_step(run, outcome);
    } else {
        evaluate_open(run);
    }
    return end == MACHINE_IDLE &&
           run->verdict->result <=
               (session->keep_going ? RESULT_FAIL : RESULT_PASS);
}

/* What `drive` goes on with after a failure: a driver that did not start cannot
 * be unloaded, and that says no more. */
static bool is_in_vain(const struct run *run, const struct step *step)
{
    return run->verdict->result != RESULT_PASS && step->kind == STEP_DRIVER &&
           step->u.driver.action == DRIVER_UNLOAD &&
           run->native[step->actor].image == NULL;
}

static void run_steps(struct run *run)
{
    const struct step_list *steps = &run->scenario->steps;
    bool going = true;

    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        /* After a failure nothing goes on; after an expected bug check there
         * are only expectations left. */
        if (going && !is_in_vain(run, step)) {
            going = run_step(run, step);
        } else if (step->kind == STEP_EXPECT &&
                   run->verdict->result == RESULT_PASS) {
            run_step(run, step);
        }
    }
}

/* What a step expects is checked when it has run, so it has to run. Returns the
 * first in the list that expects something and was not evaluated, or NULL. */
static const struct step *first_unevaluated(
    const struct run *run, const struct step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];
        const struct step *inner = NULL;

        if (step->check_count > 0 && !run->evaluated[step->ordinal]) {
            return step;
        }
        for (size_t j = 0; step->kind == STEP_PARALLEL && inner == NULL &&
                           j < step->u.parallel.count;
             j++) {
            inner = first_unevaluated(run, &step->u.parallel.branch[j].steps);
        }
        if (inner != NULL) {
            return inner;
        }
    }
    return NULL;
}

static void report_unevaluated(struct run *run, const struct step_list *steps)
{
    const struct step *step = first_unevaluated(run, steps);

    if (step != NULL) {
        run_fail(run, RESULT_FAIL, NULL, step->key,
            "step %s expects something and has never run: the machine had "
            "stopped; only steps without an action are evaluated after that",
            step->number);
    }
}

static void report_callbacks(struct run *run)
{
    const struct callback_names *names = run->scenario->callback_names;

    for (size_t i = 0; i < names->count; i++) {
        const struct step_list *steps = &run->scenario->callback[i].steps;

        if (run->called[i]) {
            report_unevaluated(run, steps);
        } else if (first_unevaluated(run, steps) != NULL) {
            run_fail(run, RESULT_FAIL, NULL, names->item[i].defined,
                "callback '%s' expects something and has never run",
                names->item[i].name);
        }
    }
}

static void boot(struct run *run)
{
    struct session *session = run->session;
    const struct machine_choice *choice = &run->instance->choice;
    struct machine_config config = run->scenario->machine;

    if (!arch_rows[choice->arch].pmu) {
        config.pmu = pmu_models[MODEL_NONE];
    }
    machine_reset(&session->machine, &config);
    session->machine.budget = session->budget;
    kernel_boot(&session->kernel, &session->machine, choice->os, choice->arch);
    session->kernel.code_at = callback_at;
    callback_on_call(called_back, run);
    for (size_t i = 0; i < run->scenario->actor_count; i++) {
        /* A native driver's requests come from the first processor. */
        run->actor[i].processor = run->scenario->actor[i].image != NULL
                                      ? 0
                                      : (uint32_t)i % config.processors;
    }
}

/* What native code needs besides. Returns whether it can run here. */
static bool prepare_native(struct run *run)
{
    struct memory *memory = &run->session->machine.memory;
    run->native = talloc_zero_array(
        run->context, struct native_run, (unsigned)run->scenario->actor_count);
    assert(run->native != NULL);
    if (!run->scenario->native) {
        return true;
    }
    if (!trap_install()) {
        run_fail(run, RESULT_INTERNAL, NULL, run->scenario->root,
            "the host takes no signal handlers");
        return false;
    }
    memory_discard(memory);
    return true;
}

struct verdict *run_instance(
    void *context, struct session *session, const struct instance *instance)
{
    struct verdict *verdict = talloc_zero(context, struct verdict);
    const struct scenario *scenario = instance->scenario;
    struct run run = {
        .session = session,
        .instance = instance,
        .scenario = scenario,
        .context = talloc_new(verdict),
        .verdict = verdict,
        .scope = {.schema = {scenario->source, NULL},
            .variables = scenario->variables,
            .callbacks = scenario->callback_names,
            .arch = instance->choice.arch},
    };

    assert(verdict != NULL && run.context != NULL);
    run.scope.schema.diagnostics = diagnostics_new(run.context);
    run.scope.binding = talloc_zero_array(
        run.context, struct binding, (unsigned)scenario->variables->count + 1);
    run.evaluated =
        talloc_zero_array(run.context, bool, (unsigned)scenario->step_count);
    run.actor = talloc_zero_array(
        run.context, struct actor_thread, (unsigned)scenario->actor_count);
    assert(run.evaluated != NULL && run.actor != NULL);
    boot(&run);
    if (prepare_native(&run)) {
        run_steps(&run);
    }
    trap_remove();
    callback_on_call(NULL, NULL);
    if (verdict->result == RESULT_PASS) {
        report_unevaluated(&run, &scenario->steps);
        report_callbacks(&run);
    }
    /* A scenario has an expectation, and each was evaluated or reported. */
    assert(verdict->checks > 0 || verdict->result != RESULT_PASS);
    talloc_free(run.context);
    return verdict;
}
