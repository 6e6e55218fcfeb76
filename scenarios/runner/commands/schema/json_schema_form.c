/* json_schema_form.c - the JSON Schema of the forms of keys.def: one value, a
 * list, a table. */
#include <string.h>

#include "scenarios/runner/commands/schema/json_schema_writer.h"

/* Any scalar is a text. */
static const unsigned text_types =
    JSON_STRING | JSON_NUMBER | JSON_BOOLEAN | JSON_NULL;

static void write_text(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;
    bool computed = form->pattern != NULL && !form->written;

    json_out_object(json, key);
    if (computed) {
        json_out_array(json, "anyOf");
        json_out_object(json, NULL);
    }
    json_schema_types(writer, "type", text_types);
    json_out_number(json, "minLength", form->empty ? 0 : 1);
    if (form->pattern != NULL) {
        json_out_string(json, "pattern", form->pattern);
    }
    if (computed) {
        json_out_object_end(json);
        json_schema_ref(writer, NULL, "computed");
        json_out_array_end(json);
    }
    json_out_object_end(json);
}

static void write_number(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_INTEGER, !form->written);
    json_out_number(json, "minimum", form->low);
    json_out_number(json, "maximum", form->high);
    json_out_object_end(json);
}

static void write_bool(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    bool computed = form->shape == SHAPE_CONDITION || !form->written;

    json_schema_open(writer, key, JSON_BOOLEAN, computed);
    json_out_object_end(&writer->json);
}

/* A number, where the form of a name has limits for one. */
static void write_limits(struct schema_writer *writer, const struct form *form)
{
    if (form->high != 0) {
        json_schema_open(writer, NULL, JSON_INTEGER, false);
        json_out_number(&writer->json, "minimum", form->low);
        json_out_number(&writer->json, "maximum", form->high);
        json_out_object_end(&writer->json);
    }
}

static void write_name(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;
    const char *name;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_out_object(json, NULL);
    json_out_array(json, "enum");
    for (size_t i = 0; (name = form->names(i, NULL)) != NULL; i++) {
        json_out_string(json, NULL, name);
    }
    json_out_array_end(json);
    json_out_object_end(json);
    write_limits(writer, form);
    json_schema_ref(writer, NULL, "computed");
    json_out_array_end(json);
    json_out_object_end(json);
}

static void write_words(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    json_schema_words(writer, key, form->words, !form->written);
}

static void write_mapping(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    json_schema_ref_mapping(writer, key, form->mapping, form->written);
}

static void write_actor(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    (void)form;
    json_out_object(&writer->json, key);
    json_out_string(&writer->json, "type", "string");
    json_out_string(&writer->json, "pattern", PATTERN_NAME "|^\\$");
    json_out_object_end(&writer->json);
}

/* A name of a definition's list, or computed. */
static void write_listed(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_array(json, "anyOf");
    json_schema_ref(writer, NULL,
        form->shape == SHAPE_TYPE       ? "type"
        : form->shape == SHAPE_REGISTER ? "register"
                                        : "requirement");
    write_limits(writer, form);
    if (!form->written) {
        json_schema_ref(writer, NULL, "computed");
    }
    json_out_array_end(json);
    json_out_object_end(json);
}

static void write_typed(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    enum type_schema of = form->shape == SHAPE_VALUE   ? SCHEMA_VALUE
                          : form->shape == SHAPE_MATCH ? SCHEMA_MATCH
                                                       : SCHEMA_BLOCK_LIST;

    if (form->word != NULL && of == SCHEMA_MATCH) { /* the word is none */
        json_schema_ref_type(writer, key, SCHEMA_MATCH_NONE, form->type);
        return;
    }
    key = json_schema_word_or(writer, key, form);
    json_schema_ref_type(writer, key, of, form->type);
    json_schema_word_or_end(writer, form);
}

static void write_any(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    (void)form;
    json_out_object(&writer->json, key);
    json_out_object_end(&writer->json);
}

static void write_probe(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    static const char *const system[] = {"system", NULL};

    if (form->mapping == MAPPING_STATE) {
        json_schema_words(writer, key, system, true);
    } else {
        json_schema_ref_mapping(writer, key, form->mapping, false);
    }
}

typedef void write_shape(
    struct schema_writer *writer, const char *key, const struct form *form);

static write_shape *const shapes[SHAPE_COUNT] = {
    [SHAPE_TEXT] = write_text,
    [SHAPE_NUMBER] = write_number,
    [SHAPE_BOOL] = write_bool,
    [SHAPE_CONDITION] = write_bool,
    [SHAPE_NAME] = write_name,
    [SHAPE_WORDS] = write_words,
    [SHAPE_MAPPING] = write_mapping,
    [SHAPE_ACTOR] = write_actor,
    [SHAPE_TYPE] = write_listed,
    [SHAPE_REGISTER] = write_listed,
    [SHAPE_REQUIREMENTS] = write_listed,
    [SHAPE_VALUE] = write_typed,
    [SHAPE_MATCH] = write_typed,
    [SHAPE_BLOCK] = write_typed,
    [SHAPE_ANY] = write_any,
    [SHAPE_PROBE] = write_probe,
};

static void write_one(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    write_shape *write = shapes[form->shape];

    if (write == NULL) {
        write = json_schema_special;
    }
    write(writer, key, form);
}

/* The keywords of a list. */
static void list_inside(struct schema_writer *writer, const struct form *form)
{
    write_one(writer, "items", form);
    if (form->least != 0) {
        json_out_number(&writer->json, "minItems", form->least);
    }
    if (form->most != 0) {
        json_out_number(&writer->json, "maxItems", form->most);
    }
    if (form->unique) {
        json_out_bool(&writer->json, "uniqueItems", true);
    }
}

static void write_list(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    key = json_schema_word_or(writer, key, form);
    json_schema_open(writer, key, JSON_ARRAY, !form->written);
    list_inside(writer, form);
    json_out_object_end(&writer->json);
    json_schema_word_or_end(writer, form);
}

static void write_one_or_list(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_out_object(json, key);
    json_out_object(json, "if");
    json_out_string(json, "type", "array");
    json_out_object_end(json);
    json_out_object(json, "then");
    list_inside(writer, form);
    json_out_object_end(json);
    write_one(writer, "else", form);
    json_out_object_end(json);
}

static void write_table(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    struct json_out *json = &writer->json;

    json_schema_open(writer, key, JSON_OBJECT, !form->written);
    write_one(writer, "additionalProperties", form);
    if (form->keys != NULL) {
        json_out_object(json, "propertyNames");
        json_out_string(json, "pattern", form->keys);
        json_out_object_end(json);
    }
    if (form->least != 0) {
        json_out_number(json, "minProperties", form->least);
    }
    if (form->most != 0) {
        json_out_number(json, "maxProperties", form->most);
    }
    json_out_object_end(json);
}

void json_schema_form(
    struct schema_writer *writer, const char *key, const struct form *form)
{
    switch (form->arrangement) {
    case ARRANGE_ALONE:
        write_one(writer, key, form);
        break;
    case ARRANGE_LIST:
        write_list(writer, key, form);
        break;
    case ARRANGE_ALONE_OR_LIST:
        write_one_or_list(writer, key, form);
        break;
    case ARRANGE_TABLE:
        write_table(writer, key, form);
        break;
    }
}
