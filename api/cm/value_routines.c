/* value_routines.c - ZwSetValueKey, ZwQueryValueKey, ZwEnumerateValueKey and
 * ZwDeleteValueKey. */
#include <assert.h>

#include "api/cm/key_answer.h"
#include "api/cm/open_key.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/counted_string.h"

enum value_class {
    VALUE_CLASS_BASIC,
    VALUE_CLASS_FULL,
    VALUE_CLASS_PARTIAL,
    VALUE_CLASS_FULL_ALIGNED,
    VALUE_CLASS_PARTIAL_ALIGNED,
};

enum { ALIGNMENT = 8 };

/* No name, or one without characters, is the default value's (REG-05). The
 * characters lie where paths do. */
static NTSTATUS read_name(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *string, struct registry_name *name)
{
    WCHAR *unit = kernel->open_keys->path->unit;

    *name = (struct registry_name){unit, 0};
    if (string != NULL) {
        name->length = unicode_string_read(
            kernel, routine, string, unit, REGISTRY_VALUE_UNITS);
    }
    return name->length <= REGISTRY_VALUE_UNITS ? STATUS_SUCCESS
                                                : STATUS_INVALID_PARAMETER;
}

NTSTATUS ZwSetValueKey_body(HANDLE KeyHandle, PUNICODE_STRING ValueName,
    ULONG TitleIndex, ULONG Type, PVOID Data, ULONG DataSize)
{
    enum routine routine = ROUTINE_ZwSetValueKey;
    struct kernel *kernel = kernel_current();
    struct registry_name name;
    struct open_key *open;
    NTSTATUS status =
        open_key_find(kernel, routine, KeyHandle, KEY_SET_VALUE, &open);

    (void)TitleIndex;
    if (NT_SUCCESS(status)) {
        status = read_name(kernel, routine, ValueName, &name);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (DataSize > REGISTRY_VALUE_BYTES) {
        return STATUS_INSUFFICIENT_RESOURCES; /* REG-05b [C] */
    }
    copy_probe(kernel, routine, Data, DataSize, false);
    return registry_set_value(kernel, open->key, &name, Type, Data, DataSize)
               ? STATUS_SUCCESS
               : STATUS_INSUFFICIENT_RESOURCES;
}

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* With its name, and its data behind that at a multiple of 8 where there is
 * any. */
static NTSTATUS answer_full(struct kernel *kernel,
    const struct key_answer_to *to, const struct registry_value *value)
{
    size_t fixed = offsetof(KEY_VALUE_FULL_INFORMATION, Name);
    size_t name = value->name.length * sizeof(WCHAR);
    size_t offset = aligned(fixed + name);
    const KEY_VALUE_FULL_INFORMATION full = {.Type = value->type,
        .DataOffset = (ULONG)offset,
        .DataLength = (ULONG)value->size,
        .NameLength = (ULONG)name};
    const struct key_answer answer = {
        .piece = {{&full, fixed}, {value->name.unit, name},
            {NULL, offset - fixed - name}, {value->data, value->size}},
        .least = fixed,
    };

    return key_answer_give(kernel, &answer, to);
}

static NTSTATUS answer_partial(struct kernel *kernel,
    const struct key_answer_to *to, const struct registry_value *value)
{
    const KEY_VALUE_PARTIAL_INFORMATION partial = {
        .Type = value->type, .DataLength = (ULONG)value->size};
    size_t fixed = offsetof(KEY_VALUE_PARTIAL_INFORMATION, Data);
    const struct key_answer answer = {
        .piece = {{&partial, fixed}, {value->data, value->size}},
        .least = fixed,
    };

    return key_answer_give(kernel, &answer, to);
}

/* Without a title, so that its data is aligned as it is. */
static NTSTATUS answer_aligned(struct kernel *kernel,
    const struct key_answer_to *to, const struct registry_value *value)
{
    const ULONG fixed[] = {value->type, (ULONG)value->size};
    const struct key_answer answer = {
        .piece = {{fixed, sizeof(fixed)}, {value->data, value->size}},
        .least = sizeof(fixed),
    };

    return key_answer_give(kernel, &answer, to);
}

static NTSTATUS answer_basic(struct kernel *kernel,
    const struct key_answer_to *to, const struct registry_value *value)
{
    size_t name = value->name.length * sizeof(WCHAR);
    size_t fixed = offsetof(KEY_VALUE_BASIC_INFORMATION, Name);
    const KEY_VALUE_BASIC_INFORMATION basic = {
        .Type = value->type, .NameLength = (ULONG)name};
    const struct key_answer answer = {
        .piece = {{&basic, fixed}, {value->name.unit, name}},
        .least = fixed,
    };

    return key_answer_give(kernel, &answer, to);
}

static NTSTATUS query(struct kernel *kernel, const struct key_answer_to *to,
    const struct registry_value *value, ULONG class)
{
    switch (class) {
    case VALUE_CLASS_BASIC:
        return answer_basic(kernel, to, value);
    case VALUE_CLASS_FULL:
    case VALUE_CLASS_FULL_ALIGNED:
        return answer_full(kernel, to, value);
    case VALUE_CLASS_PARTIAL:
        return answer_partial(kernel, to, value);
    default:
        assert(class == VALUE_CLASS_PARTIAL_ALIGNED);
        return answer_aligned(kernel, to, value);
    }
}

/* Before anything is looked for. */
static NTSTATUS check_class(ULONG class, const void *buffer)
{
    if (class > VALUE_CLASS_PARTIAL_ALIGNED) {
        return STATUS_INVALID_PARAMETER;
    }
    return class >= VALUE_CLASS_FULL_ALIGNED &&
                   (uintptr_t)buffer % ALIGNMENT != 0
               ? STATUS_DATATYPE_MISALIGNMENT
               : STATUS_SUCCESS;
}

NTSTATUS ZwQueryValueKey_body(HANDLE KeyHandle, PUNICODE_STRING ValueName,
    ULONG KeyValueInformationClass, PVOID KeyValueInformation, ULONG Length,
    PULONG ResultLength)
{
    const struct key_answer_to to = {
        ROUTINE_ZwQueryValueKey, KeyValueInformation, Length, ResultLength};
    struct kernel *kernel = kernel_current();
    const struct registry_value *value;
    struct registry_name name;
    struct open_key *open;
    NTSTATUS status =
        open_key_find(kernel, to.routine, KeyHandle, KEY_QUERY_VALUE, &open);

    if (NT_SUCCESS(status)) {
        status = check_class(KeyValueInformationClass, KeyValueInformation);
    }
    if (NT_SUCCESS(status)) {
        status = read_name(kernel, to.routine, ValueName, &name);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    value = registry_find_value(open->key, &name);
    return value == NULL ? STATUS_OBJECT_NAME_NOT_FOUND
                         : query(kernel, &to, value, KeyValueInformationClass);
}

NTSTATUS ZwEnumerateValueKey_body(HANDLE KeyHandle, ULONG Index,
    ULONG KeyValueInformationClass, PVOID KeyValueInformation, ULONG Length,
    PULONG ResultLength)
{
    const struct key_answer_to to = {
        ROUTINE_ZwEnumerateValueKey, KeyValueInformation, Length, ResultLength};
    struct kernel *kernel = kernel_current();
    const struct registry_value *value;
    struct open_key *open;
    NTSTATUS status =
        open_key_find(kernel, to.routine, KeyHandle, KEY_QUERY_VALUE, &open);

    if (NT_SUCCESS(status)) {
        status = check_class(KeyValueInformationClass, KeyValueInformation);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    value = registry_nth_value(open->key, Index);
    return value == NULL ? STATUS_NO_MORE_ENTRIES
                         : query(kernel, &to, value, KeyValueInformationClass);
}

NTSTATUS ZwDeleteValueKey_body(HANDLE KeyHandle, PUNICODE_STRING ValueName)
{
    enum routine routine = ROUTINE_ZwDeleteValueKey;
    struct kernel *kernel = kernel_current();
    struct registry_value *value;
    struct registry_name name;
    struct open_key *open;
    NTSTATUS status =
        open_key_find(kernel, routine, KeyHandle, KEY_SET_VALUE, &open);

    if (NT_SUCCESS(status)) {
        status = read_name(kernel, routine, ValueName, &name);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    value = registry_find_value(open->key, &name);
    if (value == NULL) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    registry_delete_value(open->key, value);
    return STATUS_SUCCESS;
}
