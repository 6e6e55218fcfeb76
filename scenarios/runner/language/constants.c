/* constants.c - names that stand for numbers, out of the kernel's own lists:
 * statuses, levels, enumerators, flags, Windows versions, architectures. */
#include "scenarios/runner/language/constants.h"

#include <string.h>
#include <talloc.h>

#include "api/ex/pool.h"
#include "api/nt/nt.h"
#include "api/nt/profile.h"
#include "sim/base/bits.h"

struct constant {
    const char *name;
    uint64_t value;
};

/* Of the WDK's; they may stand wherever such a number fits. */
static const struct constant counts[] = {
    {"MAX_HW_COUNTERS", MAX_HW_COUNTERS},
    {"PCW_ANY_INSTANCE_ID", PCW_ANY_INSTANCE_ID}, /* PCW-TYPE-02 */
#define WIN32_ERROR(name, value) {#name, value},
#include "api/nt/win32_errors.def"
#define ACCESS_RIGHT(name, number) {#name, number},
#include "api/nt/access_rights.def"
    {"KernelMode", 0},
    {"UserMode", 1},
};

enum { COUNT_NAMES = sizeof(counts) / sizeof(counts[0]) };

static const struct constant booleans[] = {{"false", 0}, {"true", 1}};

static bool find_in(const struct constant *constant, size_t count,
    const char *name, uint64_t *value)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(constant[i].name, name) == 0) {
            *value = constant[i].value;
            return true;
        }
    }
    return false;
}

static bool find_status(const char *name, uint64_t *value)
{
    for (size_t i = 0; i < nt_status_count; i++) {
        if (strcmp(nt_statuses[i].name, name) == 0) {
            *value = nt_statuses[i].value;
            return true;
        }
    }
    return false;
}

static bool find_level(const char *name, enum arch arch, uint64_t *value)
{
    for (enum irql_level level = 0; level < IRQL_LEVEL_COUNT; level++) {
        uint8_t irql;

        if (strcmp(irql_level_spelling(level), name) == 0 &&
            irql_level_value(level, arch, &irql)) {
            *value = irql;
            return true;
        }
    }
    return false;
}

static bool find_flag(const char *name, enum nt_type type, uint64_t *value)
{
    for (size_t i = 0; type == NT_POOL_FLAGS && i < pool_flag_count; i++) {
        if (strcmp(pool_flags[i].name, name) == 0) {
            *value = pool_flags[i].value;
            return true;
        }
    }
    return false;
}

static bool find_enumerator(
    const char *name, enum nt_type type, uint64_t *value)
{
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        if (nt_enumerators[i].type == type &&
            strcmp(nt_enumerators[i].name, name) == 0) {
            *value = nt_enumerators[i].value;
            return true;
        }
    }
    return false;
}

bool constant_find(
    const char *name, enum nt_type type, enum arch arch, uint64_t *value)
{
    switch (nt_type_row(type)->kind) {
    case NT_KIND_STATUS:
        return find_status(name, value);
    case NT_KIND_IRQL:
        return find_level(name, arch, value);
    case NT_KIND_ENUM:
        return find_enumerator(name, type, value);
    case NT_KIND_BOOLEAN:
        return find_in(booleans, 2, name, value);
    case NT_KIND_UNSIGNED:
        return find_in(counts, COUNT_NAMES, name, value) &&
               *value <= bits_low(8u * nt_type_row(type)->size);
    case NT_KIND_HEX:
        return find_flag(name, type, value);
    case NT_KIND_SIGNED:
    case NT_KIND_HANDLE:
    case NT_KIND_POINTER:
    case NT_KIND_CALLBACK:
    case NT_KIND_STRUCT:
    case NT_KIND_NONE:
        break;
    }
    return false;
}

bool constant_listed(size_t n, struct listed_constant *constant)
{
    if (n < nt_enumerator_count) {
        *constant = (struct listed_constant){nt_enumerators[n].name,
            nt_enumerators[n].type, nt_enumerators[n].value};
        return true;
    }
    n -= nt_enumerator_count;
    if (n < pool_flag_count) {
        *constant = (struct listed_constant){
            pool_flags[n].name, NT_POOL_FLAGS, pool_flags[n].value};
        return true;
    }
    n -= pool_flag_count;
    if (n < COUNT_NAMES) {
        *constant =
            (struct listed_constant){counts[n].name, NT_ULONG, counts[n].value};
        return true;
    }
    return false;
}

static const char *enumerator_name(enum nt_type type, size_t n)
{
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        if (nt_enumerators[i].type == type && n-- == 0) {
            return nt_enumerators[i].name;
        }
    }
    return NULL;
}

static const char *count_name(enum nt_type type, size_t n)
{
    for (size_t i = 0; i < COUNT_NAMES; i++) {
        if (counts[i].value <= bits_low(8u * nt_type_row(type)->size) &&
            n-- == 0) {
            return counts[i].name;
        }
    }
    return NULL;
}

const char *constant_name(enum nt_type type, size_t n)
{
    switch (nt_type_row(type)->kind) {
    case NT_KIND_STATUS:
        return n < nt_status_count ? nt_statuses[n].name : NULL;
    case NT_KIND_IRQL:
        return n < IRQL_LEVEL_COUNT ? irql_level_spelling((enum irql_level)n)
                                    : NULL;
    case NT_KIND_ENUM:
        return enumerator_name(type, n);
    case NT_KIND_BOOLEAN:
        return n < 2 ? booleans[n].name : NULL;
    case NT_KIND_UNSIGNED:
        return count_name(type, n);
    case NT_KIND_HEX:
        return type == NT_POOL_FLAGS && n < pool_flag_count ? pool_flags[n].name
                                                            : NULL;
    case NT_KIND_SIGNED:
    case NT_KIND_HANDLE:
    case NT_KIND_POINTER:
    case NT_KIND_CALLBACK:
    case NT_KIND_STRUCT:
    case NT_KIND_NONE:
        break;
    }
    return NULL;
}

void constant_suggest(struct suggestion *suggestion, enum nt_type type)
{
    const char *name;

    if (nt_type_row(type)->kind == NT_KIND_UNSIGNED) {
        return;
    }
    for (size_t i = 0; (name = constant_name(type, i)) != NULL; i++) {
        suggest_offer(suggestion, name);
    }
}

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

static bool find_any_enumerator(
    const char *name, struct expression_value *value)
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
    return find_any_enumerator(name, value);
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
