/* steps.c - the kinds of steps that there are: the rows of steps.def, each with
 * its code. */
#include "scenarios/runner/steps/steps.h"

#define NONE
#define RESULT(name, type) {#name, NT_##type},
#define RAISES(name) name,
#define MAY(key) {key, false},
#define MUST(key) {key, true},

static const struct step_kind rows[] = {
#define STEP(name, form, whose, touches, results, raises, keys, help)          \
    {                                                                          \
        #name,                                                                 \
        &step_##name,                                                          \
        WHOSE_##whose,                                                         \
        TOUCHES_##touches,                                                     \
        (const struct step_result[]){results{NULL, NT_VOID}},                  \
        (const char *const[]){raises NULL},                                    \
        (const struct step_key[]){keys{NULL, false}},                          \
    },
#include "scenarios/runner/language/steps.def"
};

const struct step_kinds step_kinds = {rows, sizeof(rows) / sizeof(rows[0])};
