/* structures.h - structures of the drivers' own, which a scenario describes:
 * structures: {PMU_SET: {fields: {counter: ULONG, cpus: {type: USHORT, count:
 * 4}}}}. They are laid out as the Windows ABIs have it: a field at a multiple
 * of its alignment, which `pack` bounds, and the size a multiple of the largest
 * one; so they are the same on x64 and ARM64. */
#ifndef RUNNER_LANGUAGE_STRUCTURES_H
#define RUNNER_LANGUAGE_STRUCTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/type.h"

struct node;
struct schema;
struct scope;
struct structure;

struct structure_field {
    const char *name;
    const struct structure *own; /* NULL: it is of an NT type */
    enum nt_type type;
    size_t at;      /* bytes */
    size_t size;    /* of one element, in bytes */
    uint32_t count; /* elements; 0: it is no array */
};

struct structure {
    const char *name;
    const struct node *defined;
    struct structure_field *field;
    size_t count;
    size_t size, alignment; /* bytes */
    bool used;
    bool broken; /* an error was reported: whatever is asked of it follows */
};

/* In the order of their definitions; a later one has earlier ones. */
struct structures {
    struct structure *item;
    size_t count;
};

/* Reads `structures` of a scenario, children of `context`; reports what is
 * wrong. */
void structures_read(const struct schema *schema, void *context,
    const struct node *node, struct structures *structures);

/* The type that a name is of: of the scenario's, or else of Windows', for which
 * *own is NULL. Returns false after reporting. */
bool structures_type(const struct schema *schema,
    const struct structures *structures, const struct node *name,
    const struct structure **own, enum nt_type *type);

/* The field; NULL after reporting that there is none, or why it is not known.
 */
const struct structure_field *structure_field(struct scope *scope,
    const struct structure *structure, const struct node *name);

/* Writes the fields that the node has, {counter: 5}, to structure->size bytes;
 * the others stay. Returns false after reporting. */
bool structure_write(struct scope *scope, const struct node *node,
    const struct structure *structure, uint8_t *at);

#endif
