/* run.c - one instance of a scenario, run: a machine is made, its steps run,
 * and what fails is noted. */
#include "scenarios/runner/run/run.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/boot/kernel_boot.h"
#include "api/core/missing.h"
#include "api/image/trap.h"
#include "api/pcw/pcw.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/basis.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run_callback.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/run/sampler.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/system_claim.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/scenario/stores.h"
#include "scenarios/runner/text/visible_text.h"
#include "sim/machine/strand.h"

const char *run_irql_text(const struct run *run, uint8_t irql)
{
    const char *name = irql_level_name(run->scope.arch, irql);

    return name != NULL ? name : talloc_asprintf(run->context, "IRQL %u", irql);
}

struct run_memory {
    const void *owner;
    void *bytes;
    struct run_memory *next;
};

void *run_memory(struct run *run, const void *owner, size_t bytes)
{
    struct run_memory *memory = run->memory;

    while (memory != NULL && memory->owner != owner) {
        memory = memory->next;
    }
    if (memory == NULL) {
        memory = talloc(run->context, struct run_memory);
        assert(memory != NULL);
        *memory = (struct run_memory){
            owner, talloc_zero_size(memory, bytes), run->memory};
        assert(memory->bytes != NULL);
        run->memory = memory;
    }
    return memory->bytes;
}

/* What it quotes may be a driver's. */
static const char *fail_text(
    struct verdict *verdict, const char *format, va_list arguments)
{
    char *raw = talloc_vasprintf(verdict, format, arguments);
    char *text = visible_text(verdict, raw);

    talloc_free(raw);
    return text;
}

void run_add_failure(
    struct run *run, enum result result, const struct failure *failure)
{
    struct verdict *verdict = run->verdict;

    verdict->failure = talloc_realloc(verdict, verdict->failure, struct failure,
        (unsigned)verdict->failure_count + 1);
    assert(verdict->failure != NULL);
    verdict->failure[verdict->failure_count++] = *failure;
    if (verdict->result < result) {
        verdict->result = result;
    }
    account_tell_failure(run, result, failure);
}

void run_blame(struct run *run)
{
    run->blames++;
}

void run_blame_end(struct run *run)
{
    assert(run->blames > 0);
    run->blames--;
}

bool run_forgives(const struct run *run, enum result result)
{
    return run->session->forgives && run->blames == 0 &&
           result < RESULT_TIMEOUT;
}

void run_fail(struct run *run, enum result result,
    const struct outcome *outcome, const struct node *place, const char *format,
    ...)
{
    struct verdict *verdict = run->verdict;
    struct failure failure;
    va_list arguments;

    if (run_forgives(run, result)) {
        return;
    }
    va_start(arguments, format);
    failure = (struct failure){
        .place = place,
        .step = outcome == NULL ? "" : outcome_number(verdict, outcome),
        .message = fail_text(verdict, format, arguments),
        .call = outcome == NULL || outcome->call == NULL
                    ? NULL
                    : talloc_asprintf(verdict, "%s at %s, cpu %u",
                          visible_text(run->context, outcome->call),
                          run_irql_text(run, outcome->irql),
                          (unsigned)outcome->processor),
    };
    va_end(arguments);
    run_add_failure(run, result, &failure);
}

void run_fail_value(
    struct run *run, struct outcome *outcome, const struct node *place)
{
    bool in_vain = run->cleaning && run->scope.unset;
    const char *failure = scope_take_failure(&run->scope);

    outcome->failed = true;
    if (!in_vain) {
        run_fail(run, RESULT_ERROR, outcome, place, "%s", failure);
    }
}

void run_enter_scope(struct run *run, const struct step *step)
{
    run->scope.branch = step->branch;
    run->scope.frame = step->frame;
    run->scope.statics = run->scenario->frame[step->frame].statics;
    run->scope.own = step->in_callback ? run_own_bindings(run) : NULL;
}

void run_enter_outcome(struct run *run, const struct outcome *outcome)
{
    crash_report_step(outcome->step->number);
    run_enter_scope(run, outcome->step);
    run->scope.own = outcome->own;
}

/* What the block begins with, where the scenario says so; addresses in it are
 * those of blocks before it. */
static void fill_memory(
    struct run *run, const struct memory_area *area, uint8_t *at)
{
    struct value_block block;
    bool made;

    if (area->values == NULL) {
        return;
    }
    made = value_layout(&run->scope, run->context, area->values, &block);
    assert(made && block.size <= area->bytes); /* it was found valid */
    (void)made;
    memcpy(at, block.bytes, block.size);
}

/* A block for each memory that the scenario has. Returns false when the guest
 * has none left. */
static bool place_memory(struct run *run)
{
    const struct scenario *scenario = run->scenario;
    struct memory *memory = &run->session->machine.memory;

    for (size_t i = 0; i < scenario->memory_count; i++) {
        const struct memory_area *area = &scenario->memory[i];
        size_t pages =
            (area->bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
        size_t size = area->paged ? pages * MEMORY_PAGE_BYTES : area->bytes;
        uint8_t *at = area->user ? memory_user_alloc(memory, size, VALUE_FILL)
                                 : memory_alloc(memory, size, VALUE_FILL);

        if (at == NULL) {
            return false;
        }
        fill_memory(run, area, at);
        if (area->paged &&
            !memory_set(memory, at, pages, MEMORY_READ | MEMORY_WRITE, true)) {
            return false;
        }
        run->scope.binding[area->variable] =
            (struct binding){.value = (uint64_t)(uintptr_t)at, .set = true};
    }
    return true;
}

/* The keys and files that are there before the first step. Returns false after
 * reporting. */
static bool place_stores(struct run *run)
{
    const struct node *without =
        stores_place(&run->scope, run->context, run->scenario);

    if (without != NULL) {
        run_fail(run, RESULT_ERROR, NULL, without,
            "there is no room for this in the kernel's memory: give less");
    }
    return without == NULL;
}

static void boot(struct run *run)
{
    struct session *session = run->session;
    struct machine_config config = run->scenario->machine;
    uint32_t played = 0; /* actors that steps play */

    machine_reset(&session->machine, &config);
    session->machine.schedule = session->schedule;
    session->machine.budget = session->budget;
    /* Schedules follow each other, thousands of them, in the same memory. */
    memory_leave_open(&session->machine.memory,
        session->schedule != NULL && !run->scenario->native);
    kernel_boot(&session->kernel, &session->machine, run->scenario->os,
        run->scenario->arch);
    session->kernel.faults.chooser = session->chooser;
    session->kernel.rulings = run->scenario->rulings;
    session->kernel.verifier = run->scenario->verifier;
    session->kernel.missing->refuse = session->strict_imports;
    session->kernel.pcw->not_ready = run->scenario->pcw_not_ready;
    session->kernel.pcw->describer = (struct pcw_describer){
        counter_names_instances, &run->scenario->manifests};
    if (run->scenario->given_memory.count > 0) {
        given_memory_start(&session->kernel, &run->scenario->given_memory);
    }
    if (run->scenario->given_pci.count > 0) {
        pci_give(&session->kernel, &run->scenario->given_pci);
    }
    session->kernel.code_at = callback_at;
    callback_on_call(run_called_back, run);
    run_answers_begin(run);
    for (size_t i = 0; i < run->scenario->actor_count; i++) {
        bool native = run->scenario->actor[i].image != NULL;

        /* A native driver's requests come from the first processor. */
        run->actor[i].thread.silo = run->scenario->actor[i].silo;
        run->actor[i].processor =
            native ? 0 : played++ % session->machine.topology.processors;
    }
    system_claim_boot(run);
}

/* What native code needs besides. Returns whether it can run here. */
static bool prepare_native(struct run *run)
{
    struct memory *memory = &run->session->machine.memory;

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

/* Where calls are made to fail: it is said where nobody knows what was held. */
static void judge_held(struct run *run)
{
    struct verdict *verdict = run->verdict;

    if (run->session->forgives && verdict->result == RESULT_PASS &&
        !run->held_judged) {
        verdict->unjudged = "the machine stopped";
    }
}

/* A step that is not done, for its `when`, expects nothing. */
static void judge_nothing(struct run *run)
{
    if (run->verdict->result == RESULT_PASS && run->verdict->checks == 0) {
        run_fail(run, RESULT_FAIL, NULL, run->scenario->root,
            "nothing was compared: no step that expects something was done, "
            "for no 'when' of one held");
    }
}

struct run *run_open(
    void *context, struct session *session, const struct instance *instance)
{
    struct verdict *verdict = talloc_zero(context, struct verdict);
    void *memory = talloc_new(verdict);
    struct run *run = talloc(memory, struct run);
    const struct scenario *scenario = instance->scenario;

    assert(verdict != NULL && run != NULL);
    *run = (struct run){
        .session = session,
        .instance = instance,
        .scenario = scenario,
        .context = memory,
        .verdict = verdict,
        .untraced = session->machine.trace.off,
        .scope = {.variables = scenario->variables,
            .callbacks = scenario->callback_names,
            .structures = &scenario->structures,
            .statics = &instance->statics,
            .arch = scenario->arch,
            .kernel = &session->kernel,
            .memory = &session->machine.memory},
    };
    verdict->scenario = scenario;
    verdict->literals =
        session->literals ? talloc_zero(verdict, struct literals) : NULL;
    run->scope.schema.diagnostics = diagnostics_new(memory);
    run->scope.binding = talloc_zero_array(
        memory, struct binding, (unsigned)scenario->variables->count + 1);
    run->evaluated =
        talloc_zero_array(memory, bool, (unsigned)scenario->step_count);
    run->actor = talloc_zero_array(
        memory, struct actor_thread, (unsigned)scenario->actor_count);
    assert(run->evaluated != NULL && run->actor != NULL);
    if (scenario->sometimes_count > 0) {
        verdict->sometimes = talloc_zero_array(
            verdict, bool, (unsigned)scenario->sometimes_count);
        assert(verdict->sometimes != NULL);
        verdict->sometimes_count = scenario->sometimes_count;
    }
    session->machine.trace.off = run->untraced && !scenario->traced;
    session->machine.trace.looked_at =
        scenario->traced || session->step_view != NULL;
    boot(run);
    return run;
}

struct verdict *run_close(struct run *run)
{
    struct verdict *verdict = run->verdict;

    account_begin_judging(run);
    basis_judge(run);
    judge_nothing(run);
    judge_held(run);
    account_end_judging(run);
    account_tell_end(run);
    trap_remove();
    callback_on_call(NULL, NULL);
    run->session->machine.trace.off = run->untraced;
    /* Each expectation was evaluated or reported. */
    assert(verdict->checks > 0 || verdict->result != RESULT_PASS ||
           run->session->forgives);
    verdict_note_missing(verdict, run->session->kernel.missing);
    verdict_note_replaced(verdict, run->scenario);
    run->session->kernel.answers = NULL;
    talloc_free(run->context);
    return verdict;
}

struct verdict *run_instance(
    void *context, struct session *session, const struct instance *instance)
{
    struct run *run = run_open(context, session, instance);

    if (!prepare_native(run)) { /* it forgets every block */
        return run_close(run);
    }
    pci_report(&session->kernel);
    if (!place_memory(run)) {
        run_fail(run, RESULT_INTERNAL, NULL, run->scenario->root,
            "the guest has no memory");
    } else if (place_stores(run)) {
        sampler_begin(run);
        run_scenario_steps(run);
        sampler_end(run);
    }
    return run_close(run);
}
