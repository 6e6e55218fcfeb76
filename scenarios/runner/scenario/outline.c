/* outline.c - a scenario's file before it is read for any of its instances: id,
 * title, tags, defaults, and what it defines and nobody uses. */
#include "scenarios/runner/scenario/outline.h"

#include "scenarios/runner/language/form.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/library/fragment.h"
#include "scenarios/runner/scenario/instances.h"
#include "scenarios/runner/scenario/scenario.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

bool outline_is_id(const char *text)
{
    return text[0] != '\0' && strspn(text, LETTERS_ID) == strlen(text);
}

static void read_id(struct outline *outline, const struct node *node)
{
    const struct schema *schema = &outline->library->schema;

    if (!schema_text(schema, node, &outline->id)) {
        return;
    }
    if (!outline_is_id(outline->id)) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node, "'%s' is not an id",
            outline->id);
        diagnostics_hint(
            schema->diagnostics, "lower-case letters, digits, _ and dots");
    }
}

/* Tags are labels in CTest, so they have the letters of ids. */
static bool check_tag(const struct outline *outline, const struct node *node,
    const char *tag, size_t first)
{
    const struct schema *schema = &outline->library->schema;

    if (strspn(tag, LETTERS_TAG) != strlen(tag)) {
        schema_error(
            schema, DIAGNOSTIC_UNKNOWN_NAME, node, "'%s' is not a tag", tag);
        diagnostics_hint(
            schema->diagnostics, "lower-case letters, digits, _, dots and -");
        return false;
    }
    for (size_t i = 0; i < outline->tag_count; i++) {
        if (strcmp(outline->tag[i], tag) == 0 && i >= first) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node,
                "tag '%s' stands twice", tag);
            return false;
        }
        if (strcmp(outline->tag[i], tag) == 0) {
            return false; /* the defaults have it as well */
        }
    }
    return true;
}

static void read_tags(struct outline *outline, const struct node *node)
{
    size_t first = outline->tag_count;

    if (!schema_sequence(&outline->library->schema, node)) {
        return;
    }
    if (first + node->count > SCENARIO_TAGS) {
        schema_error(&outline->library->schema, DIAGNOSTIC_LIMIT, node,
            "more than %d tags in one scenario", SCENARIO_TAGS);
        return;
    }
    outline->tag = talloc_realloc(outline, outline->tag, const char *,
        (unsigned)(outline->tag_count + node->count));
    for (size_t i = 0; i < node->count; i++) {
        const char **tag = &outline->tag[outline->tag_count];

        if (schema_text(&outline->library->schema, node->item[i], tag) &&
            check_tag(outline, node->item[i], *tag, first)) {
            outline->tag_count++;
        }
    }
}

static void read_version(struct outline *outline, const struct node *node)
{
    const struct schema *schema = &outline->library->schema;
    uint64_t version;

    if (schema_number(schema, node, 0, UINT64_MAX, &version) && version != 1) {
        schema_error(schema, DIAGNOSTIC_NOT_MODELLED, node,
            "this program reads version 1 of the language");
    }
}

/* The keys of a machine that a nearer one does not have. */
static void merge_machine(struct outline *outline, const struct node *from)
{
    struct node *made;

    if (from == NULL || from->kind != NODE_MAPPING) {
        outline->machine = outline->machine != NULL ? outline->machine : from;
        return;
    }
    if (outline->machine == NULL) {
        outline->machine = from;
        return;
    }
    made = talloc_zero(outline, struct node);
    *made = *outline->machine;
    made->entry = talloc_zero_array(
        made, struct entry, (unsigned)(made->count + from->count));
    memcpy(made->entry, outline->machine->entry,
        made->count * sizeof(made->entry[0]));
    for (size_t i = 0; i < from->count; i++) {
        if (node_get(outline->machine, from->entry[i].key->text) == NULL) {
            made->entry[made->count++] = from->entry[i];
        }
    }
    outline->machine = made;
}

/* What is wrong with them is said once, not for each scenario. */
static void read_default_tags(struct outline *outline, const struct node *tags)
{
    struct schema *schema = &outline->library->schema;
    struct diagnostics *all = schema->diagnostics;
    struct diagnostics *own = diagnostics_new(outline);

    schema->diagnostics = own;
    read_tags(outline, tags);
    schema->diagnostics = all;
    outline->broken |= diagnostics_errors(own) != 0;
    diagnostics_merge(all, own);
    talloc_free(own);
}

/* What the nearest directory that speaks of it says; NULL: nothing is asked. */
static const struct node *covers_due(const struct library_defaults *defaults)
{
    for (size_t i = 0; i < defaults->count; i++) {
        const struct node *covers = node_get(defaults->item[i], "covers");

        if (covers != NULL) {
            return node_is_word(covers, "required") ? covers : NULL;
        }
    }
    return NULL;
}

static void read_defaults(struct outline *outline)
{
    struct library_defaults defaults;
    bool found =
        library_find_defaults(outline->library, outline->root, &defaults);

    outline->suite = defaults.root;
    outline->machine = node_get(outline->root, "machine");
    outline->broken |= !found;
    if (!found ||
        (outline->machine != NULL && outline->machine->kind != NODE_MAPPING)) {
        return; /* reported, or its reader says so */
    }
    for (size_t i = 0; i < defaults.count; i++) {
        const struct node *tags = node_get(defaults.item[i], "tags");

        merge_machine(outline, node_get(defaults.item[i], "machine"));
        if (tags != NULL) {
            read_default_tags(outline, tags);
        }
    }
    outline->covers_due = covers_due(&defaults);
}

void outline_note_use(struct outline *outline, const struct node *defined,
    const char *what, bool used)
{
    for (size_t i = 0; i < outline->use_count; i++) {
        struct use *use =
            &outline->use[(outline->use_next + i) % outline->use_count];

        if (use->defined == defined) {
            use->used |= used;
            outline->use_next = (size_t)(use - outline->use) + 1;
            return;
        }
    }
    outline->use = talloc_realloc(
        outline, outline->use, struct use, (unsigned)outline->use_count + 1);
    assert(outline->use != NULL);
    outline->use[outline->use_count++] = (struct use){defined, what, used};
}

static void report_unused(
    const struct schema *schema, const struct node *defined, const char *what)
{
    schema_error(schema, DIAGNOSTIC_UNUSED, defined, "%s '%s' is never used",
        what, defined->text);
    diagnostics_hint(schema->diagnostics, "use it or leave it out");
}

/* What kind of name the n-th is. */
static const char *kind_of_name(const struct outline *outline, size_t n)
{
    if (n < outline->param_count) {
        return "parameter";
    }
    return n < outline->param_count + outline->column_count ? "column" : "axis";
}

static void check_use(const struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;

    for (size_t i = 0; i < outline->use_count; i++) {
        if (!outline->use[i].used) {
            report_unused(
                schema, outline->use[i].defined, outline->use[i].what);
        }
    }
    for (size_t i = 0; i < outline->name_count; i++) {
        size_t before = outline->param_count + outline->column_count;
        bool machine_key =
            i >= before && outline->axis[i - before].is_machine_key;

        if (!outline->name[i].used && !machine_key) {
            report_unused(
                schema, outline->name[i].defined, kind_of_name(outline, i));
        }
    }
}

static void check_whens(const struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;

    for (size_t i = 0; i < outline->whens->count; i++) {
        const struct when_seen *when = &outline->whens->item[i];

        if (!when->runs && when->value[0] != when->value[1]) {
            schema_error(schema, DIAGNOSTIC_NO_EFFECT, when->node,
                "this is %s in every instance",
                when->value[1] ? "true" : "false");
            diagnostics_hint(schema->diagnostics,
                when->value[1] ? "leave it out" : "leave the step out");
        }
    }
}

void outline_check(
    struct outline *part, struct instance *instance, size_t count)
{
    struct diagnostics *all = part->library->schema.diagnostics;

    for (size_t i = 0; i < count; i++) {
        struct instance one = instance[i];
        void *context = talloc_new(part);
        struct diagnostics *own = diagnostics_new(context);
        const struct scenario *scenario;

        one.outline = part;
        scenario = instance_read(context, &one, own);
        diagnostics_merge(all, own);
        part->broken |= diagnostics_errors(own) != 0;
        if (diagnostics_errors(own) == 0) {
            instance[i].native = scenario->native;
            instance[i].parallel = scenario->parallel;
            part->native |= scenario->native;
        }
        talloc_free(context);
    }
}

struct outline *outline_part(
    void *context, const struct outline *outline, struct library *library)
{
    struct outline *part =
        talloc_memdup(context, outline, sizeof(struct outline));

    assert(part != NULL);
    part->library = library;
    part->whens = talloc_zero(part, struct whens);
    part->fragments = talloc_zero(part, struct fragments_found);
    part->use = NULL;
    part->use_count = part->use_next = 0;
    return part;
}

static void join_whens(struct outline *outline, const struct whens *found)
{
    struct whens *whens = outline->whens;

    for (size_t i = 0; i < found->count; i++) {
        const struct when_seen *when = &found->item[i];
        struct when_seen *same = whens_seen(whens, when->node);

        same->value[0] |= when->value[0];
        same->value[1] |= when->value[1];
        same->runs |= when->runs;
    }
}

void outline_join(struct outline *outline, const struct outline *part)
{
    for (size_t i = 0; i < part->use_count; i++) {
        const struct use *use = &part->use[i];

        outline_note_use(outline, use->defined, use->what, use->used);
    }
    join_whens(outline, part->whens);
    outline->checks_nothing |= part->checks_nothing;
    outline->cites |= part->cites;
    outline->native |= part->native;
    outline->broken |= part->broken;
}

static void check_cites(struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;

    if (!outline->cites && outline->covers_due != NULL) {
        schema_error(schema, DIAGNOSTIC_REQUIREMENT,
            node_key(outline->root, "steps"),
            "no expectation cites a requirement");
        diagnostics_hint(schema->diagnostics,
            "write covers: [ID] beside it; ids are in scenarios/requirements/");
        diagnostics_add(schema->diagnostics, DIAGNOSTIC_NOTE,
            outline->covers_due->source, outline->covers_due->mark,
            outline->covers_due->width, "this asks for it");
    }
}

void outline_conclude(struct outline *outline)
{
    const struct diagnostics *all = outline->library->schema.diagnostics;

    if (!outline->names_broken && node_get(outline->root, "steps") != NULL) {
        check_whens(outline);
    }
    /* What is wrong elsewhere may be why a name is not used. */
    if (diagnostics_errors(all) == outline->errors_before && !outline->broken) {
        check_use(outline);
        check_cites(outline);
    }
}

struct outline *outline_read(
    void *context, struct library *library, const struct node *root)
{
    struct outline *outline = talloc_zero(context, struct outline);

    assert(outline != NULL);
    outline->errors_before = diagnostics_errors(library->schema.diagnostics);
    outline->library = library;
    outline->source = root->source;
    outline->root = root;
    outline->whens = talloc_zero(outline, struct whens);
    outline->fragments = talloc_zero(outline, struct fragments_found);
    schema_mapping(
        &library->schema, root, MAPPING_SCENARIO, root->entry[0].key);
    read_version(outline, node_get(root, "ntpmu"));
    if (node_get(root, "id") != NULL) {
        read_id(outline, node_get(root, "id"));
    }
    if (node_get(root, "title") != NULL) {
        schema_text(&library->schema, node_get(root, "title"), &outline->title);
    }
    read_defaults(outline);
    if (node_get(root, "tags") != NULL) {
        read_tags(outline, node_get(root, "tags"));
    }
    instances_make(outline);
    if (library->found_valid) {
        return outline;
    }
    if (outline->instances.count > library->checked_at_once &&
        library->checked_at_once != 0) {
        outline->unchecked = true;
    } else {
        outline_check(
            outline, outline->instances.item, outline->instances.count);
        outline_conclude(outline);
    }
    return outline;
}

static bool is_inside(const struct node *tree, const struct node *wanted)
{
    bool found = tree == wanted;

    for (size_t i = 0; tree->kind != NODE_SCALAR && i < tree->count && !found;
         i++) {
        found = is_inside(
            tree->kind == NODE_SEQUENCE ? tree->item[i] : tree->entry[i].value,
            wanted);
    }
    return found;
}

const char *outline_section(
    const struct outline *outline, const struct node *value)
{
    static const char *const keys[] = {"cases", "matrix", "params"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct node *section = node_get(outline->root, keys[i]);

        if (section != NULL && is_inside(section, value)) {
            return keys[i];
        }
    }
    return "with";
}
