/* query_report.c - RtlQueryRegistryValues calls a driver's QueryRoutine, which
 * gets copies of a value's name and data, or of each string of a list. */
#include "api/cm/query_table.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/ke/driver_call.h"
#include "api/mm/block.h"
#include "api/mm/copy.h"

/* A value on its way to a routine. */
struct report {
    const struct table_query *query;
    const RTL_QUERY_REGISTRY_TABLE *entry;
    WCHAR *own_name; /* guest memory; NULL: the entry has it */
    uint8_t *bytes;  /* the same; NULL: there are none */
};

static NTSTATUS call(
    const struct report *report, ULONG type, const uint8_t *data, size_t size)
{
    const struct table_query *query = report->query;
    struct kernel *kernel = query->kernel;
    const struct driver_target target = {
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .routine = "QueryRoutine",
        .address = (uintptr_t)report->entry->QueryRoutine,
        .irql_rule = RULE_REGISTRY_IRQL,
        .interrupts_rule = RULE_IO_DISPATCH_INTERRUPTS};
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uintptr_t)(report->own_name != NULL ? report->own_name
                                             : report->entry->Name),
        type, (uintptr_t)data, size, (uintptr_t)query->context,
        (uintptr_t)report->entry->EntryContext};
    NTSTATUS status =
        (NTSTATUS)(uint32_t)driver_call(kernel, &target, argument);

    driver_call_trace(kernel, &target, status);
    return status == STATUS_BUFFER_TOO_SMALL ? STATUS_SUCCESS : status;
}

/* An empty string ends a list, or what is there does. */
static NTSTATUS call_each(const struct report *report, size_t size)
{
    const uint8_t *at = report->bytes, *end = at + size;
    NTSTATUS status = STATUS_SUCCESS;

    while (NT_SUCCESS(status) && end - at >= (ptrdiff_t)sizeof(WCHAR) &&
           (at[0] != 0 || at[1] != 0)) {
        const uint8_t *next = at;

        while (next[0] != 0 || next[1] != 0) { /* as behind the end */
            next += sizeof(WCHAR);
        }
        next += sizeof(WCHAR);
        status = call(report, REG_SZ, at, (size_t)(next - at));
        at = next;
    }
    return status;
}

/* The routine may have left something in them. */
static void forget(const struct report *report)
{
    const enum routine routine = ROUTINE_RtlQueryRegistryValues;
    struct kernel *kernel = report->query->kernel;

    if (report->own_name != NULL) {
        block_free_at(kernel, routine, report->own_name);
    }
    if (report->bytes != NULL) {
        block_free_at(kernel, routine, report->bytes);
    }
}

/* Copies for the routine, with a NUL behind each. False: there is no room. */
static bool copy(struct report *report, const struct registry_name *name,
    const struct query_data *data)
{
    struct kernel *kernel = report->query->kernel;
    struct memory *memory = &kernel->machine->memory;

    if (name != NULL) {
        size_t bytes = name->length * sizeof(WCHAR);

        report->own_name = memory_alloc(memory, bytes + sizeof(WCHAR), 0);
        if (report->own_name == NULL) {
            return false;
        }
        memcpy(report->own_name, name->unit, bytes);
    }
    if (data->type == REG_NONE && data->size == 0) {
        return true;
    }
    report->bytes =
        memory_alloc(memory, data->size + sizeof(WCHAR) + data->size % 2, 0);
    if (report->bytes == NULL) {
        return false;
    }
    if (data->stored != NULL) {
        memcpy(report->bytes, data->stored, data->size);
    } else {
        copy_move(kernel, ROUTINE_RtlQueryRegistryValues, report->bytes,
            data->given, data->size);
    }
    return true;
}

NTSTATUS query_report(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct registry_name *name,
    const struct query_data *data)
{
    struct report report = {.query = query, .entry = entry};
    NTSTATUS status = STATUS_NO_MEMORY;

    assert((entry->Flags & QUERY_DIRECT) == 0);
    if (data->stored == NULL) {
        copy_probe(query->kernel, ROUTINE_RtlQueryRegistryValues, data->given,
            data->size, false);
    }
    if (copy(&report, name, data)) {
        status =
            data->type == REG_MULTI_SZ && (entry->Flags & QUERY_NOEXPAND) == 0
                ? call_each(&report, data->size)
                : call(&report, data->type, report.bytes, data->size);
    }
    forget(&report);
    return status;
}
