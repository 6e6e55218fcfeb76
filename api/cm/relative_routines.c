/* relative_routines.c - RtlWriteRegistryValue, RtlDeleteRegistryValue,
 * RtlCreateRegistryKey and RtlCheckRegistryKey. */
#include "api/cm/relative_key.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/mm/copy.h"

/* How long the name is. It is empty for the default value.
 * STATUS_INVALID_PARAMETER: longer than a value's can be. It may raise. */
static NTSTATUS measure_name(struct kernel *kernel, enum routine routine,
    const WCHAR *text, size_t *length)
{
    *length = copy_text_length(
        kernel, routine, text, sizeof(WCHAR), REGISTRY_VALUE_UNITS + 1);
    return *length <= REGISTRY_VALUE_UNITS ? STATUS_SUCCESS
                                           : STATUS_INVALID_PARAMETER;
}

/* Its characters, which lie where paths do: the key has been found. */
static struct registry_name read_name(struct kernel *kernel,
    enum routine routine, const WCHAR *text, size_t length)
{
    WCHAR *unit = key_path_of(kernel)->unit;

    copy_in(kernel, routine, unit, text, length * sizeof(WCHAR));
    return (struct registry_name){unit, length};
}

/* Makes the key if it is not there. False: no room. */
static bool make_key(struct kernel *kernel, struct relative_key *relative)
{
    if (relative->key == NULL) {
        relative->key = registry_add_key(
            kernel, relative->path->parent, &relative->path->last);
    }
    return relative->key != NULL;
}

/* A key that was made stays where there is no room for the value
 * (REG-11e [C]). */
NTSTATUS RtlWriteRegistryValue_body(ULONG RelativeTo, PCWSTR Path,
    PCWSTR ValueName, ULONG ValueType, PVOID ValueData, ULONG ValueLength)
{
    enum routine routine = ROUTINE_RtlWriteRegistryValue;
    struct kernel *kernel = kernel_current();
    struct relative_key relative;
    struct registry_name name;
    size_t length = 0;
    NTSTATUS status = relative_key_find(
        kernel, routine, RelativeTo, Path, KEY_SET_VALUE, &relative);

    if (NT_SUCCESS(status)) {
        status = measure_name(kernel, routine, ValueName, &length);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (ValueLength > REGISTRY_VALUE_BYTES) {
        return STATUS_INSUFFICIENT_RESOURCES; /* REG-05b [C] */
    }
    copy_probe(kernel, routine, ValueData, ValueLength, false);
    if (!make_key(kernel, &relative)) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    name = read_name(kernel, routine, ValueName, length);
    return registry_set_value(
               kernel, relative.key, &name, ValueType, ValueData, ValueLength)
               ? STATUS_SUCCESS
               : STATUS_INSUFFICIENT_RESOURCES;
}

NTSTATUS RtlDeleteRegistryValue_body(
    ULONG RelativeTo, PCWSTR Path, PCWSTR ValueName)
{
    enum routine routine = ROUTINE_RtlDeleteRegistryValue;
    struct kernel *kernel = kernel_current();
    struct registry_value *value;
    struct relative_key relative;
    struct registry_name name;
    size_t length = 0;
    NTSTATUS status = relative_key_find_there(
        kernel, routine, RelativeTo, Path, KEY_SET_VALUE, &relative);

    if (NT_SUCCESS(status)) {
        status = measure_name(kernel, routine, ValueName, &length);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    name = read_name(kernel, routine, ValueName, length);
    value = registry_find_value(relative.key, &name);
    if (value == NULL) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    registry_delete_value(relative.key, value);
    return STATUS_SUCCESS;
}

NTSTATUS RtlCreateRegistryKey_body(ULONG RelativeTo, PCWSTR Path)
{
    struct kernel *kernel = kernel_current();
    struct relative_key relative;
    NTSTATUS status = relative_key_find(
        kernel, ROUTINE_RtlCreateRegistryKey, RelativeTo, Path, 0, &relative);

    if (NT_SUCCESS(status) && !make_key(kernel, &relative)) {
        status = STATUS_INSUFFICIENT_RESOURCES;
    }
    return status;
}

/* A key's handle is closed, whatever is found (REG-11d). */
NTSTATUS RtlCheckRegistryKey_body(ULONG RelativeTo, PCWSTR Path)
{
    enum routine routine = ROUTINE_RtlCheckRegistryKey;
    struct kernel *kernel = kernel_current();
    struct relative_key relative;
    NTSTATUS status = relative_key_find_there(
        kernel, routine, RelativeTo, Path, 0, &relative);

    if ((RelativeTo & RELATIVE_HANDLE) != 0 &&
        (NT_SUCCESS(status) || status == STATUS_KEY_DELETED)) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_REGISTRY_HANDLE_CHECKED, routine);
        handle_close(kernel, (HANDLE)(uintptr_t)Path);
    }
    return status;
}
