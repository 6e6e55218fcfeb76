/* match_accepts.c - whether a matcher accepts every value: what it says changes
 * only beside a number that stands in it, so that these are tried. */
#include "scenarios/runner/language/match_accepts.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/match.h"
#include "scenarios/runner/language/statics.h"
#include "scenarios/runner/language/value.h"

enum {
    TRIED_NUMBERS = 64, /* that stand in one; with more it can fail */
    TRIED_BESIDE = 3,   /* below each, itself, above it */
};

/* What a matcher says of a value. */
enum says { REFUSES, ACCEPTS, CANNOT_SAY };

/* The values that are tried. */
struct tried {
    const struct scope *scope;
    struct match_domain domain;
    uint64_t value[TRIED_BESIDE * TRIED_NUMBERS + 2];
    size_t count;
    bool too_many;
};

struct match_domain match_domain_of(
    const struct scope *scope, enum nt_type type, bool array)
{
    const struct nt_type_row *row = nt_type_row(type);
    struct match_domain domain = {type, UINT64_MAX, array};

    if (row->kind == NT_KIND_BOOLEAN) {
        domain.most = 1;
    } else if (row->kind == NT_KIND_IRQL) {
        constant_find("HIGH_LEVEL", type, scope->arch, &domain.most);
    } else if (row->kind < NT_KIND_STRUCT && row->size < sizeof(domain.most)) {
        domain.most = ((uint64_t)1 << 8 * row->size) - 1;
    }
    return domain;
}

/* The number, where it is known by now and is one. */
static bool number_of(const struct scope *scope, enum nt_type type,
    const struct node *node, uint64_t *number)
{
    struct scope quiet = *scope;
    bool found;

    if (node->kind != NODE_SCALAR ||
        nt_type_row(type)->kind >= NT_KIND_STRUCT ||
        (scope_checks(scope) && node_is_computed(node))) {
        return false;
    }
    quiet.schema.diagnostics = diagnostics_new(NULL);
    quiet.shown = NULL;
    found = value_scalar(&quiet, node, type, number);
    talloc_free(quiet.schema.diagnostics);
    return found;
}

static void try_value(struct tried *tried, uint64_t value)
{
    if (value <= tried->domain.most) {
        tried->value[tried->count++] = value;
    }
}

/* The numbers of a matcher, and those of the matchers in it. */
static void try_numbers(struct tried *tried, const struct node *node)
{
    uint64_t number;

    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count; i++) {
        try_numbers(tried,
            node->kind == NODE_SEQUENCE ? node->item[i] : node->entry[i].value);
    }
    if (!number_of(tried->scope, tried->domain.type, node, &number)) {
        return;
    }
    if (tried->count + TRIED_BESIDE > sizeof(tried->value) / sizeof(uint64_t)) {
        tried->too_many = true;
        return;
    }
    try_value(tried, number - 1);
    try_value(tried, number);
    try_value(tried, number + 1);
}

static enum says says_of(
    const struct tried *tried, const struct node *node, uint64_t value);

static enum says opposite(enum says says)
{
    if (says == CANNOT_SAY) {
        return CANNOT_SAY;
    }
    return says == ACCEPTS ? REFUSES : ACCEPTS;
}

/* Whether it is {not: x}, and x is in the list as well. */
static bool has_opposite(const struct node *list, const struct node *one)
{
    const struct node *but = one->kind == NODE_MAPPING && one->count == 1
                                 ? node_get(one, "not")
                                 : NULL;

    for (size_t i = 0; but != NULL && i < list->count; i++) {
        if (node_equal(list->item[i], but)) {
            return true;
        }
    }
    return false;
}

static enum says says_one_of(
    const struct tried *tried, const struct node *list, uint64_t value)
{
    enum says says = REFUSES;

    for (size_t i = 0; list->kind == NODE_SEQUENCE && i < list->count; i++) {
        enum says one = says_of(tried, list->item[i], value);

        if (one == ACCEPTS || has_opposite(list, list->item[i])) {
            return ACCEPTS;
        }
        says = one == CANNOT_SAY ? CANNOT_SAY : says;
    }
    return says;
}

static enum says says_range(
    const struct tried *tried, const struct node *node, uint64_t value)
{
    const struct node *min = node_get(node, "min"),
                      *max = node_get(node, "max");
    enum nt_type type = tried->domain.type;
    uint64_t low = 0, high = UINT64_MAX;
    bool known = (min == NULL || number_of(tried->scope, type, min, &low)) &&
                 (max == NULL || number_of(tried->scope, type, max, &high));

    if (!known) {
        return CANNOT_SAY;
    }
    return value >= low && value <= high ? ACCEPTS : REFUSES;
}

/* The values that are tried do not tell whether bits are asked for, so that
 * nothing is said where any are. */
static enum says says_bits(const struct tried *tried, const struct node *bits)
{
    for (size_t i = 0; bits->kind == NODE_MAPPING && i < bits->count; i++) {
        bool set = strcmp(bits->entry[i].key->text, "set") == 0;
        uint64_t mask;

        if (!number_of(tried->scope, tried->domain.type, bits->entry[i].value,
                &mask) ||
            (set ? mask : mask & tried->domain.most) != 0) {
            return CANNOT_SAY;
        }
    }
    return bits->kind == NODE_MAPPING ? ACCEPTS : CANNOT_SAY;
}

static enum says says_length(const struct tried *tried, const struct node *node)
{
    return match_accepts_all(tried->scope, node,
               match_domain_of(tried->scope, NT_ULONG64, false))
               ? ACCEPTS
               : CANNOT_SAY;
}

static enum says says_of(
    const struct tried *tried, const struct node *node, uint64_t value)
{
    uint64_t number;

    if (node_is_word(node, "any")) {
        return ACCEPTS;
    }
    if (node->kind == NODE_MAPPING && node->count > 0) {
        const char *key = node->entry[0].key->text;
        const struct node *inner = node->entry[0].value;

        if (strcmp(key, "not") == 0) {
            return opposite(says_of(tried, inner, value));
        }
        if (strcmp(key, "one_of") == 0) {
            return says_one_of(tried, inner, value);
        }
        if (strcmp(key, "min") == 0 || strcmp(key, "max") == 0) {
            return says_range(tried, node, value);
        }
        if (strcmp(key, "bits") == 0) {
            return says_bits(tried, inner);
        }
        return strcmp(key, "len") == 0 ? says_length(tried, inner) : CANNOT_SAY;
    }
    if (!tried->domain.array &&
        number_of(tried->scope, tried->domain.type, node, &number)) {
        return number == value ? ACCEPTS : REFUSES;
    }
    return CANNOT_SAY;
}

/* {Member: value} of which no member can fail. */
static bool members_accept_all(const struct scope *scope,
    const struct node *node, struct match_domain domain)
{
    bool all = node->kind == NODE_MAPPING && node->count > 0 && !domain.array &&
               nt_type_row(domain.type)->kind == NT_KIND_STRUCT;

    for (size_t i = 0; all && i < node->count; i++) {
        const struct nt_member *member =
            nt_type_member(domain.type, node->entry[i].key->text);

        all = member != NULL && member->line == NT_LINE_MEMBER &&
              match_accepts_all(scope, node->entry[i].value,
                  match_domain_of(scope, member->type, member->length > 1));
    }
    return all;
}

/* Of a mapping. */
static bool mapping_accepts_all(const struct scope *scope,
    const struct node *node, struct match_domain domain)
{
    struct tried tried = {.scope = scope, .domain = domain};
    bool all;

    try_value(&tried, 0);
    try_value(&tried, domain.most);
    try_numbers(&tried, node);
    all = !tried.too_many;
    for (size_t i = 0; all && i < tried.count; i++) {
        all = says_of(&tried, node, tried.value[i]) == ACCEPTS;
    }
    return all || members_accept_all(scope, node, domain);
}

bool match_accepts_all(const struct scope *scope, const struct node *node,
    struct match_domain domain)
{
    return node->kind == NODE_SCALAR
               ? node_is_word(node, "any")
               : node->kind == NODE_MAPPING &&
                     mapping_accepts_all(scope, node, domain);
}

bool match_refuse_idle(const struct scope *scope, const struct node *node,
    struct match_domain domain)
{
    bool idle = match_accepts_all(scope, node, domain);

    if (idle) {
        schema_error(&scope->schema, DIAGNOSTIC_NO_EFFECT, node,
            "this cannot fail, so it expects nothing");
        diagnostics_hint(scope->schema.diagnostics,
            "it accepts every value that there can be: name those that are "
            "right, or leave it out");
    }
    return idle;
}

void match_check_number(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, uint64_t most)
{
    struct match_domain domain = match_domain_of(scope, type, false);

    domain.most = most < domain.most ? most : domain.most;
    if (node != NULL && !match_refuse_idle(scope, node, domain)) {
        match_check(scope, context, node, type);
    }
}
