/* counter.c - one counter of a manifest read, as far as it can be judged by
 * itself. */
#include "api/ctrpp/counter.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/choices.h"

enum { MASK_BITS = 64 };

static void read_attribute(struct reading *reading,
    const struct xml_element *element, struct manifest_counter *counter)
{
    const struct value *name;
    struct values values;

    element_read(reading, element, ELEMENT_ATTRIBUTE, &values);
    name = &values.of[ATTRIBUTE_ATTRIBUTE_NAME];
    if (name->good) {
        counter->attributes |= name->number;
        unique_add(reading->unique, UNIQUE_ATTRIBUTE_NAME, reading->counters,
            name->text, NULL, name->written->place);
    }
}

/* There is one list of them; what is in another is said, too. */
static void read_attributes(struct reading *reading,
    const struct xml_element *element, struct manifest_counter *counter)
{
    const struct xml_element *list =
        element_find(element->first, ELEMENT_ATTRIBUTES);
    struct values values;

    for (; list != NULL; list = element_find(list->next, ELEMENT_ATTRIBUTES)) {
        const struct xml_element *child =
            element_find(list->first, ELEMENT_ATTRIBUTE);

        element_read(reading, list, ELEMENT_ATTRIBUTES, &values);
        for (; child != NULL;
             child = element_find(child->next, ELEMENT_ATTRIBUTE)) {
            read_attribute(reading, child, counter);
        }
    }
}

/* A19: names and descriptions are for those that are displayed. */
static bool is_displayed(const struct manifest_counter *counter)
{
    return (counter->attributes & MANIFEST_NO_DISPLAY) == 0;
}

/* Under schema 2.0 a text and its number in the string table go together
 * (CTR-GEN-05b); nothing gives it one else. Without a number, that of a counter
 * that is not displayed is in no string table (A19). */
static void check_pair(struct reading *reading,
    const struct xml_element *element, const struct values *values,
    enum attribute text, enum attribute id, bool displayed)
{
    bool has_text = values_have(values, text);
    bool has_id = values_have(values, id);

    if (!reading->knows_schema ||
        reading->manifest->schema != MANIFEST_SCHEMA_2_0) {
        return;
    }
    if (has_id && !has_text) {
        element_misses(reading, element, text, ", but the number of one", "");
    } else if (has_text && !has_id && displayed) {
        element_misses(reading, element, id, ": schemaVersion is 2.0", "");
    }
}

static void describe(struct reading *reading, const struct xml_element *element)
{
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NO_DESCRIPTION,
        element->place, "a counter that is displayed has no description");
    manifest_problem_hint(
        reading->problems, "consumers show it to explain the counter");
}

/* The page of the counter's type leaves out both texts for noDisplay alone; a
 * shipping driver has many counters without a description (A19). */
static void check_texts(struct reading *reading,
    const struct xml_element *element, const struct values *values,
    const struct manifest_counter *counter)
{
    bool displayed = is_displayed(counter);

    if (displayed && !values_have(values, ATTRIBUTE_NAME) &&
        !values_have(values, ATTRIBUTE_NAME_ID)) {
        element_misses(reading, element, ATTRIBUTE_NAME, "",
            ", or the counterAttribute noDisplay");
    }
    if (displayed && !values_have(values, ATTRIBUTE_DESCRIPTION) &&
        !values_have(values, ATTRIBUTE_DESCRIPTION_ID)) {
        describe(reading, element);
    }
    check_pair(
        reading, element, values, ATTRIBUTE_NAME, ATTRIBUTE_NAME_ID, displayed);
    check_pair(reading, element, values, ATTRIBUTE_DESCRIPTION,
        ATTRIBUTE_DESCRIPTION_ID, displayed);
    values_add_text_ids(reading, values,
        &(struct text_attributes){counter->name, counter->description,
            ATTRIBUTE_NAME_ID, ATTRIBUTE_DESCRIPTION_ID});
}

/* CTR-MAN-06 [C], CTR-MAN-05: what a kernel provider's descriptor can hold. */
static void check_kernel(struct reading *reading, const struct values *values)
{
    const struct value *id = &values->of[ATTRIBUTE_ID];
    const struct value *type = &values->of[ATTRIBUTE_TYPE];

    if (id->good && id->number > UINT16_MAX) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_OUT_OF_RANGE,
            id->written->place, "id %s is above 65535", id->text);
        manifest_problem_hint(reading->problems,
            "a kernel provider's ids have 16 bits; number from 0 to 63");
    } else if (id->good && id->number >= MASK_BITS) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_BEYOND_MASK,
            id->written->place, "a counter mask has no bit for id %s",
            id->text);
        manifest_problem_hint(
            reading->problems, "number counters from 0 to 63");
    }
    if (type->good && counter_type_rows[type->number].bytes == 0) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NO_WIDTH,
            type->written->place, "%s has no fixed width", type->text);
        manifest_problem_hint(reading->problems,
            "a kernel provider's counters are fields of 4 or 8 bytes; choose "
            "another type");
    }
}

/* The page of the counter's type: it is for instances that are aggregated. */
static void check_aggregate(struct reading *reading,
    const struct values *values, const struct manifest_set *set)
{
    const struct value *aggregate = &values->of[ATTRIBUTE_AGGREGATE];

    if (!reading->knows_instances || !aggregate->good ||
        aggregate->number == MANIFEST_AGGREGATE_UNDEFINED ||
        (set->instances != MANIFEST_SINGLE &&
            set->instances != MANIFEST_MULTIPLE)) {
        return;
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NO_AGGREGATE,
        aggregate->written->name_place,
        "nothing is aggregated: the counterSet's instances are %s",
        schema_word(VALUE_INSTANCES, set->instances));
    manifest_problem_hint(reading->problems,
        "leave it out, or write instances=\"%s\" there",
        schema_word(VALUE_INSTANCES, set->instances == MANIFEST_SINGLE
                                         ? MANIFEST_GLOBAL_AGGREGATE
                                         : MANIFEST_MULTIPLE_AGGREGATE));
}

static void refuse_struct(struct reading *reading, const struct value *named,
    const struct manifest_set *set)
{
    struct suggestion suggestion = suggest_for(named->text);
    const char *of_type = NULL;

    for (size_t i = 0; i < set->structure_count; i++) {
        const struct manifest_struct *structure = &set->structure[i];

        if (structure->name != NULL) {
            suggest_offer(&suggestion, structure->name);
            if (structure->type != NULL &&
                strcmp(structure->type, named->text) == 0) {
                of_type = structure->name;
            }
        }
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NO_SUCH_STRUCT,
        named->written->place, "the counterSet has no struct %s", named->text);
    if (of_type != NULL) {
        manifest_problem_hint(reading->problems,
            "write '%s', its name: it is not named by its type", of_type);
    } else if (suggestion.count == 1 && set->structure_count == 1 &&
               !rulings_have(reading->rulings, RULED_CTR_MAN_03c_require)) {
        manifest_problem_hint(reading->problems,
            "leave struct out, or write struct=\"%s\"", suggestion.offered[0]);
    } else {
        choices_hint(reading->problems, &suggestion,
            "name the structs first, and then one of them");
    }
}

/* CTR-MAN-02, CTR-MAN-03c [C]: the only struct is meant where none is named,
 * unless that is flipped. */
static void find_struct(struct reading *reading,
    const struct xml_element *element, const struct values *values,
    const struct manifest_set *set, struct manifest_counter *counter)
{
    const struct value *named = &values->of[ATTRIBUTE_STRUCT];

    if (named->written == NULL) {
        if (!values_have(values, ATTRIBUTE_STRUCT) &&
            (set->structure_count > 1 ||
                (set->structure_count > 0 && rulings_have(reading->rulings,
                                                 RULED_CTR_MAN_03c_require)))) {
            manifest_problem_add(reading->problems,
                MANIFEST_PROBLEM_NO_SUCH_STRUCT, element->place,
                "counter names no struct; its counterSet has %zu",
                set->structure_count);
            manifest_problem_hint(reading->problems, "add struct=\"...\"");
        }
        return;
    }
    for (size_t i = 0; named->good && i < set->structure_count; i++) {
        if (set->structure[i].name != NULL &&
            strcmp(set->structure[i].name, named->text) == 0) {
            counter->structure = i;
            return;
        }
    }
    if (named->good && set->structure_count > 0) {
        refuse_struct(reading, named, set);
    }
}

/* CTR-MAN-02. Names: the page of the counter's type, for either schema. */
static void add_unique(
    struct reading *reading, const struct values *values, size_t scope)
{
    const struct value *id = &values->of[ATTRIBUTE_ID];
    const struct value *name = &values->of[ATTRIBUTE_NAME];
    const struct value *uri = &values->of[ATTRIBUTE_URI];
    const struct value *symbol = &values->of[ATTRIBUTE_SYMBOL];

    if (id->good) {
        unique_add(reading->unique, UNIQUE_ID, scope,
            talloc_asprintf(reading->unique, "%u", (unsigned)id->number), NULL,
            id->written->place);
    }
    if (name->good) {
        unique_add(reading->unique, UNIQUE_NAME, scope, name->text, NULL,
            name->written->place);
    }
    if (uri->good) {
        unique_add(reading->unique, UNIQUE_URI, 0, uri->text, NULL,
            uri->written->place);
    }
    if (symbol->good && symbol->text[0] != '\0') {
        unique_add(reading->unique, UNIQUE_SYMBOL, 0, symbol->text, NULL,
            symbol->written->place);
    }
}

struct read_counter counter_read(struct reading *reading,
    const struct xml_element *element, size_t scope,
    const struct manifest_set *set, struct manifest_counter *counter)
{
    struct values v;

    element_read(reading, element, ELEMENT_COUNTER, &v);
    *counter = (struct manifest_counter){
        .place = element->place,
        .id = values_number(&v, ATTRIBUTE_ID, 0),
        .type = (enum counter_type)values_number(
            &v, ATTRIBUTE_TYPE, COUNTER_TYPE_NONE),
        .uri = values_text(&v, ATTRIBUTE_URI),
        .symbol = values_text(&v, ATTRIBUTE_SYMBOL),
        .name = values_text(&v, ATTRIBUTE_NAME),
        .description = values_text(&v, ATTRIBUTE_DESCRIPTION),
        .name_id = values_reference(&v, ATTRIBUTE_NAME_ID),
        .description_id = values_reference(&v, ATTRIBUTE_DESCRIPTION_ID),
        .base_id = values_reference(&v, ATTRIBUTE_BASE_ID),
        .perf_time_id = values_reference(&v, ATTRIBUTE_PERF_TIME_ID),
        .perf_freq_id = values_reference(&v, ATTRIBUTE_PERF_FREQ_ID),
        .multi_counter_id = values_reference(&v, ATTRIBUTE_MULTI_ID),
        .default_scale = v.of[ATTRIBUTE_DEFAULT_SCALE].scale,
        .advanced = values_number(&v, ATTRIBUTE_DETAIL, 0) != 0,
        .aggregate = (enum manifest_aggregate)values_number(
            &v, ATTRIBUTE_AGGREGATE, MANIFEST_AGGREGATE_UNDEFINED),
        .field = values_text(&v, ATTRIBUTE_FIELD),
        .symbol_place = values_place(&v, ATTRIBUTE_SYMBOL, element),
        .field_place = values_place(&v, ATTRIBUTE_FIELD, element),
    };
    reading->counters++;
    read_attributes(reading, element, counter);
    check_texts(reading, element, &v, counter);
    add_unique(reading, &v, scope);
    check_aggregate(reading, &v, set);
    if (reading->knows_mode && reading->manifest->kernel_mode) {
        check_kernel(reading, &v);
        find_struct(reading, element, &v, set, counter);
    }
    return (struct read_counter){
        element, v.of[ATTRIBUTE_ID].good, v.of[ATTRIBUTE_TYPE].good, v.meant};
}
