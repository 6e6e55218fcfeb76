/* structures.h - structures of the drivers' own, which a scenario describes:
 * structures: {PMU_SET: {fields: {counter: ULONG, cpus: {type: USHORT, count:
 * 4}}}}. They are laid out as the Windows ABIs have it: a field at a multiple
 * of its alignment, which `pack` bounds, unless `at` says where, and the size a
 * multiple of the largest one, or `bytes`; so they are the same on x64 and
 * ARM64. */
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
    size_t at;         /* bytes */
    size_t size;       /* of one element, in bytes */
    uint32_t count;    /* elements; 0: it is no array */
    uint8_t bit, bits; /* of a bit field, in the number; bits 0: it is none */
};

struct structure {
    const char *name;
    const struct node *defined;
    struct structure_field *field;
    size_t count;
    size_t size, alignment;      /* bytes */
    const struct node *left_out; /* fields that it has in C alone, and what they
                                    are; NULL: none */
    bool in_header;              /* `defined` names it */
    bool used;
    bool broken; /* an error was reported: whatever is asked of it follows */
};

/* Whether a structure cannot have the name, because a type of Windows has it or
 * `values` have another meaning for it. */
bool structure_name_is_taken(const char *name);

/* In the order of their definitions; a later one has earlier ones. */
struct structures {
    struct structure *item;
    size_t count;
    bool incomplete; /* a header was not read, which was reported */
};

/* Room for so many more, child of `context`. */
void structures_reserve(
    void *context, struct structures *structures, size_t more);

/* Reads `structures` of a scenario, children of `context`, behind those that
 * there are already; there has to be room. Reports what is wrong. */
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

/* The bits of a bit field in the number at `at`. */
uint64_t structure_field_bits(
    const struct structure_field *field, const void *at);

/* Writes the fields that the node has, {counter: 5}, to structure->size bytes;
 * the others stay. Returns false after reporting. */
bool structure_write(struct scope *scope, const struct node *node,
    const struct structure *structure, uint8_t *at);

#endif
