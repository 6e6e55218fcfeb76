/* not_modelled.h - names that are known and refused. */
#ifndef RUNNER_LANGUAGE_NOT_MODELLED_H
#define RUNNER_LANGUAGE_NOT_MODELLED_H

/* Why the routine of this name cannot be called; NULL when the name is not a
 * known one. */
const char *not_modelled(const char *name);

#endif
