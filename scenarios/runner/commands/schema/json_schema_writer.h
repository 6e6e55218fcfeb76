/* json_schema_writer.h - the parts of the schema, and what they share. Each
 * json_schema_ function writes one schema, as the member `key` of the object
 * that is open, or as an element of an array with `key` NULL. */
#ifndef RUNNER_COMMANDS_SCHEMA_JSON_SCHEMA_WRITER_H
#define RUNNER_COMMANDS_SCHEMA_JSON_SCHEMA_WRITER_H

#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/text/json_out.h"

/* Schemas that there are for each type. */
enum type_schema {
    SCHEMA_VALUE,
    SCHEMA_VALUE_TIME, /* or a time: 10us */
    SCHEMA_MATCH,
    SCHEMA_MATCH_TIME, /* or a time */
    SCHEMA_MATCH_NONE, /* of a value that may not be there */
    SCHEMA_MATCH_LIST,
    SCHEMA_MATCH_OUT, /* of an output, which may be unchanged */
    SCHEMA_MATCH_OUT_LIST,
    SCHEMA_BLOCK,
    SCHEMA_BLOCK_LIST,
    SCHEMA_OF_TYPE_COUNT
};

struct schema_writer {
    struct json_out json;
    const struct requirements *requirements;
    /* Definitions that something refers to, and those that are there. */
    bool wanted[SCHEMA_OF_TYPE_COUNT][NT_TYPE_COUNT];
    bool done[SCHEMA_OF_TYPE_COUNT][NT_TYPE_COUNT];
};

/* Types of JSON, one bit each. */
enum json_type {
    JSON_OBJECT = 1,
    JSON_ARRAY = 2,
    JSON_STRING = 4,
    JSON_INTEGER = 8,
    JSON_NUMBER = 16,
    JSON_BOOLEAN = 32,
    JSON_NULL = 64,
};

/* Begins a schema of these types; with `computed` it may be $name or $( ) as
 * well. json_out_object_end() ends it. */
void json_schema_open(struct schema_writer *writer, const char *key,
    unsigned types, bool computed);

/* A structure; one of counted text may be written as its text. */
void json_schema_open_struct(struct schema_writer *writer, const char *key,
    enum nt_type type, unsigned types);

void json_schema_types(
    struct schema_writer *writer, const char *key, unsigned types);

/* A reference to a definition by name. */
void json_schema_ref(
    struct schema_writer *writer, const char *key, const char *name);
void json_schema_ref_type(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type);
void json_schema_ref_mapping(struct schema_writer *writer, const char *key,
    enum mapping mapping, bool written);

/* One word; those of a list that ends with NULL, a word before them. */
void json_schema_word(
    struct schema_writer *writer, const char *key, const char *word);
void json_schema_words(struct schema_writer *writer, const char *key,
    const char *const *words, bool computed);

/* What follows is one of two where the form has a word, which is the other:
 * until json_schema_word_or_end(). Gives the key for it. */
const char *json_schema_word_or(
    struct schema_writer *writer, const char *key, const struct form *form);
void json_schema_word_or_end(
    struct schema_writer *writer, const struct form *form);

/* {"required": [name]} */
void json_schema_required(
    struct schema_writer *writer, const char *key, const char *name);

/* {"maxProperties": most} as the dependency of a key. */
void json_schema_alone(
    struct schema_writer *writer, const char *key, uint64_t most);

void json_schema_form(
    struct schema_writer *writer, const char *key, const struct form *form);
void json_schema_special(
    struct schema_writer *writer, const char *key, const struct form *form);
void json_schema_mapping(struct schema_writer *writer, enum mapping mapping);
void json_schema_type(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type);

void json_schema_block(struct schema_writer *writer, const char *key,
    enum type_schema of, enum nt_type type);

/* The member anyOf of one value that is no structure: also one of `words`,
 * which end with NULL, or of the types `more`. */
void json_schema_scalar(struct schema_writer *writer, enum nt_type type,
    const char *const *words, unsigned more);

/* The properties of {repeat: n, item: x}; their dependencies. */
void json_schema_repeat(
    struct schema_writer *writer, enum type_schema of, enum nt_type type);
void json_schema_depend_repeat(struct schema_writer *writer);

/* The properties of a structure, or of what lies inside of a union. */
void json_schema_lines(
    struct schema_writer *writer, const struct nt_member *first, size_t count);

/* A parameter's value, as a call gives it. */
struct parameter;
void json_schema_argument(struct schema_writer *writer, const char *key,
    const struct parameter *parameter);

/* The members `if` and what follows from each kind of step, of the mapping
 * STEP; and the definitions that they refer to. */
void json_schema_kind(struct schema_writer *writer, const char *key);
void json_schema_kinds(struct schema_writer *writer);

void json_schema_events(struct schema_writer *writer);

#endif
