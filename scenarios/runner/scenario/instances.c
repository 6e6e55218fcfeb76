/* instances.c - the instances of a scenario: every row of the cases on every
 * point of the matrix, but those that `requires` leaves out. */
#include "scenarios/runner/scenario/instances.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/read_names.h"

/* One row and one point. */
struct combination {
    const struct entry *row; /* NULL: no cases */
    size_t at[OUTLINE_NAMES];
};

static const struct node *axis_value(const struct outline *outline,
    const struct combination *combination, size_t axis)
{
    return outline->axis[axis].values->item[combination->at[axis]];
}

/* The next point, the last axis first. Returns false after the last one. */
static bool next_point(
    const struct outline *outline, struct combination *combination)
{
    for (size_t i = outline->axis_count; i-- > 0;) {
        if (++combination->at[i] < outline->axis[i].values->count) {
            return true;
        }
        combination->at[i] = 0;
    }
    return false;
}

/* id[row,os=WIN7,arch=x86] */
static char *instance_id(
    const struct outline *outline, const struct combination *combination)
{
    char *id =
        talloc_strdup(outline, outline->id == NULL ? "(no id)" : outline->id);
    char before = '[';

    if (combination->row != NULL) {
        id = talloc_asprintf_append_buffer(
            id, "[%s", combination->row->key->text);
        before = ',';
    }
    for (size_t i = 0; i < outline->axis_count; i++) {
        id = talloc_asprintf_append_buffer(id, "%c%s=%s", before,
            outline->axis[i].key->text,
            axis_value(outline, combination, i)->text);
        before = ',';
    }
    return before == ',' ? talloc_strdup_append_buffer(id, "]") : id;
}

static void fill_statics(const struct outline *outline,
    const struct combination *combination, struct statics *statics)
{
    size_t n = 0;

    statics->count = outline->name_count;
    statics->item = talloc_zero_array(
        outline, struct static_value, (unsigned)outline->name_count + 1);
    assert(statics->item != NULL);
    for (; n < outline->param_count; n++) {
        statics->item[n].value = read_params_value(outline, n);
    }
    for (size_t i = 0; i < outline->column_count; i++) {
        const char *name = outline->name[n].name;

        statics->item[n++].value = node_get(combination->row->value, name);
    }
    for (size_t i = 0; i < outline->axis_count; i++) {
        statics->item[n++].value = axis_value(outline, combination, i);
    }
    for (size_t i = 0; i < n; i++) {
        statics->item[i].name = &outline->name[i];
    }
}

/* The machine with the values of its axes. */
static const struct node *make_machine(
    const struct outline *outline, const struct combination *combination)
{
    const struct node *base = outline->machine;
    size_t count = base == NULL ? 0 : base->count;
    struct node *made;

    if (base != NULL && base->kind != NODE_MAPPING) {
        return base;
    }
    made = talloc_zero(outline, struct node);
    *made = base != NULL ? *base : *outline->root;
    made->kind = NODE_MAPPING;
    made->entry = talloc_zero_array(
        made, struct entry, (unsigned)(count + outline->axis_count));
    made->count = 0;
    for (size_t i = 0; i < outline->axis_count; i++) {
        if (outline->axis[i].is_machine_key) {
            made->entry[made->count++] = (struct entry){
                (struct node *)(uintptr_t)outline->axis[i].key,
                (struct node *)(uintptr_t)axis_value(outline, combination, i)};
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (node_get(made, base->entry[i].key->text) == NULL) {
            made->entry[made->count++] = base->entry[i];
        }
    }
    return made->count == 0 ? NULL : made;
}

static void find_version(const struct resolver *resolver,
    const struct node *node, struct statics *statics)
{
    if (node == NULL) {
        return;
    }
    node = resolve(resolver, node);
    for (enum os os = 0; os < OS_COUNT; os++) {
        statics->os =
            node_is_word(node, name_of_os(os, NULL)) ? os : statics->os;
    }
    for (enum arch arch = 0; arch < ARCH_COUNT; arch++) {
        statics->arch =
            node_is_word(node, name_of_arch(arch, NULL)) ? arch : statics->arch;
    }
}

/* Which machine that is, as far as it can be told; its reader reports what
 * cannot be. */
static void find_machine(
    const struct resolver *resolver, struct instance *instance)
{
    const struct node *machine = instance->machine;
    struct statics *statics = &instance->statics;

    statics->os = OS_WIN11;
    statics->arch = ARCH_X64;
    if (machine == NULL || machine->kind != NODE_MAPPING) {
        return;
    }
    find_version(resolver, node_get(machine, "os"), statics);
    find_version(resolver, node_get(machine, "arch"), statics);
    /* The other keys may be computed from these. */
    instance->machine = resolve(resolver, machine);
}

/* The entry of skip or xfail, where its `when` holds. */
static const struct node *find_verdict_key(const struct resolver *resolver,
    const struct outline *outline, const char *key, enum mapping mapping)
{
    const struct node *node = node_get(outline->root, key);
    bool holds = true;

    if (node == NULL || !read_verdict_key(&resolver->schema, node, mapping)) {
        return NULL;
    }
    if (node_get(node, "when") != NULL &&
        !resolve_condition(resolver, node_get(node, "when"), &holds)) {
        return NULL;
    }
    return holds ? node : NULL;
}

static bool is_required(
    const struct resolver *resolver, const struct outline *outline)
{
    const struct node *requires = node_get(outline->root, "requires");
    bool holds = true;

    if (requires != NULL) {
        resolve_condition(resolver, requires, &holds);
    }
    return holds;
}

static void add_instance(
    struct outline *outline, const struct combination *combination)
{
    struct instances *instances = &outline->instances;
    struct diagnostics *own = diagnostics_new(outline);
    struct instance instance = {
        .outline = outline, .id = instance_id(outline, combination)};
    struct resolver resolver = {
        .context = outline, .statics = &instance.statics, .schema = {own}};
    struct resolver passing = {
        .context = own, .statics = &instance.statics, .schema = {own}};

    fill_statics(outline, combination, &instance.statics);
    instance.machine = make_machine(outline, combination);
    find_machine(&resolver, &instance);
    if (is_required(&passing, outline)) {
        instance.skip =
            find_verdict_key(&passing, outline, "skip", MAPPING_SKIP);
        instance.xfail =
            find_verdict_key(&passing, outline, "xfail", MAPPING_XFAIL);
        instances->item[instances->count++] = instance;
    } else {
        outline->dropped[outline->dropped_count++] = instance.id;
    }
    diagnostics_merge(outline->library->schema.diagnostics, own);
    talloc_free(own);
}

static size_t count_combinations(const struct outline *outline)
{
    size_t count = outline->cases == NULL ? 1 : outline->cases->count;

    for (size_t i = 0; i < outline->axis_count; i++) {
        if (count <= OUTLINE_INSTANCES) {
            count *= outline->axis[i].values->count;
        }
    }
    return count;
}

static void multiply(struct outline *outline, size_t count)
{
    size_t rows = outline->cases == NULL ? 1 : outline->cases->count;

    outline->instances.item =
        talloc_zero_array(outline, struct instance, (unsigned)count);
    outline->dropped =
        talloc_zero_array(outline, const char *, (unsigned)count);
    for (size_t i = 0; i < rows; i++) {
        struct combination combination = {
            .row = outline->cases == NULL ? NULL : &outline->cases->entry[i]};

        do {
            add_instance(outline, &combination);
        } while (next_point(outline, &combination));
    }
}

static size_t count_values(const struct node *node)
{
    size_t count = 1;

    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count; i++) {
        count += node->kind == NODE_SEQUENCE
                     ? count_values(node->item[i])
                     : 1 + count_values(node->entry[i].value);
    }
    return count;
}

/* Of what each instance is made of anew. */
static size_t count_read(const struct node *root)
{
    size_t count = 0;

    for (size_t i = 0; i < root->count; i++) {
        const char *key = root->entry[i].key->text;

        if (strcmp(key, "matrix") != 0 && strcmp(key, "cases") != 0) {
            count += 1 + count_values(root->entry[i].value);
        }
    }
    return count;
}

/* Whether reading so many instances is work that ends soon. */
static bool check_work(const struct outline *outline, size_t count)
{
    size_t values = count_read(outline->root);
    const struct node *key = node_key(outline->root, "matrix");

    if (count <= 1 || values * count <= SCENARIO_VALUES_READ) {
        return true;
    }
    schema_error(&outline->library->schema, DIAGNOSTIC_LIMIT,
        key != NULL ? key : node_key(outline->root, "cases"),
        "%zu instances of a scenario of %zu keys and values are more than %d",
        count, values, SCENARIO_VALUES_READ);
    diagnostics_hint(outline->library->schema.diagnostics,
        "make several scenarios of it, or fewer instances");
    return false;
}

void instances_make(struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;
    const struct node *requires = node_key(outline->root, "requires");
    size_t before = diagnostics_errors(schema->diagnostics);
    size_t count;

    read_params(outline);
    read_cases(outline);
    read_matrix(outline);
    outline->names_broken = diagnostics_errors(schema->diagnostics) != before;
    count = count_combinations(outline);
    if (count > OUTLINE_INSTANCES) {
        const struct node *key = node_key(outline->root, "matrix");

        schema_error(schema, DIAGNOSTIC_LIMIT,
            key != NULL ? key : node_key(outline->root, "cases"),
            "more than %d instances", OUTLINE_INSTANCES);
        outline->names_broken = true; /* nobody has used them */
        return;
    }
    if (!check_work(outline, count)) {
        outline->names_broken = true; /* likewise */
        return;
    }
    multiply(outline, count);
    if (requires == NULL) {
        return;
    }
    if (outline->axis_count == 0) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, requires,
            "requires filters a matrix, and there is none");
    } else if (outline->instances.count == 0) {
        schema_error(
            schema, DIAGNOSTIC_UNSEEN, requires, "this drops every instance");
    }
}
