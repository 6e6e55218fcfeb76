/* type.h - NT types as data: what a value of a type looks like in memory, so
 * that values can be written from text and shown as text without code for each
 * type. */
#ifndef API_NT_TYPE_H
#define API_NT_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nt_kind {
    NT_KIND_UNSIGNED,
    NT_KIND_SIGNED,
    NT_KIND_HEX,
    NT_KIND_BOOLEAN,
    NT_KIND_IRQL,
    NT_KIND_STATUS,
    NT_KIND_HANDLE,
    NT_KIND_POINTER,
    NT_KIND_CALLBACK,
    NT_KIND_ENUM,
    NT_KIND_STRUCT,
    NT_KIND_NONE, /* VOID: no value */
};

enum nt_type {
#define NT_SCALAR(name, c_type, kind) NT_##name,
#include "api/nt/scalars.def"
#define NT_ENUM_BEGIN(name) NT_##name,
#define NT_STRUCT_BEGIN(name) NT_##name,
#include "api/nt/types.def"
    NT_VOID,
    NT_TYPE_COUNT
};

/* One line of a structure's description; a union or nested structure is the
 * lines from its BEGIN to its END. A union without a name (an overlay) has ""
 * for one: its members are the structure's own. */
enum nt_line { NT_LINE_MEMBER, NT_LINE_UNION, NT_LINE_NESTED, NT_LINE_END };

struct nt_member {
    enum nt_line line;
    const char *name;
    enum nt_type type;
    uint16_t offset; /* bytes from the start of the whole structure */
    uint16_t length; /* elements of an array; 1 when it is none */
    const char
        *count_member;    /* of a variable tail: the member with its length */
    enum nt_type pointee; /* what a pointer points to; NT_VOID: nobody says */
    const char *pointee_count; /* the member that says to how many, or "one" */
};

struct nt_enumerator {
    enum nt_type type;
    const char *name;
    uint32_t value;
};

struct nt_type_row {
    const char *name;
    enum nt_kind kind;
    uint16_t size;                  /* bytes */
    const struct nt_member *member; /* of a structure: its lines */
    size_t member_count;
};

extern const struct nt_enumerator nt_enumerators[];
extern const size_t nt_enumerator_count;

const struct nt_type_row *nt_type_row(enum nt_type type);

/* The structure's own member of that name, not one inside a union of it; NULL
 * when there is none. */
const struct nt_member *nt_type_member(enum nt_type type, const char *name);

/* The member of the structure's union that is meant when the selector has the
 * value it has at `at`; NULL when the type does not say. */
const struct nt_member *nt_type_case(enum nt_type type, const void *at);

/* The variable tail of a structure, its last member; NULL when it has none, or
 * the type is no structure. */
const struct nt_member *nt_type_tail(enum nt_type type);

/* How many lines the member at `line` takes, with its END. */
size_t nt_member_lines(const struct nt_member *line);

/* Whether the line begins or ends a union without a name. */
bool nt_member_is_overlay(const struct nt_member *line);

/* How many lines there are to the next member of the same structure: one from
 * the line that begins or ends an overlay. */
size_t nt_member_step(const struct nt_member *line);

/* The member that says how many elements a variable tail has, or how many
 * values a pointer points to; NULL: none does, and a pointer's is one. */
const struct nt_member *nt_member_count(
    enum nt_type owner, const struct nt_member *member);

/* The name of an enumeration's value; NULL when it has none. */
const char *nt_enumerator_name(enum nt_type type, uint32_t value);

struct nt_status_row {
    const char *name;
    uint32_t value;
};

extern const struct nt_status_row nt_statuses[];
extern const size_t nt_status_count;

/* The name of a status; NULL when the list does not have it. */
const char *nt_status_name(uint32_t status);

enum { NT_STATUS_DIGITS = 11 };

/* The name, or the number in hexadecimal, which is put into `number`. */
const char *nt_status_text(uint32_t status, char number[NT_STATUS_DIGITS]);

/* The value of `size` (1, 2, 4 or 8) bytes in memory, zero-extended. */
uint64_t nt_load(const void *at, size_t size);
void nt_store(void *at, size_t size, uint64_t value);

#endif
