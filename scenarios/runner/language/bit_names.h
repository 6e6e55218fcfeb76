/* bit_names.h - which bits of a register are meant, in words. */
#ifndef RUNNER_LANGUAGE_BIT_NAMES_H
#define RUNNER_LANGUAGE_BIT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/yaml/yaml_tree.h"

/* The register that an access or a probe names, as it is written; NULL: none.
 * `asked` may be NULL. */
const char *bit_names_register(const struct node *asked);

/* Whether the register has bits with names. `name`: as below. */
bool bit_names_has(const char *name);

/* "bits 20 (INT), 21 (ANY)" of the bits that are set, the lowest first, child
 * of `context`. `name`: the register as scenarios call it, IA32_PERFEVTSEL0;
 * NULL: none, so its bits have numbers only. At least one bit is set. */
char *bit_names_show(void *context, const char *name, uint64_t bits);

#endif
