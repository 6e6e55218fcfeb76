/* surveyors.c - consumers that look at a counter set as Performance Monitor
 * does, each a strand on a processor of its own. */
#include "scenarios/runner/counters/surveyors.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/ke/irql.h"
#include "sim/machine/strand.h"

enum { SURVEYORS = 3 }; /* at the same time, with the one that sends them */

struct surveyor {
    struct kernel *kernel;
    const struct pcw_filter *filter;
    const struct survey_reader *reader;
    uint64_t budget; /* what the scenario may pass is its own */
    bool busy;
};

static const struct driver consumer = {.name = "ntpmu"};

static void survey_main(void *argument)
{
    struct surveyor *surveyor = argument;
    struct kernel *kernel = surveyor->kernel;
    size_t first_rule = kernel->rules.count;
    struct pcw_survey outcome;

    strand_set_budget(kernel->machine, &surveyor->budget);
    outcome = pcw_survey(kernel, surveyor->filter);
    surveyor->reader->take(
        surveyor->reader->context, &outcome, first_rule, kernel_cpu(kernel));
    surveyor->busy = false;
}

/* Whether it may take one: at PASSIVE_LEVEL, with nothing else to do. */
static bool is_free(struct kernel *kernel, const struct cpu *cpu)
{
    return cpu->current == NULL && cpu->first == NULL &&
           irql_current(kernel, cpu) ==
               irql_number(kernel, LEVEL_PASSIVE_LEVEL);
}

static bool are_done(void *context)
{
    const struct surveyor *surveyor = context;

    for (size_t i = 0; i < SURVEYORS; i++) {
        if (surveyor[i].busy) {
            return false;
        }
    }
    return true;
}

static void send_others(struct surveyor *surveyor)
{
    struct kernel *kernel = surveyor->kernel;
    struct machine *machine = kernel->machine;
    const struct cpu *own = kernel_cpu(kernel);
    size_t count = 1;

    for (uint32_t i = 0; i < machine->topology.processors && count < SURVEYORS;
         i++) {
        struct cpu *cpu = machine_cpu(machine, i);

        if (cpu != own && is_free(kernel, cpu)) {
            surveyor[count].busy = strand_spawn(cpu, survey_main,
                                       &surveyor[count], &consumer) != NULL;
            count += surveyor[count].busy;
        }
    }
}

void surveyors_send(struct kernel *kernel, const struct pcw_filter *filter,
    uint64_t budget, const struct survey_reader *reader)
{
    struct machine *machine = kernel->machine;
    uint64_t *own = strand_points(machine, strand_current(machine));
    struct surveyor surveyor[SURVEYORS];

    for (size_t i = 0; i < SURVEYORS; i++) {
        surveyor[i] = (struct surveyor){.kernel = kernel,
            .filter = filter,
            .reader = reader,
            .budget = budget};
    }
    send_others(surveyor);
    survey_main(&surveyor[0]);
    strand_set_budget(machine, own);
    strand_wait(machine, STRAND_BLOCKED, are_done, surveyor);
    assert(are_done(surveyor));
}
