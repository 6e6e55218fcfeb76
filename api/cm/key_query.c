/* key_query.c - ZwQueryKey and ZwEnumerateKey: what a key is called, and how
 * many keys and values it has. */
#include "api/cm/key_answer.h"
#include "api/cm/open_key.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"

enum key_class {
    KEY_CLASS_BASIC,
    KEY_CLASS_NODE,
    KEY_CLASS_FULL,
    KEY_CLASS_NAME,
};

/* Of KEY_FULL_INFORMATION, which nobody gives a class. */
static void count(const struct registry_key *key, KEY_FULL_INFORMATION *full)
{
    for (const struct registry_key *sub = key->first; sub != NULL;
         sub = sub->next) {
        ULONG bytes = (ULONG)(sub->name.length * sizeof(WCHAR));

        full->SubKeys++;
        full->MaxNameLen = bytes > full->MaxNameLen ? bytes : full->MaxNameLen;
    }
    for (const struct registry_value *value = key->values; value != NULL;
         value = value->next) {
        ULONG bytes = (ULONG)(value->name.length * sizeof(WCHAR));
        ULONG size = (ULONG)value->size;

        full->Values++;
        if (bytes > full->MaxValueNameLen) {
            full->MaxValueNameLen = bytes;
        }
        if (size > full->MaxValueDataLen) {
            full->MaxValueDataLen = size;
        }
    }
}

/* The fixed part ends before the name, which comes behind it. */
static NTSTATUS answer_fixed(struct kernel *kernel,
    const struct key_answer_to *to, const struct registry_key *key,
    const void *fixed, size_t size)
{
    const struct key_answer answer = {
        .piece = {{fixed, size},
            {key->name.unit, key->name.length * sizeof(WCHAR)}},
        .least = size,
    };

    return key_answer_give(kernel, &answer, to);
}

/* The whole path of a key, from \REGISTRY on. */
static NTSTATUS answer_path(struct kernel *kernel,
    const struct key_answer_to *to, const struct registry_key *key)
{
    size_t length = 0;
    WCHAR *path = kernel->open_keys->path->unit;
    ULONG bytes;
    struct key_answer answer;

    for (const struct registry_key *k = key; k != NULL; k = k->parent) {
        length += k->name.length + 1;
    }
    bytes = (ULONG)(length * sizeof(WCHAR));
    for (const struct registry_key *k = key; k != NULL; k = k->parent) {
        length -= k->name.length;
        for (size_t i = 0; i < k->name.length; i++) {
            path[length + i] = k->name.unit[i];
        }
        path[--length] = '\\';
    }
    answer = (struct key_answer){
        .piece = {{&bytes, sizeof(bytes)}, {path, bytes}},
        .least = sizeof(bytes),
    };
    return key_answer_give(kernel, &answer, to);
}

static NTSTATUS query(struct kernel *kernel, const struct key_answer_to *to,
    const struct registry_key *key, ULONG class)
{
    ULONG name = (ULONG)(key->name.length * sizeof(WCHAR));
    LARGE_INTEGER written = {.QuadPart = (LONGLONG)key->written};
    KEY_BASIC_INFORMATION basic = {
        .LastWriteTime = written, .NameLength = name};
    KEY_NODE_INFORMATION node = {.LastWriteTime = written,
        .ClassOffset = UINT32_MAX,
        .NameLength = name};
    KEY_FULL_INFORMATION full = {
        .LastWriteTime = written, .ClassOffset = UINT32_MAX};

    switch (class) {
    case KEY_CLASS_BASIC:
        return answer_fixed(
            kernel, to, key, &basic, offsetof(KEY_BASIC_INFORMATION, Name));
    case KEY_CLASS_NODE:
        return answer_fixed(
            kernel, to, key, &node, offsetof(KEY_NODE_INFORMATION, Name));
    case KEY_CLASS_FULL:
        count(key, &full);
        return key_answer_give(kernel,
            &(struct key_answer){
                .piece = {{&full, offsetof(KEY_FULL_INFORMATION, Class)}},
                .least = offsetof(KEY_FULL_INFORMATION, Class)},
            to);
    case KEY_CLASS_NAME:
        return answer_path(kernel, to, key);
    default:
        return STATUS_INVALID_PARAMETER;
    }
}

NTSTATUS ZwQueryKey_body(HANDLE KeyHandle, ULONG KeyInformationClass,
    PVOID KeyInformation, ULONG Length, PULONG ResultLength)
{
    const struct key_answer_to to = {
        ROUTINE_ZwQueryKey, KeyInformation, Length, ResultLength};
    struct kernel *kernel = kernel_current();
    struct open_key *open;
    /* The name alone is nobody's secret (page ZwQueryKey). */
    NTSTATUS status = open_key_find(kernel, to.routine, KeyHandle,
        KeyInformationClass == KEY_CLASS_NAME ? 0 : KEY_QUERY_VALUE, &open);

    return NT_SUCCESS(status)
               ? query(kernel, &to, open->key, KeyInformationClass)
               : status;
}

NTSTATUS ZwEnumerateKey_body(HANDLE KeyHandle, ULONG Index,
    ULONG KeyInformationClass, PVOID KeyInformation, ULONG Length,
    PULONG ResultLength)
{
    const struct key_answer_to to = {
        ROUTINE_ZwEnumerateKey, KeyInformation, Length, ResultLength};
    struct kernel *kernel = kernel_current();
    const struct registry_key *sub;
    struct open_key *open;
    NTSTATUS status = open_key_find(
        kernel, to.routine, KeyHandle, KEY_ENUMERATE_SUB_KEYS, &open);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    sub = registry_nth_key(open->key, Index);
    if (sub == NULL) {
        return STATUS_NO_MORE_ENTRIES;
    }
    return KeyInformationClass == KEY_CLASS_NAME
               ? STATUS_INVALID_PARAMETER
               : query(kernel, &to, sub, KeyInformationClass);
}
