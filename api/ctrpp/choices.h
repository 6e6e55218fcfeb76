/* choices.h - what could be written instead, in the words of a hint. */
#ifndef API_CTRPP_CHOICES_H
#define API_CTRPP_CHOICES_H

#include "api/ctrpp/schema.h"
#include "api/text/suggest.h"

/* Gives the problem that was added last a hint: the nearest name, or else those
 * that there are, or `none` where there are none. */
void choices_hint(struct manifest_problems *problems,
    const struct suggestion *suggestion, const char *none);

/* What stands between the quotes of a value of that kind, with them: "1.1" or
 * "2.0"; "..." where it is no word. Child of `context`. */
char *choices_of(void *context, enum value_kind kind);

#endif
