/* kinds.h - the kinds of steps and expectations that a scenario can have, as
 * rooms above have them. */
#ifndef RUNNER_LIBRARY_KINDS_H
#define RUNNER_LIBRARY_KINDS_H

struct check_kinds;
struct step_kinds;

struct kinds {
    const struct step_kinds *steps;
    const struct check_kinds *checks;
};

#endif
