/* run_guarded.c - code of a step on the processor that it names, with an
 * exception caught where the step expects one, or ending a program that does
 * not handle it. */
#include "scenarios/runner/run/run_guarded.h"

#include <assert.h>
#include <setjmp.h>

#include "api/core/exception.h"
#include "api/core/thread.h"
#include "api/ps/terminate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

struct guarded {
    struct run *run;
    struct outcome *outcome;
    void (*code)(struct run *run, struct outcome *outcome);
};

/* The driver's __except, where the step expects an exception; and what stands
 * around all code of a program. Returns whether there was one. */
static bool guarded_catch(struct guarded *guarded)
{
    struct kernel *kernel = &guarded->run->session->kernel;
    struct exception_frame frame = {.deliver = NULL};

    exception_push(kernel, &frame);
    if (setjmp(frame.caught) == 0) {
        guarded->code(guarded->run, guarded->outcome);
    } else {
        guarded->outcome->raised = true;
        guarded->outcome->exception = frame.record.code;
    }
    exception_pop(kernel, &frame);
    return guarded->outcome->raised;
}

bool run_guarded_by_program(struct kernel *kernel)
{
    return kernel_driver(kernel, kernel_cpu(kernel))->user;
}

/* Of an actor's step in user mode nobody knows the program. */
static void guarded_run_program(struct guarded *guarded)
{
    struct outcome *outcome = guarded->outcome;
    struct kernel *kernel = &guarded->run->session->kernel;

    outcome->unhandled = guarded_catch(guarded);
    if (outcome->unhandled && run_guarded_by_program(kernel)) {
        ps_terminate_unhandled(kernel, outcome->exception);
    }
}

static void guarded_main(void *argument)
{
    struct guarded *guarded = argument;
    struct kernel *kernel = &guarded->run->session->kernel;
    struct thread *thread = thread_current(kernel);
    struct cpu *cpu = kernel_cpu(kernel);
    uint32_t outer = thread->step;

    run_enter_outcome(guarded->run, guarded->outcome);
    guarded->outcome->processor = cpu->index;
    guarded->outcome->irql = irql_current(kernel, cpu);
    thread->step = (uint32_t)guarded->outcome->step->ordinal + 1;
    if (step_expects(guarded->outcome->step, ABOUT_EXCEPTION)) {
        guarded_catch(guarded);
    } else if (guarded->outcome->step->in_user_mode ||
               run_guarded_by_program(kernel)) {
        guarded_run_program(guarded);
    } else {
        guarded->code(guarded->run, guarded->outcome);
    }
    thread->step = outer;
}

/* The processor that a step's own `cpu` names. */
static struct cpu *cpu_of(struct run *run, const struct outcome *outcome)
{
    const struct cpu_list *cpus = &outcome->step->cpus;
    struct machine *machine = &run->session->machine;
    struct strand *strand = strand_current(machine);

    assert(strand != NULL);
    return cpus->range_count == 0
               ? strand->cpu
               : machine_cpu(machine, cpu_list_nth(cpus, outcome->nth));
}

void run_guarded(struct run *run, struct outcome *outcome,
    void (*code)(struct run *run, struct outcome *outcome))
{
    struct guarded guarded = {run, outcome, code};
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = cpu_of(run, outcome);

    if (cpu->index >= kernel->machine->topology.processors) {
        outcome->failed = true;
        run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
            "processor %u is not active yet: start_processors adds it",
            (unsigned)cpu->index);
        return;
    }

    /* Whoever runs the step makes the access, also in a handler that has
     * interrupted another driver. */
    strand_call_on(
        cpu, guarded_main, &guarded, kernel_driver(kernel, kernel_cpu(kernel)));
}
