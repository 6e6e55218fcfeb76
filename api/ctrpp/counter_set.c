/* counter_set.c - a counterset of a manifest read: its structs, its counters,
 * and its texts. */
#include "api/ctrpp/counter_set.h"

#include <assert.h>
#include <talloc.h>

#include "api/ctrpp/references.h"

static void read_struct(struct reading *reading,
    const struct xml_element *element, size_t scope,
    struct manifest_struct *structure)
{
    struct values values;

    element_read(reading, element, ELEMENT_STRUCT, &values);
    structure->place = element->place;
    structure->name = values_text(&values, ATTRIBUTE_STRUCT_NAME);
    structure->type = values_text(&values, ATTRIBUTE_STRUCT_TYPE);
    structure->type_place =
        values_place(&values, ATTRIBUTE_STRUCT_TYPE, element);
    if (structure->name != NULL) {
        unique_add(reading->unique, UNIQUE_STRUCT_NAME, scope, structure->name,
            NULL, values.of[ATTRIBUTE_STRUCT_NAME].written->place);
    }
}

/* CTR-MAN-03a: a kernel provider's countersets have structs; A18: those of
 * others have none. */
static void read_structs(struct reading *reading,
    const struct xml_element *element, size_t scope, struct manifest_set *set)
{
    const struct xml_element *structs =
        element_find(element->first, ELEMENT_STRUCTS);
    bool kernel_mode = reading->manifest->kernel_mode;
    const struct xml_element *child;
    struct values values;

    if (structs == NULL) {
        if (reading->knows_mode && kernel_mode && !reading->meant_structs) {
            manifest_problem_add(reading->problems,
                MANIFEST_PROBLEM_MISSING_ELEMENT, element->place,
                "counterSet has no structs: providerType is kernelMode");
            manifest_problem_hint(reading->problems,
                "add <structs><struct name=\"...\" type=\"...\"/></structs>");
        }
        return;
    }
    element_read(reading, structs, ELEMENT_STRUCTS, &values);
    if (reading->knows_mode && !kernel_mode) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOT_ALLOWED,
            structs->place,
            "counterSet has no structs in a provider of user "
            "mode");
        manifest_problem_hint(reading->problems,
            "leave them out, or write providerType=\"kernelMode\"");
    }
    set->structure_count = element_count(structs->first, ELEMENT_STRUCT);
    if (set->structure_count > MANIFEST_MOST_STRUCTS) {
        set->structure_count = MANIFEST_MOST_STRUCTS; /* that was said */
    }
    set->structure = talloc_zero_array(reading->context, struct manifest_struct,
        (unsigned)set->structure_count);
    assert(set->structure != NULL);
    child = element_find(structs->first, ELEMENT_STRUCT);
    for (size_t i = 0; i < set->structure_count; i++) {
        read_struct(reading, child, scope, &set->structure[i]);
        child = element_find(child->next, ELEMENT_STRUCT);
    }
}

static void warn_of_unused_structs(
    struct reading *reading, const struct manifest_set *set)
{
    bool used[MANIFEST_MOST_STRUCTS] = {false};

    for (size_t i = 0; i < set->counter_count; i++) {
        if (set->counter[i].structure < set->structure_count) {
            used[set->counter[i].structure] = true;
        }
    }
    for (size_t i = 0; i < set->structure_count; i++) {
        if (!used[i]) {
            manifest_problem_add(reading->problems,
                MANIFEST_PROBLEM_UNUSED_STRUCT, set->structure[i].place,
                "no counter lies in the struct %s", set->structure[i].name);
            manifest_problem_hint(reading->problems,
                "leave it out, or write struct=\"%s\" at a counter",
                set->structure[i].name);
        }
    }
}

static void read_counters(struct reading *reading,
    const struct xml_element *element, size_t scope, struct manifest_set *set)
{
    size_t before = reading->problems->errors;
    const struct xml_element *child =
        element_find(element->first, ELEMENT_COUNTER);
    struct read_counter *read;

    set->counter_count = element_count(child, ELEMENT_COUNTER);
    if (set->counter_count > MANIFEST_MOST_COUNTERS) {
        set->counter_count = MANIFEST_MOST_COUNTERS; /* that was said */
    }
    set->counter = talloc_zero_array(reading->context, struct manifest_counter,
        (unsigned)set->counter_count);
    read = talloc_zero_array(
        NULL, struct read_counter, (unsigned)set->counter_count);
    assert(set->counter != NULL && read != NULL);
    for (size_t i = 0; i < set->counter_count; i++) {
        read[i] = counter_read(reading, child, scope, set, &set->counter[i]);
        child = element_find(child->next, ELEMENT_COUNTER);
    }
    if (reading->problems->errors == before) {
        warn_of_unused_structs(reading, set);
    }
    references_check(reading, set, read);
    talloc_free(read);
}

static void add_unique(struct reading *reading, const struct values *values,
    enum attribute attribute, enum unique_kind kind)
{
    const struct value *value = &values->of[attribute];

    if (value->good && value->text[0] != '\0') {
        unique_add(
            reading->unique, kind, 0, value->text, NULL, value->written->place);
    }
}

/* The digits' case makes no difference. */
static void add_unique_guid(struct reading *reading, const struct value *value)
{
    const struct manifest_guid *guid = &value->guid;
    const uint8_t *rest = guid->data4;

    if (value->good) {
        unique_add(reading->unique, UNIQUE_SET_GUID, 0,
            talloc_asprintf(reading->unique,
                "{%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x}",
                (unsigned)guid->data1, (unsigned)guid->data2,
                (unsigned)guid->data3, rest[0], rest[1], rest[2], rest[3],
                rest[4], rest[5], rest[6], rest[7]),
            NULL, value->written->place);
    }
}

/* Schema 2.0 asks for the guid alone. A kernel provider's symbols name its
 * functions, so that two cannot be the same under either [C]. */
static void add_all_unique(struct reading *reading, const struct values *values)
{
    bool is_1_1 = reading->knows_schema &&
                  reading->manifest->schema == MANIFEST_SCHEMA_1_1;

    add_unique_guid(reading, &values->of[ATTRIBUTE_SET_GUID]);
    if (is_1_1) {
        add_unique(reading, values, ATTRIBUTE_SET_URI, UNIQUE_SET_URI);
        add_unique(reading, values, ATTRIBUTE_SET_NAME, UNIQUE_SET_NAME);
    }
    if (is_1_1 || reading->manifest->kernel_mode) {
        add_unique(reading, values, ATTRIBUTE_SET_SYMBOL, UNIQUE_SET_SYMBOL);
    }
}

/* A kernel provider's functions and handle are named by it [C]. */
static void check_symbol(struct reading *reading, const struct value *symbol)
{
    if (reading->knows_mode && reading->manifest->kernel_mode && symbol->good &&
        symbol->text[0] == '\0') {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_BAD_SYMBOL,
            symbol->written->place,
            "symbol is empty: what is generated of the counterSet is named by "
            "it");
        manifest_problem_hint(reading->problems,
            "write ASCII letters, digits and underscores, no digit first");
    }
}

void counter_set_read(struct reading *reading,
    const struct xml_element *element, size_t scope, struct manifest_set *set)
{
    struct values values;

    element_read(reading, element, ELEMENT_SET, &values);
    set->place = element->place;
    set->guid = values.of[ATTRIBUTE_SET_GUID].guid;
    set->symbol = values_text(&values, ATTRIBUTE_SET_SYMBOL);
    set->symbol_place = values_place(&values, ATTRIBUTE_SET_SYMBOL, element);
    set->uri = values_text(&values, ATTRIBUTE_SET_URI);
    set->name = values_text(&values, ATTRIBUTE_SET_NAME);
    set->description = values_text(&values, ATTRIBUTE_SET_DESCRIPTION);
    set->name_id = values_reference(&values, ATTRIBUTE_SET_NAME_ID);
    set->description_id =
        values_reference(&values, ATTRIBUTE_SET_DESCRIPTION_ID);
    set->instances = (enum manifest_instances)values_number(
        &values, ATTRIBUTE_INSTANCES, MANIFEST_SINGLE);
    check_symbol(reading, &values.of[ATTRIBUTE_SET_SYMBOL]);
    add_all_unique(reading, &values);
    values_add_text_ids(reading, &values,
        &(struct text_attributes){set->name, set->description,
            ATTRIBUTE_SET_NAME_ID, ATTRIBUTE_SET_DESCRIPTION_ID});
    read_structs(reading, element, scope, set);
    read_counters(reading, element, scope, set);
}
