/* scenario.h - one scenario as it was read: valid, typed, not yet run. */
#ifndef RUNNER_SCENARIO_SCENARIO_H
#define RUNNER_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/answers.h"
#include "api/core/driver.h"
#include "api/core/routine.h"
#include "api/hal/pci.h"
#include "api/mm/given_memory.h"
#include "api/nt/profile.h"
#include "api/nt/rulings.h"
#include "scenarios/runner/counters/collection.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/named_codes.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/language/structures.h"
#include "scenarios/runner/scenario/exploring.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/machine.h"

struct kinds;

struct actor {
    struct driver driver; /* as the kernel knows it */
    const char *image;    /* its code is this file; NULL: steps are */
    size_t owner; /* whose driver its thread runs the code of: itself, but for
                     those of `threads` */
    const struct node *defined;
    uint32_t silo; /* its thread's (PCW-REG-11b); 0: the host */
    bool system;   /* Windows itself under a name of `claims`: plays no steps */
    bool used;
    bool later; /* a process or a thread that a step creates */
};

/* Counters that Windows itself uses. */
struct system_claim {
    size_t actor;      /* whose name they are claimed under */
    bool all;          /* the whole PMU */
    uint64_t counters; /* else bit n = index n */
    struct cpu_list cpus;
    bool boot; /* before the first step */
};

struct callback {
    enum callback_type type;
    bool lost; /* its type cannot be known, for an error that was reported */
    unsigned branch; /* of its variables */
    struct step_list steps;
    size_t first_variable, variable_count; /* parameters, then those set */
    size_t parameter[CALLBACK_PARAMETERS]; /* variables */
    const struct node *returns;            /* NULL: 0, or nothing */
};

/* What a routine does that drivers import and the scenario answers for. */
struct scenario_answer {
    const struct node *name;
    const struct node *out[ANSWER_ARGUMENTS]; /* layouts; NULL: none there */
    bool calls;
    size_t callback;            /* that it calls */
    const struct node *returns; /* NULL: what the callback gives back, or 0 */
    enum nt_type type;          /* of that */
    bool replace;               /* it is modelled */
    unsigned branch;            /* of its values */
};

/* A block of guest memory that lasts as long as the scenario. */
struct memory_area {
    size_t variable; /* has its address */
    size_t bytes;
    bool paged;
    bool user;                 /* a program's */
    const struct node *values; /* what it begins with; NULL: nothing */
};

/* A use of a fragment, or the scenario itself: names of its own. */
struct frame {
    const struct statics *statics;
    const struct node *steps; /* its tree */
};

struct scenario {
    const struct instance *instance;
    const struct kinds *kinds;        /* that its steps are of */
    const struct node *root;          /* as the instance has it */
    struct machine_config machine;    /* its PMU is what a guest sees of it */
    struct pmu_model processor;       /* as the file says */
    const struct node *machine_node;  /* NULL: left out */
    struct given_memory given_memory; /* its `memory` */
    struct given_pci given_pci;       /* its `pci` */
    bool pcw_not_ready;               /* PCW-REG-15 */
    bool verifier;                    /* VRF-01 */
    bool no_pce; /* CR4.PCE is clear, so user code executes no RDPMC */
    enum os os;
    enum arch arch;
    bool native;   /* runs a driver's machine code, in a process of its own */
    bool parallel; /* has steps of several actors that interleave */
    bool asks_threads; /* steps are about what other actors' threads do, or a
                          process may end with all of its own */
    bool warnings_are_notes;
    bool traced; /* expects events, so records are needed */
    struct exploring exploring;
    size_t sometimes_count; /* conditions of all steps */
    struct rulings rulings; /* as the kernel gets them */
    struct frame *frame;    /* [0]: the scenario's own */
    size_t frame_count;
    struct memory_area *memory;
    size_t memory_count;
    struct step_list finally;
    struct actor *actor; /* then native drivers, then other threads of both,
                            then who claims counters */
    size_t actor_count;
    struct system_claim claim[SCENARIO_CLAIMS];
    size_t claim_count;
    struct named_manifests manifests;
    struct structures structures;
    struct named_codes codes;
    struct variables *variables;
    struct callback_names *callback_names;
    struct callback callback[SCENARIO_CALLBACKS];
    struct scenario_answer *answer;
    struct answer_names answer_names; /* of each */
    struct step_list steps;
    size_t step_count;  /* with those inside of others */
    size_t check_count; /* likewise */
};

/* The step whose ordinal is n - 1, of the scenario or of a callback; NULL for
 * 0.
 */
const struct step *scenario_step(const struct scenario *scenario, uint32_t n);

/* The driver that the actor is a thread of. */
static inline struct driver *scenario_driver(
    const struct scenario *scenario, size_t actor)
{
    return &scenario->actor[scenario->actor[actor].owner].driver;
}

/* Whether it is a program's own code, which runs in user mode. */
bool scenario_step_is_of_program(
    const struct scenario *scenario, const struct step *step);

#endif
