/* query_values.c - RtlQueryRegistryValues: its key, and a driver's query table
 * entry by entry, each about a value or all values of a key. */
#include "api/cm/query_table.h"

#include <assert.h>

#include "api/cm/relative_key.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/core/ruling.h"
#include "api/mm/copy.h"

enum {
    TYPE_MASK = 0xFF,
    TYPECHECK_SHIFT = 24,
    FAST_FAIL_UNSAFE_REGISTRY_ACCESS = 9,
};

static const enum routine routine = ROUTINE_RtlQueryRegistryValues;

/* Whether a key is in a hive of the system's (REG-10d). */
static bool is_trusted(struct kernel *kernel, const struct registry_key *key)
{
    static const char *const hives[] = {"MACHINE\\HARDWARE",
        "MACHINE\\SOFTWARE", "MACHINE\\SYSTEM", "MACHINE\\SECURITY",
        "MACHINE\\SAM"};

    for (; key != NULL; key = key->parent) {
        for (size_t i = 0; i < sizeof(hives) / sizeof(hives[0]); i++) {
            if (registry_find_path(registry_root(kernel), hives[i]) == key) {
                return true;
            }
        }
    }
    return false;
}

/* Windows 7 ignored it, without an update (REG-10f [C]). */
static bool checks_type(
    const struct kernel *kernel, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    return (entry->Flags & QUERY_TYPECHECK) != 0 &&
           (kernel->os >= &os_rows[OS_WIN8] ||
               !ruling_is(kernel, RULED_REG_10f_ignored));
}

static NTSTATUS check_stored(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct registry_value *value)
{
    struct kernel *kernel = query->kernel;
    const struct bugcheck_parameter parameter[4] = {
        {.value = FAST_FAIL_UNSAFE_REGISTRY_ACCESS}};

    if (checks_type(kernel, entry)) {
        return value->type == entry->DefaultType >> TYPECHECK_SHIFT
                   ? STATUS_SUCCESS
                   : STATUS_OBJECT_TYPE_MISMATCH;
    }
    if ((entry->Flags & QUERY_DIRECT) != 0 && kernel->os >= &os_rows[OS_WIN8] &&
        !is_trusted(kernel, query->key)) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_REGISTRY_UNCHECKED, routine,
            parameter);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS give(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct registry_name *name,
    struct query_data *data)
{
    bool expands = (entry->Flags & QUERY_NOEXPAND) == 0;
    NTSTATUS status = STATUS_SUCCESS;

    if (expands && data->type == REG_EXPAND_SZ) {
        rule_warn(query->kernel, kernel_cpu(query->kernel),
            RULE_REGISTRY_EXPANDED, routine);
        status = query_expand(query, data);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if ((entry->Flags & QUERY_DIRECT) == 0) {
        return query_report(query, entry, name, data);
    }
    return expands && data->type == REG_MULTI_SZ
               ? STATUS_INVALID_PARAMETER /* REG-10c */
               : query_direct(query, entry, data);
}

/* The routine may have changed the key. */
static void delete_value(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, struct registry_value *value)
{
    if ((entry->Flags & QUERY_DELETE) != 0 &&
        registry_find_value(query->key, &value->name) == value) {
        registry_delete_value(query->key, value);
    }
}

static NTSTATUS give_stored(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct registry_name *name,
    struct registry_value *value)
{
    struct query_data data = {
        .type = value->type, .size = value->size, .stored = value->data};
    NTSTATUS status = check_stored(query, entry, value);

    if (query->key == query->top && (entry->Flags & QUERY_DELETE) != 0 &&
        (query->access & KEY_SET_VALUE) == 0) {
        return STATUS_ACCESS_DENIED; /* REG-10h [C] */
    }
    if (NT_SUCCESS(status)) {
        status = give(query, entry, name, &data);
    }
    if (NT_SUCCESS(status)) {
        delete_value(query, entry, value);
    }
    return status;
}

/* How long a default is that does not say so: to its NUL, or to both. */
static size_t default_bytes(
    const struct table_query *query, ULONG type, const WCHAR *text)
{
    uintptr_t start = (uintptr_t)text, at = start;
    size_t length;

    do {
        length = copy_text_length(
            query->kernel, routine, (const void *)at, sizeof(WCHAR), SIZE_MAX);
        at += (length + 1) * sizeof(WCHAR);
    } while (type == REG_MULTI_SZ && length > 0);
    return at - start;
}

static NTSTATUS give_default(
    const struct table_query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    struct query_data data = {.type = entry->DefaultType & TYPE_MASK,
        .size = entry->DefaultLength,
        .given = entry->DefaultData};
    bool text = data.type == REG_SZ || data.type == REG_EXPAND_SZ ||
                data.type == REG_MULTI_SZ;

    if (data.type == REG_NONE) {
        return (entry->Flags & QUERY_REQUIRED) != 0
                   ? STATUS_OBJECT_NAME_NOT_FOUND
                   : STATUS_SUCCESS;
    }
    if (text && data.size == 0) {
        data.size = default_bytes(query, data.type, entry->DefaultData);
    }
    return give(query, entry, NULL, &data);
}

static NTSTATUS query_value(
    const struct table_query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    struct kernel *kernel = query->kernel;
    WCHAR *unit = key_path_of(kernel)->unit;
    struct registry_name name = {.unit = unit};
    struct registry_value *value;

    name.length = copy_text_length(
        kernel, routine, entry->Name, sizeof(WCHAR), REGISTRY_VALUE_UNITS + 1);
    if (name.length > REGISTRY_VALUE_UNITS) {
        return STATUS_INVALID_PARAMETER;
    }
    copy_in(kernel, routine, unit, entry->Name, name.length * sizeof(WCHAR));
    value = query->key == NULL ? NULL : registry_find_value(query->key, &name);
    return value == NULL ? give_default(query, entry)
                         : give_stored(query, entry, NULL, value);
}

/* As many as there are now, whatever the routine makes of them. */
static NTSTATUS query_all(
    const struct table_query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    struct registry_value *value;
    NTSTATUS status = STATUS_SUCCESS;
    size_t count = 0, n = 0;

    while (
        query->key != NULL && registry_nth_value(query->key, count) != NULL) {
        count++;
    }
    if (count == 0 && (entry->Flags & QUERY_REQUIRED) != 0) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    for (; count > 0 && NT_SUCCESS(status); count--) {
        value = registry_nth_value(query->key, n);
        if (value == NULL) {
            break;
        }
        status = give_stored(query, entry, &value->name, value);
        n += registry_nth_value(query->key, n) == value;
    }
    return status;
}

/* Entries from here on are about this key, or none if it is not there. */
static NTSTATUS enter_subkey(
    struct table_query *query, const RTL_QUERY_REGISTRY_TABLE *entry)
{
    struct key_path *path;
    NTSTATUS status = STATUS_OBJECT_NAME_NOT_FOUND;

    if (entry->Name == NULL) {
        return STATUS_INVALID_PARAMETER;
    }
    if (query->top != NULL) {
        status = key_path_read_below(
            query->kernel, routine, query->top, entry->Name, &path);
    }
    query->key = NT_SUCCESS(status) ? path->key : NULL;
    return query->key == NULL && (entry->Flags & QUERY_REQUIRED) != 0
               ? STATUS_OBJECT_NAME_NOT_FOUND
               : STATUS_SUCCESS;
}

static NTSTATUS query_entry(
    struct table_query *query, RTL_QUERY_REGISTRY_TABLE *entry)
{
    static const struct query_data none = {.type = REG_NONE, .stored = ""};
    ULONG flags = entry->Flags;
    NTSTATUS status = STATUS_SUCCESS;

    if ((flags & (QUERY_SUBKEY | QUERY_TOPKEY)) != 0) {
        query->key = query->top;
    }
    if ((flags & QUERY_SUBKEY) != 0) {
        status = enter_subkey(query, entry);
        entry->Name = NULL; /* it names no value */
        flags &= ~(ULONG)QUERY_DIRECT;
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (query->key != NULL && query->key->deleted) {
        return STATUS_KEY_DELETED;
    }
    if ((flags & QUERY_DIRECT) != 0) {
        return entry->QueryRoutine != NULL ? STATUS_INVALID_PARAMETER
                                           : query_value(query, entry);
    }
    if (entry->QueryRoutine == NULL) {
        return (flags & (QUERY_SUBKEY | QUERY_TOPKEY)) != 0
                   ? STATUS_SUCCESS
                   : STATUS_INVALID_PARAMETER;
    }
    if (entry->Name != NULL) {
        return query_value(query, entry);
    }
    return (flags & QUERY_NOVALUE) != 0
               ? query_report(query, entry, NULL, &none)
               : query_all(query, entry);
}

NTSTATUS RtlQueryRegistryValues_body(ULONG RelativeTo, PCWSTR Path,
    PRTL_QUERY_REGISTRY_TABLE QueryTable, PVOID Context, PVOID Environment)
{
    struct table_query query = {.kernel = kernel_current(),
        .context = Context,
        .environment = Environment};
    struct relative_key top;
    NTSTATUS status = relative_key_find_there(
        query.kernel, routine, RelativeTo, Path, KEY_QUERY_VALUE, &top);

    query.top = NT_SUCCESS(status) ? top.key : NULL;
    query.access = NT_SUCCESS(status) ? top.access : 0;
    if (status == STATUS_OBJECT_NAME_NOT_FOUND &&
        (RelativeTo & RELATIVE_OPTIONAL) != 0) {
        status = STATUS_SUCCESS;
        if (ruling_is(query.kernel, RULED_REG_10g_nothing)) {
            return status;
        }
    }
    query.key = query.top;
    for (; NT_SUCCESS(status); QueryTable++) {
        RTL_QUERY_REGISTRY_TABLE entry;

        copy_in(query.kernel, routine, &entry, QueryTable, sizeof(entry));
        if (entry.QueryRoutine == NULL && entry.Name == NULL) {
            return STATUS_SUCCESS;
        }
        status = query_entry(&query, &entry);
    }
    return status;
}
