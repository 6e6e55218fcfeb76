/* manifest.c - a counter manifest read: from the bytes of its file to its
 * provider with all sets, or what is wrong with it. */
#include "api/ctrpp/manifest.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/counter_set.h"
#include "api/ctrpp/header_names.h"
#include "api/ctrpp/manifest_text.h"

/* Under schema 1.1 each set and each counter has two texts, its name and its
 * description, and text n has the number resourceBase + 2n in the string table
 * (CTR-GEN-05b), where numbers have 16 bits [C]. */
static void check_resources(struct reading *reading,
    const struct xml_element *element, const struct values *values)
{
    const struct manifest *manifest = reading->manifest;
    const struct xml_attribute *base =
        values->of[ATTRIBUTE_RESOURCE_BASE].written;
    size_t texts = 2 * manifest->set_count;
    size_t last;

    assert(texts > 0);
    for (size_t i = 0; i < manifest->set_count; i++) {
        texts += 2 * manifest->set[i].counter_count;
    }
    last = manifest->resource_base + 2 * (texts - 1);
    if (reading->knows_schema && manifest->schema == MANIFEST_SCHEMA_1_1 &&
        last > UINT16_MAX) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_OUT_OF_RANGE,
            base != NULL ? base->place : element->place,
            "the texts are numbered from %u to %zu, above 65535",
            (unsigned)manifest->resource_base, last);
        manifest_problem_hint(reading->problems,
            "strings of a string table have numbers of 16 bits; %s",
            base != NULL ? "write a smaller resourceBase"
                         : "split the provider into several");
    }
}

/* Said while the manifest is read, so that it is said with all else. */
static void check_purpose(struct reading *reading,
    const struct xml_element *element, const struct values *values)
{
    const struct value *type = &values->of[ATTRIBUTE_PROVIDER_TYPE];
    bool is_user_mode = type->good && type->number == MANIFEST_USER_MODE;
    bool is_left_out = !values_have(values, ATTRIBUTE_PROVIDER_TYPE);

    if (reading->settings == NULL || !(is_user_mode || is_left_out)) {
        return;
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_USER_MODE,
        is_user_mode ? type->written->place : element->place,
        "%s: code is generated for kernel mode alone",
        is_user_mode ? "providerType is userMode"
                     : "no providerType, which means userMode");
    manifest_problem_hint(reading->problems,
        "write providerType=\"kernelMode\", or use Microsoft's ctrpp");
}

static void read_provider(
    struct reading *reading, const struct xml_element *element)
{
    struct manifest *manifest = reading->manifest;
    const struct xml_element *set;
    struct values values;

    element_read(reading, element, ELEMENT_PROVIDER, &values);
    reading->providers++;
    check_purpose(reading, element, &values);
    manifest->place = element->place;
    manifest->guid = values.of[ATTRIBUTE_PROVIDER_GUID].guid;
    manifest->application_identity = values_text(&values, ATTRIBUTE_IDENTITY);
    manifest->symbol = values_text(&values, ATTRIBUTE_PROVIDER_SYMBOL);
    manifest->symbol_place =
        values_place(&values, ATTRIBUTE_PROVIDER_SYMBOL, element);
    manifest->name = values_text(&values, ATTRIBUTE_PROVIDER_NAME);
    if (manifest->name == NULL) {
        manifest->name = "Counters";
    }
    manifest->custom_callback =
        values_number(&values, ATTRIBUTE_CALLBACK, 0) != 0;
    manifest->resource_base =
        values_number(&values, ATTRIBUTE_RESOURCE_BASE, 1);
    manifest->set_count = element_count(element->first, ELEMENT_SET);
    manifest->set = talloc_zero_array(
        manifest, struct manifest_set, (unsigned)manifest->set_count);
    assert(manifest->set != NULL);
    set = element_find(element->first, ELEMENT_SET);
    for (size_t i = 0; i < manifest->set_count; i++) {
        counter_set_read(reading, set, reading->sets++, &manifest->set[i]);
        set = element_find(set->next, ELEMENT_SET);
    }
    if (manifest->set_count == 0) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOTHING,
            element->place, "provider has no counterSet");
        manifest_problem_hint(
            reading->problems, "add one, or there is nothing to generate");
        return;
    }
    check_resources(reading, element, &values);
}

static void read_each(struct reading *reading,
    const struct xml_element *element, enum element_kind kind);

/* From the root to the provider, each in the one before. Those that stand there
 * more often than they may are read, too, and so is counters where it may not
 * stand: what is wrong in them is said in the same pass. */
static void read_within(struct reading *reading,
    const struct xml_element *element, enum element_kind kind)
{
    struct values values;

    if (kind == ELEMENT_PROVIDER) {
        read_provider(reading, element);
        return;
    }
    element_read(reading, element, kind, &values);
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == kind) {
            read_each(reading, element->first, (enum element_kind)i);
        }
    }
    if (kind == ELEMENT_MANIFEST) {
        read_each(reading, element->first, ELEMENT_COUNTERS);
    }
}

static void read_each(struct reading *reading,
    const struct xml_element *element, enum element_kind kind)
{
    for (element = element_find(element, kind); element != NULL;
         element = element_find(element->next, kind)) {
        read_within(reading, element, kind);
    }
}

static void read_root(struct reading *reading, const struct xml_element *root)
{
    if (element_find(root, ELEMENT_MANIFEST) == NULL) {
        manifest_problem_add(reading->problems,
            MANIFEST_PROBLEM_UNKNOWN_ELEMENT, root->place,
            "the root is %s, not %s", root->name,
            element_rows[ELEMENT_MANIFEST].word);
        manifest_problem_hint(
            reading->problems, "ctrpp reads instrumentation manifests, .man");
        return;
    }
    read_within(reading, root, ELEMENT_MANIFEST);
}

/* Also where something else is wrong, but not of symbols that stand there
 * twice: of those all names would be told. */
static void check_names(struct reading *reading)
{
    const struct manifest_problems *problems = reading->problems;
    bool twice = false;

    for (size_t i = 0; i < problems->count; i++) {
        twice |= problems->item[i].code == MANIFEST_PROBLEM_DUPLICATE;
    }
    if (reading->settings != NULL && reading->manifest->kernel_mode && !twice) {
        header_names_check(
            reading->manifest, reading->settings, reading->problems);
    }
}

struct manifest *manifest_parse(void *context, const char *text, size_t length,
    const struct ctrpp_settings *settings, const struct rulings *rulings,
    struct manifest_problems *problems)
{
    struct manifest *manifest = talloc_zero(context, struct manifest);
    struct reading reading = {
        .context = manifest,
        .problems = problems,
        .rulings = rulings,
        .settings = settings,
        .manifest = manifest,
        .unique = unique_new(manifest),
    };
    size_t before = problems->errors;
    const struct xml_element *root;

    assert(manifest != NULL);
    /* The manifest's texts are the tree's, which hangs on it. */
    root = xml_tree_read(manifest, text, length, problems);
    if (root != NULL) {
        read_root(&reading, root);
        unique_check(reading.unique, problems);
        check_names(&reading);
    }
    talloc_free(reading.unique);
    if (problems->errors != before) {
        talloc_free(manifest);
        return NULL;
    }
    return manifest;
}

struct manifest *manifest_read(void *context, const char *text, size_t size,
    const struct rulings *rulings, struct manifest_problems *problems)
{
    void *memory = talloc_new(NULL);
    size_t length;
    const char *utf8 = manifest_text(memory, text, size, problems, &length);
    struct manifest *manifest = NULL;

    if (utf8 != NULL) {
        manifest =
            manifest_parse(context, utf8, length, NULL, rulings, problems);
    }
    talloc_free(memory);
    return manifest;
}

const struct manifest_counter *manifest_counter_by_id(
    const struct manifest_set *set, uint32_t id)
{
    for (size_t i = 0; i < set->counter_count; i++) {
        if (set->counter[i].id == id) {
            return &set->counter[i];
        }
    }
    return NULL;
}
