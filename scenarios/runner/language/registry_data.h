/* registry_data.h - values of the registry as a scenario writes them,
 * {REG_DWORD: 5}, made into their type and their bytes, and shown so. */
#ifndef RUNNER_LANGUAGE_REGISTRY_DATA_H
#define RUNNER_LANGUAGE_REGISTRY_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

enum registry_form {
    REGISTRY_BYTES,
    REGISTRY_TEXT,
    REGISTRY_TEXTS,
    REGISTRY_ULONG,
    REGISTRY_ULONG64,
};

struct registry_type {
    const char *key;
    uint32_t number;
    enum registry_form form;
};

/* What a value has. */
struct registry_data {
    uint32_t type;
    const uint8_t *bytes;
    size_t size;
};

/* How the value is written: the type that the mapping names, or NULL for one
 * that has `type` and `bytes`. */
const struct registry_type *registry_type_of(const struct node *node);

/* The node that has the data: a text, a list of them, a number, or bytes. */
const struct node *registry_data_node(const struct node *node);

/* The type of a value that is written; its data may be matchers. Returns false
 * after reporting. */
bool registry_data_type(
    struct scope *scope, const struct node *node, uint32_t *type);

/* A value that is given; `bytes` are a child of the context. Returns false
 * after reporting. */
bool registry_data_read(struct scope *scope, void *context,
    const struct node *node, struct registry_data *data);

/* The value as a scenario writes it, as far as it is short; child of the
 * context. */
char *registry_data_show(void *context, const struct registry_data *data);

#endif
