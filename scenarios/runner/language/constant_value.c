/* constant_value.c - constants in expressions, where no field says which list
 * is meant: the first that has the name. */
#include <string.h>
#include <talloc.h>

#include "api/nt/profile.h"
#include "scenarios/runner/language/constants.h"

const char constant_domain_os[] = "Windows version";
const char constant_domain_arch[] = "architecture";

static bool in_list(const char *domain, bool ordered, bool named,
    uint64_t number, struct expression_value *value)
{
    *value = (struct expression_value){.kind = EXPRESSION_NUMBER,
        .domain = domain,
        .ordered = ordered,
        .named = named,
        .known = true,
        .number = number};
    return true;
}

static bool find_machine(const char *name, struct expression_value *value)
{
    for (enum os os = 0; os < OS_COUNT; os++) {
        if (strcmp(os_rows[os].name, name) == 0) {
            return in_list(constant_domain_os, true, true, os, value);
        }
    }
    for (enum arch arch = 0; arch < ARCH_COUNT; arch++) {
        if (strcmp(arch_rows[arch].name, name) == 0) {
            return in_list(constant_domain_arch, false, true, arch, value);
        }
    }
    return false;
}

const char *constant_domain(enum nt_type type)
{
    enum nt_kind kind = nt_type_row(type)->kind;

    return kind == NT_KIND_STATUS || kind == NT_KIND_IRQL ||
                   kind == NT_KIND_ENUM
               ? nt_type_row(type)->name
               : NULL;
}

static bool find_enumerator(const char *name, struct expression_value *value)
{
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        if (strcmp(nt_enumerators[i].name, name) == 0) {
            return in_list(nt_type_row(nt_enumerators[i].type)->name, false,
                false, nt_enumerators[i].value, value);
        }
    }
    return false;
}

/* One of each list. */
static const enum nt_type types[] = {
    NT_NTSTATUS, NT_KIRQL, NT_POOL_FLAGS, NT_ULONG};

bool constant_value(
    const char *name, enum arch arch, struct expression_value *value)
{
    uint64_t number;

    if (find_machine(name, value)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (constant_find(name, types[i], arch, &number)) {
            return in_list(constant_domain(types[i]), types[i] == NT_KIRQL,
                false, number, value);
        }
    }
    return find_enumerator(name, value);
}

const char *constant_hint(void *context, const char *name)
{
    struct suggestion suggestion = suggest_for(name);

    for (enum os os = 0; os < OS_COUNT; os++) {
        suggest_offer(&suggestion, os_rows[os].name);
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        constant_suggest(&suggestion, types[i]);
    }
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        suggest_offer(&suggestion, nt_enumerators[i].name);
    }
    return suggestion.nearest == NULL
               ? NULL
               : talloc_asprintf(
                     context, "did you mean '%s'?", suggestion.nearest);
}

static const char *show_number(
    void *context, const struct expression_value *value)
{
    const char *name = NULL;

    if (value->domain == constant_domain_os) {
        return os_rows[(enum os)value->number].name;
    }
    if (value->domain == constant_domain_arch) {
        return arch_rows[(enum arch)value->number].name;
    }
    if (value->domain != NULL &&
        strcmp(value->domain, nt_type_row(NT_NTSTATUS)->name) == 0) {
        name = nt_status_name((uint32_t)value->number);
    }
    return name != NULL ? name : expression_show_number(context, value->number);
}

const char *constant_show(void *context, const struct expression_value *value)
{
    switch (value->kind) {
    case EXPRESSION_NUMBER:
        return show_number(context, value);
    case EXPRESSION_BOOL:
        return value->number != 0 ? "true" : "false";
    case EXPRESSION_TEXT:
        return talloc_asprintf(context, "'%s'", value->text);
    case EXPRESSION_LIST:
        return talloc_asprintf(context, "a list of %s",
            expression_show_number(context, value->number));
    }
    return "?";
}
