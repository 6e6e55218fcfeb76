/* plain_word.h - values that readers of YAML disagree about. A value is typed
 * by the field it stands in, so that one that looks like something else gets a
 * hint what to write. */
#ifndef RUNNER_YAML_PLAIN_WORD_H
#define RUNNER_YAML_PLAIN_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/yaml/yaml_tree.h"

/* Whether other readers take the text for true or false: y, Yes, off, ... */
bool plain_word_is_boolean(const char *text);

/* Whether they take it for no text at all: these, true, false and null. */
bool plain_word_is_no_text(const char *text);

/* What to write where true or false should stand. */
const char *plain_word_truth(const struct node *node);

/* Whether a text is a number, and which: no leading 0, no _, no sign. */
bool plain_word_number(const char *text, uint64_t *number);

/* What to write instead of such a value where a number or another word of the
 * language should stand, child of `context`; NULL when it looks like nothing
 * else. */
char *plain_word_hint(void *context, const struct node *node);

#endif
