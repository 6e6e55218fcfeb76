/* float_state.h - floating-point states that a driver has saved and not
 * restored. */
#ifndef API_EX_FLOAT_STATE_H
#define API_EX_FLOAT_STATE_H

#include "api/core/leaks.h"

/* The machine stops for the first one that a driver leaves at its end. */
extern const struct leak_source float_state_leaks;

#endif
