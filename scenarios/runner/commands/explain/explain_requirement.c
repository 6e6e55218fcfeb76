/* explain_requirement.c - explains requirements, their families, and the
 * switches of rulings. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/nt/rulings.h"
#include "scenarios/runner/commands/explain/explain.h"

static void show_requirement_line(const struct explain *explain,
    const char *label, const struct requirement *requirement)
{
    explain_field(explain, label, "%s [%c] %s", requirement->id,
        requirement->tag, requirement->text);
}

void explain_requirements(
    const struct explain *explain, const char *label, const char *ids)
{
    while (*ids != '\0') {
        size_t length = strcspn(ids, " ");
        char *id = talloc_strndup(explain->context, ids, length);
        const struct requirement *requirement =
            requirements_find(explain->requirements, id);

        if (requirement != NULL) {
            show_requirement_line(explain, label, requirement);
        } else {
            explain_field(explain, label, "%s", id);
        }
        label = "";
        ids += length;
        ids += strspn(ids, " ");
    }
}

static bool is_part_of_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        if ((at == text || !is_part_of_word(at[-1])) &&
            !is_part_of_word(at[length])) {
            return true;
        }
    }
    return false;
}

bool explain_mentions(const struct requirement *requirement, const char *word)
{
    return has_word(requirement->text, word) ||
           (requirement->choices != NULL &&
               has_word(requirement->choices, word));
}

void explain_mentioned(const struct explain *explain, const char *word)
{
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = 0; i < explain->requirements->count; i++) {
        const struct requirement *requirement =
            requirement_at(explain->requirements, i);

        if (explain_mentions(requirement, word)) {
            list = explain_append(list, requirement->id);
        }
    }
    if (list[0] != '\0') {
        explain_field(explain, "mentioned by", "%s", list);
    }
}

const char *name_requirement(const struct explain *explain, size_t n)
{
    return n < explain->requirements->count
               ? requirement_at(explain->requirements, n)->id
               : NULL;
}

const char *line_requirement(const struct explain *explain, size_t n)
{
    const struct requirement *requirement =
        requirement_at(explain->requirements, n);

    return talloc_asprintf(
        explain->context, "[%c] %s", requirement->tag, requirement->text);
}

static const char *tag_in_words(char tag)
{
    switch (tag) {
    case 'D':
        return "D, documented";
    case 'H':
        return "H, in the headers";
    case 'O':
        return "O, observed";
    default:
        return "C, our ruling";
    }
}

/* Whether a list of ids, separated by spaces, has this one. */
static bool has_id(const char *ids, const char *id)
{
    size_t length = strlen(id);

    for (const char *at = ids; (at = strstr(at, id)) != NULL; at += length) {
        if ((at == ids || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void show_users(const struct explain *explain, const char *id)
{
    char *routines = talloc_strdup(explain->context, "");
    char *rules = talloc_strdup(explain->context, "");

    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        if (has_id(routine_rows[i].requirements, id)) {
            routines = explain_append(routines, routine_rows[i].name);
        }
    }
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (has_id(rule_rows[i].requirements, id)) {
            rules = explain_append(rules, rule_rows[i].id);
        }
    }
    if (routines[0] != '\0') {
        explain_field(explain, "routines", "%s", routines);
    }
    if (rules[0] != '\0') {
        explain_field(explain, "rules", "%s", rules);
    }
}

void show_requirement(const struct explain *explain, size_t n)
{
    const struct requirement *requirement =
        requirement_at(explain->requirements, n);

    explain_field(explain, "text", "%s", requirement->text);
    explain_field(explain, "evidence", "%s", tag_in_words(requirement->tag));
    explain_field(explain, "source", "%s", requirement->source);
    explain_field(explain, "family", "%s",
        requirement_family(explain->context, requirement->id));
    if (requirement->choices != NULL) {
        explain_field(explain, "switch", "%s", requirement->choices);
    }
    if (requirement->untestable != NULL) {
        explain_field(explain, "untestable", "%s", requirement->untestable);
    }
    if (requirement->unit != NULL) {
        explain_field(explain, "unit test", "%s", requirement->unit);
    }
    for (size_t i = 0; requirement->same[i] != NULL; i++) {
        explain_requirements(
            explain, i == 0 ? "same as" : "", requirement->same[i]);
    }
    show_users(explain, requirement->id);
}

/* In the order of their ids those of a family stand together. */
void explain_families(struct explain *explain)
{
    const struct requirements *all = explain->requirements;
    size_t *family =
        talloc_array(explain->context, size_t, (unsigned)all->count + 1);
    size_t count = 0;

    assert(family != NULL);
    for (size_t i = 0; i < all->count; i++) {
        if (i == 0 || !requirement_is_kin(requirement_at(all, i)->id,
                          requirement_at(all, i - 1)->id)) {
            family[count++] = i;
        }
    }
    family[count] = all->count;
    explain->family = family;
    explain->family_count = count;
}

const char *name_family(const struct explain *explain, size_t n)
{
    return n < explain->family_count
               ? requirement_family(explain->context,
                     requirement_at(explain->requirements, explain->family[n])
                         ->id)
               : NULL;
}

const char *line_family(const struct explain *explain, size_t n)
{
    size_t count = explain->family[n + 1] - explain->family[n];

    return talloc_asprintf(
        explain->context, "%zu requirement%s", count, count == 1 ? "" : "s");
}

void show_family(const struct explain *explain, size_t n)
{
    size_t first = explain->family[n];

    for (size_t i = first; i < explain->family[n + 1]; i++) {
        show_requirement_line(explain, i == first ? "requirements" : "",
            requirement_at(explain->requirements, i));
    }
}

const char *name_ruling(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < RULING_COUNT ? ruling_rows[n].id : NULL;
}

static const char *value_text(const struct explain *explain, enum ruling ruling,
    const struct ruled_row *value)
{
    const struct ruling_number *number = &ruling_numbers[ruling];

    if (number->high != 0 && strcmp(value->name, "number") == 0) {
        return talloc_asprintf(explain->context,
            "a number from %" PRIu64 " to %" PRIu64, number->low, number->high);
    }
    return value->name;
}

const char *line_ruling(const struct explain *explain, size_t n)
{
    const struct ruling_row *row = &ruling_rows[n];
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = row->usual; i < RULED_COUNT && ruled_rows[i].ruling == n;
         i++) {
        list = explain_append(
            list, value_text(explain, (enum ruling)n, &ruled_rows[i]));
    }
    if (row->why != NULL) {
        return talloc_asprintf(
            explain->context, "%s; no scenario flips it: %s", list, row->why);
    }
    return list;
}

void show_ruling(const struct explain *explain, size_t n)
{
    const struct ruling_row *row = &ruling_rows[n];

    explain_field(explain, "default", "%s", ruled_rows[row->usual].name);
    if (ruling_numbers[n].usual != 0) {
        explain_field(explain, "", "%" PRIu64, ruling_numbers[n].usual);
    }
    for (size_t i = row->usual + 1;
         i < RULED_COUNT && ruled_rows[i].ruling == n; i++) {
        explain_field(explain, "or", "%s%s%s",
            value_text(explain, (enum ruling)n, &ruled_rows[i]),
            ruled_rows[i].why == NULL ? "" : "; cannot be chosen: ",
            ruled_rows[i].why == NULL ? "" : ruled_rows[i].why);
    }
    if (row->why != NULL) {
        explain_field(explain, "fixed", "no scenario flips it: %s", row->why);
    } else {
        explain_field(
            explain, "flip it", "rulings: {%s: VALUE} in a scenario", row->id);
    }
}
