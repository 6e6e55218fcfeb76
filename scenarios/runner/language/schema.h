/* schema.h - reading typed values out of a tree, and saying what is wrong with
 * it. Every reader of the language uses these; none prints. */
#ifndef RUNNER_LANGUAGE_SCHEMA_H
#define RUNNER_LANGUAGE_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/suggest.h"
#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/yaml_tree.h"

enum mapping {
#define MAPPING(name, ...) MAPPING_##name,
#include "scenarios/runner/language/keys.def"
    MAPPING_COUNT
};

/* Where errors go. */
struct schema {
    struct diagnostics *diagnostics;
};

/* An error at a node, made as by printf; diagnostics_hint() may follow. Where
 * the node stands for a parameter it is at the parameter's value. */
__attribute__((format(printf, 4, 5))) void schema_error(
    const struct schema *schema, enum diagnostic_code code,
    const struct node *node, const char *format, ...);

/* Adds "did you mean" to the last error where there is something near, else
 * what there is, where that is little. */
void schema_suggest(
    const struct schema *schema, const struct suggestion *suggestion);

/* Whether the node is a mapping; reports every key that this kind of mapping
 * does not have, or does not have yet, and every one that is missing. `owner`
 * is the key that holds it, for the report; it may be the node itself. */
bool schema_mapping(const struct schema *schema, const struct node *node,
    enum mapping mapping, const struct node *owner);

/* Whether this kind of mapping has the key, refused ones too. */
bool schema_has_key(enum mapping mapping, const char *key);

/* The one key of KIND that the mapping has; NULL and an error when it has none
 * (unless `none_allowed`) or several. */
const struct node *schema_kind(const struct schema *schema,
    const struct node *node, enum mapping mapping, bool none_allowed);

/* Each of the following reports what is wrong and returns false. */
bool schema_sequence(const struct schema *schema, const struct node *node);

/* A whole number from `low` to `high`: decimal or 0x. *number is written on
 * success only. */
bool schema_number(const struct schema *schema, const struct node *node,
    uint64_t low, uint64_t high, uint64_t *number);

/* The same with the limits that keys.def has for the key. */
bool schema_key_number(const struct schema *schema, enum mapping mapping,
    const char *key, const struct node *node, uint64_t *number);

/* One of the words that keys.def has for the key; *index says which. */
bool schema_key_word(const struct schema *schema, enum mapping mapping,
    const char *key, const struct node *node, size_t *index);

/* true or false. */
bool schema_bool(
    const struct schema *schema, const struct node *node, bool *value);

/* A text that is not empty. */
bool schema_text(
    const struct schema *schema, const struct node *node, const char **text);

/* The n-th name of a list; NULL after the last one. */
typedef const char *schema_nth(size_t n, const void *context);

/* One name of a list; *index says which. `what` is the kind of thing, for the
 * error: unknown `what` 'x'. */
bool schema_name(const struct schema *schema, const struct node *node,
    const char *what, schema_nth *nth, const void *context, size_t *index);

#endif
