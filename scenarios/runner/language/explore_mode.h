/* explore_mode.h - in which order schedules are tried. */
#ifndef RUNNER_LANGUAGE_EXPLORE_MODE_H
#define RUNNER_LANGUAGE_EXPLORE_MODE_H

#include <stdbool.h>

enum explore_mode {
#define EXPLORE_MODE(name, word, random, limited) EXPLORE_##name,
#include "scenarios/runner/language/explore_modes.def"
    EXPLORE_MODE_COUNT
};

/* Whether a seed makes a difference. */
static inline bool explore_is_random(enum explore_mode mode)
{
    static const bool random_modes[] = {
#define EXPLORE_MODE(name, word, random, limited) random,
#include "scenarios/runner/language/explore_modes.def"
    };

    return random_modes[mode];
}

/* Whether a number of schedules makes a difference. */
static inline bool explore_is_limited(enum explore_mode mode)
{
    static const bool limited_modes[] = {
#define EXPLORE_MODE(name, word, random, limited) limited,
#include "scenarios/runner/language/explore_modes.def"
    };

    return limited_modes[mode];
}

#endif
