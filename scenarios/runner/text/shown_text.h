/* shown_text.h - a counter's figure as it is printed, and as a scenario expects
 * it. */
#ifndef RUNNER_TEXT_SHOWN_TEXT_H
#define RUNNER_TEXT_SHOWN_TEXT_H

#include "api/pcw/counter_format.h"

/* A count with all its digits; another figure with 6 decimals from 1 on, and
 * with 6 digits behind its leading zeros below that. No exponent, no 0 at the
 * end of decimals, no -0. Child of `context`. */
char *shown_text(void *context, const struct counter_figure *figure);

/* Whether the function above can have printed it. */
bool shown_text_is(const char *text);

#endif
