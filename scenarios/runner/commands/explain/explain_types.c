/* explain_types.c - explains NT types, and names of their values. */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/core/routine.h"
#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/language/constants.h"

const char *name_type(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < NT_TYPE_COUNT ? nt_type_row((enum nt_type)n)->name : NULL;
}

static const char *kind_in_words(enum nt_kind kind)
{
    switch (kind) {
    case NT_KIND_UNSIGNED:
        return "a number";
    case NT_KIND_SIGNED:
        return "a number with a sign";
    case NT_KIND_HEX:
        return "a number, shown in hexadecimal";
    case NT_KIND_BOOLEAN:
        return "true or false";
    case NT_KIND_IRQL:
        return "a level, by name or number";
    case NT_KIND_STATUS:
        return "a status, by name or number";
    case NT_KIND_HANDLE:
        return "a handle: $name, null or a number";
    case NT_KIND_POINTER:
        return "an address: $name, null or a number";
    case NT_KIND_CALLBACK:
        return "the address of a callback: $name, null or a number";
    case NT_KIND_ENUM:
        return "a name of its list, or a number";
    case NT_KIND_STRUCT:
        return "a structure: {Member: value}";
    case NT_KIND_NONE:
        return "no value";
    }
    return "";
}

const char *line_type(const struct explain *explain, size_t n)
{
    const struct nt_type_row *row = nt_type_row((enum nt_type)n);

    if (row->size == 0) {
        return kind_in_words(row->kind);
    }
    return talloc_asprintf(explain->context, "%u byte%s, %s",
        (unsigned)row->size, row->size == 1 ? "" : "s",
        kind_in_words(row->kind));
}

/* A pointer with what it points to, as it would be declared; behind it how many
 * there are. */
static char *pointer_text(
    const struct explain *explain, const struct nt_member *member)
{
    const char *type = nt_type_row(member->pointee)->name;

    return strcmp(member->pointee_count, "one") == 0
               ? talloc_asprintf(explain->context, "%s *%s", type, member->name)
               : talloc_asprintf(explain->context, "%s *%s, %s of them", type,
                     member->name, member->pointee_count);
}

static char *member_text(
    const struct explain *explain, const struct nt_member *member)
{
    const char *type = nt_type_row(member->type)->name;

    switch (member->line) {
    case NT_LINE_UNION:
        return talloc_asprintf(explain->context, "union {");
    case NT_LINE_NESTED:
        return talloc_asprintf(explain->context, "struct {");
    case NT_LINE_END:
        return talloc_asprintf(explain->context, "}%s%s",
            member->name[0] == '\0' ? "" : " ", member->name);
    case NT_LINE_MEMBER:
        break;
    }
    if (member->pointee != NT_VOID) {
        return pointer_text(explain, member);
    }
    if (member->count_member != NULL) {
        return talloc_asprintf(explain->context, "%s %s[%s]", type,
            member->name, member->count_member);
    }
    if (member->length > 1) {
        return talloc_asprintf(explain->context, "%s %s[%u]", type,
            member->name, (unsigned)member->length);
    }
    return talloc_asprintf(explain->context, "%s %s", type, member->name);
}

/* One line a member: its offset, then what it is. */
static void show_members(
    const struct explain *explain, const struct nt_type_row *row)
{
    int depth = 0;

    for (size_t i = 0; i < row->member_count; i++) {
        const struct nt_member *member = &row->member[i];

        depth -= member->line == NT_LINE_END;
        if (member->line == NT_LINE_END) {
            fprintf(explain->out, "  %4s  ", "");
        } else {
            fprintf(explain->out, "  %4u  ", (unsigned)member->offset);
        }
        fprintf(explain->out, "%*s%s\n", 2 * depth, "",
            member_text(explain, member));
        depth +=
            member->line == NT_LINE_UNION || member->line == NT_LINE_NESTED;
    }
}

static void show_type_users(const struct explain *explain, enum nt_type type)
{
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        const struct routine_row *row = &routine_rows[i];
        bool uses = false;

        for (size_t k = 0; k < routine_parameter_count(row); k++) {
            uses |= row->parameter[k].type == type;
        }
        if (uses) {
            list = explain_append(list, row->name);
        }
    }
    if (list[0] != '\0') {
        explain_field(explain, "parameters", "of %s", list);
    }
}

void show_type(const struct explain *explain, size_t n)
{
    const struct nt_type_row *row = nt_type_row((enum nt_type)n);
    const char *label = "values";
    char *list = talloc_strdup(explain->context, "");

    explain_field(explain, "is", "%s", line_type(explain, n));
    if (row->kind == NT_KIND_STRUCT) {
        explain_field(explain, "members", "by their offsets, on x64:");
        show_members(explain, row);
    }
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        if (nt_enumerators[i].type == n) {
            list = explain_append(
                list, talloc_asprintf(explain->context, "%s = %" PRIu32,
                          nt_enumerators[i].name, nt_enumerators[i].value));
        }
    }
    if (list[0] != '\0') {
        explain_field(explain, label, "%s", list);
    }
    if (row->kind == NT_KIND_STRUCT || row->kind == NT_KIND_ENUM ||
        row->kind == NT_KIND_CALLBACK) {
        show_type_users(explain, (enum nt_type)n);
        explain_mentioned(explain, row->name);
    }
}

const char *name_constant(const struct explain *explain, size_t n)
{
    struct listed_constant constant;

    (void)explain;
    return constant_listed(n, &constant) ? constant.name : NULL;
}

const char *line_constant(const struct explain *explain, size_t n)
{
    struct listed_constant constant = {.type = NT_VOID};
    bool hexadecimal;

    constant_listed(n, &constant);
    hexadecimal = nt_type_row(constant.type)->kind == NT_KIND_HEX ||
                  constant.value > UINT16_MAX;
    return talloc_asprintf(explain->context,
        hexadecimal ? "0x%" PRIX64 ", %s" : "%" PRIu64 ", %s", constant.value,
        nt_type_row(constant.type)->name);
}

void show_constant(const struct explain *explain, size_t n)
{
    explain_field(explain, "value", "%s", line_constant(explain, n));
    explain_mentioned(explain, name_constant(explain, n));
}
