/* requirements.c - the requirements that expectations cite: read from files,
 * found by id. */
#include "scenarios/runner/language/requirements.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/form.h"
#include "scenarios/runner/language/requirements_table.h"

/* Those that the program was built with; without an id as long as nobody has
 * asked for it. Files are read side by side. */
static struct {
    pthread_mutex_t lock;
    struct requirement *item;
} built_in = {PTHREAD_MUTEX_INITIALIZER, NULL};

static int compare_ids(const void *left, const void *right)
{
    const struct requirement *a = left, *b = right;

    return strcmp(a->id, b->id);
}

/* D, H, O or C (facts.md 0). */
static bool read_tag(
    const struct schema *schema, const struct node *node, char *tag)
{
    const char *text;

    if (!schema_text(schema, node, &text)) {
        return false;
    }
    if (strlen(text) != 1 || strchr("DHOC", text[0]) == NULL) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "'%s' is not an evidence tag", text);
        diagnostics_hint(schema->diagnostics,
            "D documented, H header, O observed, C our ruling");
        return false;
    }
    *tag = text[0];
    return true;
}

/* Length of the family in FAMILY-NN or FAMILY-NNa, where a family is words of
 * capitals joined by -; 0 when the id is not in this form. */
static size_t family_length(const char *id)
{
    const char *dash = strrchr(id, '-');
    size_t length = dash == NULL ? 0 : (size_t)(dash - id);

    if (length == 0 || id[0] == '-' || strstr(id, "--") != NULL ||
        strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") < length ||
        strspn(dash + 1, "0123456789") != 2) {
        return 0;
    }
    if (dash[3] != '\0' &&
        (dash[3] < 'a' || dash[3] > 'z' || dash[4] != '\0')) {
        return 0;
    }
    return length;
}

static bool refuse_id(const struct schema *schema, const struct node *node)
{
    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
        "'%s' is not a requirement id", node->text);
    diagnostics_hint(schema->diagnostics,
        "capitals, two digits, a letter if need be: HAL-ALLOC-35a");
    return false;
}

static void check_id(const struct schema *schema, const struct node *key)
{
    if (family_length(key->text) == 0) {
        refuse_id(schema, key);
    }
}

/* The name of a file of unit tests: layer.room.test_x (PATTERN_UNIT). */
static bool is_unit(const char *text)
{
    size_t room = strspn(text, LETTERS_LOWER);

    while (room > 0 && text[room] == '.') {
        text += room + 1;
        if (strncmp(text, "test_", strlen("test_")) == 0) {
            text += strlen("test_");
            return text[0] != '\0' && text[strspn(text, LETTERS_ROW)] == '\0';
        }
        room = strspn(text, LETTERS_LOWER);
    }
    return false;
}

/* That there is such a test, repository.citations knows. */
static void read_unit(
    const struct schema *schema, const struct node *node, const char **unit)
{
    if (schema_text(schema, node, unit) && !is_unit(*unit)) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "'%s' is not the name of a unit test", *unit);
        diagnostics_hint(schema->diagnostics,
            "sim.pmu.test_pmc is tests/sim/pmu/test_pmc.c");
    }
}

/* What is not modelled is one of few things, so that nothing else hides there.
 */
static void read_awaits(
    const struct schema *schema, const struct node *node, const char **awaits)
{
    size_t word;

    if (schema_key_word(schema, MAPPING_REQUIREMENT, "awaits", node, &word)) {
        schema_text(schema, node, awaits);
    }
}

/* Takes the n-th of `same`, which may stand there once. */
static bool take_same(const struct schema *schema, const struct node *node,
    struct requirement *requirement, size_t n)
{
    const char *other;

    if (!schema_text(schema, node, &other)) {
        return false;
    }
    if (family_length(other) == 0) {
        return refuse_id(schema, node);
    }
    if (strcmp(other, requirement->id) == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "a requirement is no other than itself");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(other, requirement->same[i]) == 0) {
            schema_error(
                schema, DIAGNOSTIC_CONFLICT, node, "'%s' stands twice", other);
            return false;
        }
    }
    requirement->same[n] = other;
    return true;
}

/* Who is tested as others are has no test, and no excuse, of his own. */
static bool check_alone(const struct schema *schema, const struct node *entry)
{
    static const char *const others[] = {
        "switch", "untestable", "awaits", "unit"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const struct node *key = node_key(entry, others[i]);

        if (key != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' is for those that 'same' names", others[i]);
            return false;
        }
    }
    return true;
}

static void read_same(const struct schema *schema, const struct node *entry,
    struct requirement *requirement)
{
    const struct node *node = node_get(entry, "same");

    if (!check_alone(schema, entry) || !schema_sequence(schema, node)) {
        return;
    }
    if (node->count > REQUIREMENT_SAME) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "more than %d requirements", REQUIREMENT_SAME);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (!take_same(schema, node->item[i], requirement, i)) {
            return;
        }
    }
}

/* Where a text decides, there is nothing to choose. */
static void check_switch(
    const struct schema *schema, const struct node *node, char tag)
{
    const struct node *key = node_key(node, "switch");
    const char *text;

    if (key == NULL) {
        return;
    }
    schema_text(schema, node_get(node, "switch"), &text);
    if (tag != 'C') {
        schema_error(schema, DIAGNOSTIC_CONFLICT, key,
            "a requirement with tag %c has no switch", tag);
        diagnostics_hint(
            schema->diagnostics, "only our own rulings, tag C, can be flipped");
    }
}

static bool read_entry(const struct schema *schema, const struct entry *entry,
    struct requirement *requirement)
{
    const struct node *node = entry->value, *reason;
    size_t before = diagnostics_errors(schema->diagnostics);

    *requirement = (struct requirement){
        .id = entry->key->text, .file = entry->key->source, .key = entry->key};
    check_id(schema, entry->key);
    if (!schema_mapping(schema, node, MAPPING_REQUIREMENT, entry->key) ||
        diagnostics_errors(schema->diagnostics) != before) {
        return false;
    }
    if (read_tag(schema, node_get(node, "tag"), &requirement->tag)) {
        check_switch(schema, node, requirement->tag);
    }
    schema_text(schema, node_get(node, "source"), &requirement->source);
    schema_text(schema, node_get(node, "text"), &requirement->text);
    if (node_get(node, "switch") != NULL) {
        schema_text(schema, node_get(node, "switch"), &requirement->choices);
    }
    reason = node_get(node, "untestable");
    if (reason != NULL) {
        schema_text(schema, reason, &requirement->untestable);
    }
    if (node_get(node, "awaits") != NULL) {
        read_awaits(schema, node_get(node, "awaits"), &requirement->awaits);
    }
    if (node_get(node, "unit") != NULL) {
        read_unit(schema, node_get(node, "unit"), &requirement->unit);
    }
    if (node_get(node, "same") != NULL) {
        read_same(schema, node, requirement);
    }
    return diagnostics_errors(schema->diagnostics) == before;
}

/* Searches the first `count` entries, which are in order. */
static const struct requirement *find_among(
    const struct requirements *requirements, size_t count, const char *id)
{
    const struct requirement key = {.id = id};

    if (count == 0) {
        return NULL;
    }
    return bsearch(&key, requirements->item, count, sizeof(key), compare_ids);
}

/* Whether another file has the id; within one, the YAML forbids it. */
static bool is_taken(const struct requirements *requirements, size_t count,
    const struct schema *schema, const struct requirement *one)
{
    const struct requirement *first = find_among(requirements, count, one->id);

    if (first == NULL) {
        return false;
    }
    schema_error(schema, DIAGNOSTIC_DUPLICATE_ID, one->key,
        "requirement '%s' stands in another file too", one->id);
    diagnostics_add(schema->diagnostics, DIAGNOSTIC_NOTE, first->file,
        first->key->mark, first->key->width, "it stands here first");
    return true;
}

static void check_version(const struct schema *schema, const struct node *node)
{
    uint64_t version;

    if (schema_number(schema, node, 0, UINT64_MAX, &version) && version != 1) {
        schema_error(schema, DIAGNOSTIC_NOT_MODELLED, node,
            "this program reads version 1 of the language");
    }
}

void requirements_read(struct requirements *requirements,
    const struct schema *schema, const struct node *root)
{
    size_t before = requirements->count;
    const struct node *list;

    if (!schema_mapping(schema, root, MAPPING_REQUIREMENTS, root)) {
        return;
    }
    if (node_get(root, "ntpmu") != NULL) {
        check_version(schema, node_get(root, "ntpmu"));
    }
    list = node_get(root, "requirements");
    if (list == NULL) {
        return;
    }
    if (list->kind != NODE_MAPPING) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, list,
            "expected a mapping of ids to requirements");
        return;
    }
    requirements->read = talloc_realloc(requirements, requirements->read,
        struct requirement, (unsigned)(requirements->count + list->count));
    requirements->item = requirements->read;
    for (size_t i = 0; i < list->count; i++) {
        struct requirement one;

        if (read_entry(schema, &list->entry[i], &one) &&
            !is_taken(requirements, before, schema, &one)) {
            requirements->read[requirements->count++] = one;
        }
    }
    if (requirements->count > 0) {
        qsort(requirements->read, requirements->count,
            sizeof(*requirements->read), compare_ids);
    }
}

void requirements_check(const struct requirements *requirements,
    const struct schema *schema, const struct node *root)
{
    struct requirements *files = requirements->files;

    if (files == NULL) {
        files = talloc_zero(schema->diagnostics, struct requirements);
        assert(files != NULL);
    }
    requirements_read(files, schema, root);
}

struct requirements *requirements_built_in(void *context)
{
    struct requirements *requirements =
        talloc_zero(context, struct requirements);

    assert(requirements != NULL);
    requirements->count = requirements_table_count;
    requirements->files = talloc_zero(requirements, struct requirements);
    assert(requirements->files != NULL);
    return requirements;
}

/* Pages of it that nobody touches cost nothing. */
static struct requirement *make_built_in(size_t number)
{
    struct requirement *one;

    pthread_mutex_lock(&built_in.lock);
    if (built_in.item == NULL) {
        built_in.item = calloc(requirements_table_count, sizeof(*one));
        assert(built_in.item != NULL);
    }
    one = &built_in.item[number];
    if (one->id == NULL) {
        requirements_table_make(number, one);
    }
    pthread_mutex_unlock(&built_in.lock);
    return one;
}

const struct requirement *requirement_at(
    const struct requirements *requirements, size_t number)
{
    assert(number < requirements->count);
    return requirements->item != NULL ? &requirements->item[number]
                                      : make_built_in(number);
}

size_t requirement_number(const struct requirements *requirements,
    const struct requirement *requirement)
{
    const struct requirement *first = requirement_at(requirements, 0);

    assert(requirement >= first && requirement < first + requirements->count);
    return (size_t)(requirement - first);
}

static int compare_built_in(const void *id, const void *entry)
{
    return strcmp(id, entry);
}

const struct requirement *requirements_find(
    const struct requirements *requirements, const char *id)
{
    const char(*found)[REQUIREMENT_ID_BYTES];

    if (requirements->item != NULL || requirements->count == 0) {
        return find_among(requirements, requirements->count, id);
    }
    found = bsearch(id, requirements_ids, requirements_table_count,
        sizeof(requirements_ids[0]), compare_built_in);
    return found == NULL ? NULL
                         : requirement_at(requirements,
                               (size_t)(found - requirements_ids));
}

bool requirement_is_kin(const char *id, const char *other)
{
    size_t length = (size_t)(strrchr(id, '-') - id);

    return strncmp(id, other, length + 1) == 0 &&
           strchr(other + length + 1, '-') == NULL;
}

char *requirement_family(void *context, const char *id)
{
    size_t length = family_length(id);

    assert(length != 0);
    return talloc_strndup(context, id, length);
}
