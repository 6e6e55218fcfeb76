/* query_direct.c - RtlQueryRegistryValues with RTL_QUERY_REGISTRY_DIRECT: a
 * string goes to a UNICODE_STRING, other data to a ULONG or a buffer. */
#include "api/cm/query_table.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/mm/copy.h"
#include "api/rtl/translated_string.h"

enum {
    STRING_BYTES = 0xFFFE, /* the most that a counted string can have */
};

static const enum routine routine = ROUTINE_RtlQueryRegistryValues;

void query_data_copy(const struct table_query *query,
    const struct query_data *data, void *to, size_t size)
{
    assert(size <= data->size);
    if (size == 0) {
        return;
    }
    if (data->stored != NULL) {
        copy_out(query->kernel, routine, to, data->stored, size);
    } else {
        copy_move(query->kernel, routine, to, data->given, size);
    }
}

/* The bytes of a string without its last NUL, if it has one (REG-10i [C]). */
static size_t text_bytes(
    const struct table_query *query, const struct query_data *data)
{
    size_t bytes = data->size / sizeof(WCHAR) * sizeof(WCHAR);
    uint8_t last[sizeof(WCHAR)];
    size_t before;

    if (bytes == 0) {
        return 0;
    }
    before = bytes - sizeof(last);
    if (data->stored != NULL) {
        memcpy(last, (const uint8_t *)data->stored + before, sizeof(last));
    } else {
        copy_in(query->kernel, routine, last,
            (const void *)((uintptr_t)data->given + before), sizeof(last));
    }
    return last[0] == 0 && last[1] == 0 ? bytes - sizeof(last) : bytes;
}

static NTSTATUS store_string(
    const struct table_query *query, void *at, const struct query_data *data)
{
    static const WCHAR nul = 0;
    struct kernel *kernel = query->kernel;
    size_t bytes = text_bytes(query, data);
    size_t needed = bytes + sizeof(nul);
    UNICODE_STRING to;

    copy_in(kernel, routine, &to, at, sizeof(to));
    copy_probe(kernel, routine, at, sizeof(to), true);
    if (data->stored == NULL) {
        copy_probe(kernel, routine, data->given, bytes, false);
    }
    if (needed > (to.Buffer == NULL ? STRING_BYTES : to.MaximumLength)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    if (to.Buffer == NULL) {
        to.Buffer = translated_string_buffer(kernel, routine, needed);
        to.MaximumLength = (USHORT)needed;
    } else {
        copy_probe(kernel, routine, to.Buffer, needed, true);
    }
    if (to.Buffer == NULL) {
        return STATUS_NO_MEMORY;
    }
    to.Length = (USHORT)bytes;
    query_data_copy(query, data, to.Buffer, bytes);
    copy_out(kernel, routine, (uint8_t *)to.Buffer + bytes, &nul, sizeof(nul));
    copy_out(kernel, routine, at, &to, sizeof(to));
    return STATUS_SUCCESS;
}

/* The buffer begins with its length, which is negative where it is to have the
 * data alone. */
static NTSTATUS store_large(
    const struct table_query *query, void *at, const struct query_data *data)
{
    struct kernel *kernel = query->kernel;
    const ULONG head[] = {(ULONG)data->size, data->type};
    LONG length;
    size_t before;

    copy_in(kernel, routine, &length, at, sizeof(length));
    before = length < 0 ? 0 : sizeof(head);
    if ((uint64_t)(length < 0 ? -(int64_t)length : length) <
        data->size + before) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    copy_probe(kernel, routine, at, data->size + before, true);
    query_data_copy(query, data, (uint8_t *)at + before, data->size);
    if (before != 0) {
        copy_out(kernel, routine, at, head, sizeof(head));
    }
    return STATUS_SUCCESS;
}

NTSTATUS query_direct(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct query_data *data)
{
    switch (data->type) {
    case REG_SZ:
    case REG_EXPAND_SZ:
    case REG_MULTI_SZ:
        return store_string(query, entry->EntryContext, data);
    default:
        break;
    }
    if (data->size > sizeof(ULONG)) {
        return store_large(query, entry->EntryContext, data);
    }
    query_data_copy(query, data, entry->EntryContext, data->size);
    return STATUS_SUCCESS;
}
