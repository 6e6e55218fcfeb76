/* explain_language.c - explains steps, checks, probes, matchers, keys and
 * errors. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/type.h"
#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/language/names.h"

/* What has a name and a line of help. */
struct helped {
    const char *name, *help;
};

static const struct helped steps[] = {
#define STEP(name, form, whose, touches, results, raises, keys, help)          \
    {#name, help},
#include "scenarios/runner/language/steps.def"
    {NULL, NULL},
};

static const struct helped checks[] = {
#define CHECK(key, name, form, compares, about, asserted, help) {key, help},
#include "scenarios/runner/language/checks.def"
    {NULL, NULL},
};

static const struct helped matchers[] = {
#define MATCHER(spelling, function, help) {spelling, help},
#define MATCHER_WORD(spelling, help) {spelling, help},
#include "scenarios/runner/language/matchers.def"
    {NULL, NULL},
};

static const struct {
    const char *name;
    enum mapping mapping;
    enum nt_type type;
    bool list, needs_pmu;
    const char *help;
} probes[] = {
#define PROBE(                                                                 \
    name, spelling, mapping, type, list, pmu, cycles, function, help)          \
    {spelling, MAPPING_##mapping, NT_##type, list, pmu, help},
#include "scenarios/runner/language/probes.def"
};

static const struct {
    const char *code, *means, *help, *requirements;
} errors[] = {
#define DIAGNOSTIC(name, code, means, help) {code, means, help, ""},
#include "scenarios/runner/yaml/diagnostics.def"
#define PROBLEM(name, code, severity, requirements, means, help)               \
    {code, means, help, requirements},
#include "api/ctrpp/problems.def"
};

/* The keys of KIND; by name alone where they have a list of their own. Returns
 * whether there are any. */
static bool show_kinds(const struct explain *explain, enum mapping mapping)
{
    bool listed = mapping == MAPPING_STEP || mapping == MAPPING_STATE;
    char *kinds = talloc_strdup(explain->context, "");
    const char *label = "one of";

    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping != mapping || key_rows[i].presence != KIND) {
            continue;
        }
        if (!listed) {
            explain_field(
                explain, label, "%s: %s", key_rows[i].key, key_rows[i].help);
            label = "";
        }
        kinds = explain_append(kinds, key_rows[i].key);
    }
    if (listed) {
        explain_field(explain, label, "%s", kinds);
    }
    return kinds[0] != '\0';
}

/* The keys of a mapping, one a line. */
static void show_keys(const struct explain *explain, enum mapping mapping)
{
    const char *label = show_kinds(explain, mapping) ? "and" : "keys";

    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping &&
            (key_rows[i].presence == REQUIRED ||
                key_rows[i].presence == OPTIONAL)) {
            explain_field(explain, label, "%s%s: %s", key_rows[i].key,
                key_rows[i].presence == REQUIRED ? " (required)" : "",
                key_rows[i].help);
            label = "";
        }
    }
}

/* The mapping that stands there; MAPPING_COUNT: none. */
static enum mapping mapping_at(const char *where)
{
    enum mapping mapping = 0;

    while (
        mapping < MAPPING_COUNT && strcmp(mapping_place(mapping), where) != 0) {
        mapping++;
    }
    return mapping;
}

static void show_helped(
    const struct explain *explain, const struct helped *helped)
{
    enum mapping mapping = mapping_at(helped->name);

    explain_field(explain, "does", "%s", helped->help);
    if (mapping != MAPPING_COUNT) {
        show_keys(explain, mapping);
    }
}

const char *name_step(const struct explain *explain, size_t n)
{
    (void)explain;
    return steps[n].name;
}

const char *line_step(const struct explain *explain, size_t n)
{
    (void)explain;
    return steps[n].help;
}

void show_step(const struct explain *explain, size_t n)
{
    show_helped(explain, &steps[n]);
}

const char *name_check(const struct explain *explain, size_t n)
{
    (void)explain;
    return checks[n].name;
}

const char *line_check(const struct explain *explain, size_t n)
{
    (void)explain;
    return checks[n].help;
}

void show_check(const struct explain *explain, size_t n)
{
    enum mapping mapping = mapping_at(checks[n].name);

    explain_field(explain, "compares", "%s", checks[n].help);
    if (mapping == MAPPING_COUNT) {
        mapping = mapping_at(talloc_asprintf(
            explain->context, "an entry of %s", checks[n].name));
    }
    if (mapping != MAPPING_COUNT) {
        show_keys(explain, mapping);
    }
}

const char *name_matcher(const struct explain *explain, size_t n)
{
    (void)explain;
    return matchers[n].name;
}

const char *line_matcher(const struct explain *explain, size_t n)
{
    (void)explain;
    return matchers[n].help;
}

void show_matcher(const struct explain *explain, size_t n)
{
    explain_field(explain, "meets", "%s", matchers[n].help);
}

const char *name_probe(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < sizeof(probes) / sizeof(probes[0]) ? probes[n].name : NULL;
}

static const char *probe_type(const struct explain *explain, size_t n)
{
    const char *type = nt_type_row(probes[n].type)->name;

    if (probes[n].type == NT_ULONG64) { /* of any kind: its help says which */
        return probes[n].list ? "a list" : "a number";
    }
    return talloc_asprintf(
        explain->context, "%s%s", probes[n].list ? "a list of " : "", type);
}

const char *line_probe(const struct explain *explain, size_t n)
{
    return talloc_asprintf(
        explain->context, "%s: %s", probe_type(explain, n), probes[n].help);
}

/* As in {counters: {owner: .., cpu: ..}, is: ..}. */
static char *probe_form(const struct explain *explain, size_t n)
{
    char *asked = talloc_strdup(explain->context, "");

    if (probes[n].mapping == MAPPING_STATE) {
        return talloc_asprintf(
            explain->context, "{%s: system, is: ..}", probes[n].name);
    }
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == probes[n].mapping) {
            asked = explain_append(asked,
                talloc_asprintf(explain->context, "%s: ..", key_rows[i].key));
        }
    }
    return talloc_asprintf(
        explain->context, "{%s: {%s}, is: ..}", probes[n].name, asked);
}

void show_probe(const struct explain *explain, size_t n)
{
    explain_field(explain, "written", "%s", probe_form(explain, n));
    explain_field(explain, "gives", "%s", probes[n].help);
    explain_field(explain, "type", "%s", probe_type(explain, n));
    if (probes[n].needs_pmu) {
        explain_field(explain, "needs", "a PMU: %s",
            names_of_pmu_arches(explain->context, "or"));
    }
    if (probes[n].mapping != MAPPING_STATE) {
        show_keys(explain, probes[n].mapping);
    }
}

/* Those that are listed as steps, checks and probes are not listed again. */
static bool is_listed_elsewhere(const struct key_row *key)
{
    if (key->mapping != MAPPING_EXPECT) {
        return key->presence == KIND &&
               (key->mapping == MAPPING_STEP || key->mapping == MAPPING_STATE);
    }
    for (size_t i = 0; checks[i].name != NULL; i++) {
        if (strcmp(checks[i].name, key->key) == 0) {
            return true;
        }
    }
    return false;
}

enum { KEY_NAMES_MAX = 400 };

/* The first row of each name; worked out once, because the table is constant
 * and every word is looked for among them. */
struct key_names {
    const struct key_row *row[KEY_NAMES_MAX];
    size_t count;
};

static bool has_key(const struct key_names *names, const char *key)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->row[i]->key, key) == 0) {
            return true;
        }
    }
    return false;
}

static const struct key_names *key_names(void)
{
    static struct key_names names;

    if (names.count > 0) {
        return &names;
    }
    for (size_t i = 0; i < key_row_count; i++) {
        if (!is_listed_elsewhere(&key_rows[i]) &&
            !has_key(&names, key_rows[i].key)) {
            assert(names.count < KEY_NAMES_MAX);
            names.row[names.count++] = &key_rows[i];
        }
    }
    return &names;
}

/* NULL: there are no more. */
static const struct key_row *nth_key(size_t n)
{
    const struct key_names *names = key_names();

    return n < names->count ? names->row[n] : NULL;
}

const char *name_key(const struct explain *explain, size_t n)
{
    const struct key_row *key = nth_key(n);

    (void)explain;
    return key == NULL ? NULL : key->key;
}

const char *line_key(const struct explain *explain, size_t n)
{
    const char *name = nth_key(n)->key;
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = 0; i < key_row_count; i++) {
        if (strcmp(key_rows[i].key, name) == 0 &&
            !is_listed_elsewhere(&key_rows[i])) {
            list = explain_append(list, mapping_place(key_rows[i].mapping));
        }
    }
    return talloc_asprintf(explain->context, "in %s", list);
}

void show_key(const struct explain *explain, size_t n)
{
    static const char *const presences[] = {
        [REQUIRED] = ", required",
        [OPTIONAL] = "",
        [KIND] = "",
        [REFUSED] = ", not in this version",
    };
    const char *name = nth_key(n)->key;

    for (size_t i = 0; i < key_row_count; i++) {
        if (strcmp(key_rows[i].key, name) == 0 &&
            !is_listed_elsewhere(&key_rows[i])) {
            explain_field(explain, "in", "%s%s: %s",
                mapping_place(key_rows[i].mapping),
                presences[key_rows[i].presence], key_rows[i].help);
        }
    }
}

/* The word for a mapping is where it stands. */
const char *name_mapping(const struct explain *explain, size_t n)
{
    const char *where =
        n < MAPPING_COUNT ? mapping_place((enum mapping)n) : NULL;

    (void)explain;
    return where != NULL && strncmp(where, "a ", 2) == 0 ? where + 2 : where;
}

const char *line_mapping(const struct explain *explain, size_t n)
{
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == n && key_rows[i].presence != REFUSED) {
            list = explain_append(list, key_rows[i].key);
        }
    }
    return list;
}

void show_mapping(const struct explain *explain, size_t n)
{
    show_keys(explain, (enum mapping)n);
}

const char *name_error(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < sizeof(errors) / sizeof(errors[0]) ? errors[n].code : NULL;
}

const char *line_error(const struct explain *explain, size_t n)
{
    (void)explain;
    return errors[n].means;
}

void show_error(const struct explain *explain, size_t n)
{
    explain_field(explain, "means", "%s", errors[n].means);
    explain_field(explain, "what to do", "%s", errors[n].help);
    explain_requirements(explain, "requirement", errors[n].requirements);
}
