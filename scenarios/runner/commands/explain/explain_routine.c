/* explain_routine.c - explains the kernel's routines, and callbacks of drivers.
 */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/irql_dispute.h"
#include "api/core/routine.h"
#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/language/callback.h"

const char *name_routine(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < ROUTINE_COUNT ? routine_rows[n].name : NULL;
}

static char *prototype(const struct explain *explain, size_t n)
{
    const struct routine_row *row = &routine_rows[n];
    size_t count = routine_parameter_count(row);
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = 0; i < count; i++) {
        const struct parameter *parameter = &row->parameter[i];
        char *one = parameter->direction == PARAMETER_VARIADIC
                        ? talloc_strdup(explain->context, "...")
                        : talloc_asprintf(explain->context, "%s %s",
                              parameter->type_name, parameter->name);

        list = explain_append(list, one);
    }
    return talloc_asprintf(explain->context, "%s %s(%s)",
        nt_type_row(row->returns)->name, row->name, count == 0 ? "VOID" : list);
}

const char *line_routine(const struct explain *explain, size_t n)
{
    return prototype(explain, n);
}

static const char *direction_in_words(const struct parameter *parameter)
{
    switch (parameter->direction) {
    case PARAMETER_VALUE:
        return "a value";
    case PARAMETER_IN:
        return "input";
    case PARAMETER_IN_OPT:
        return "input, may be null";
    case PARAMETER_OUT:
        return "output";
    case PARAMETER_OUT_OPT:
        return "output, may be null";
    case PARAMETER_VARIADIC:
        return "the rest of the arguments";
    }
    return "";
}

static void show_parameters(
    const struct explain *explain, const struct routine_row *row)
{
    const char *label = "parameters";

    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        const struct parameter *parameter = &row->parameter[i];
        bool array = strcmp(parameter->count, "one") != 0;

        explain_field(explain, label, "%s: %s%s%s%s%s", parameter->name,
            direction_in_words(parameter),
            parameter_is_pointer(parameter) ? ", " : "",
            parameter_is_pointer(parameter) ? nt_type_row(parameter->type)->name
                                            : "",
            array ? ", as many as " : "", array ? parameter->count : "");
        label = "";
    }
}

static const char *image_in_words(enum routine_image image)
{
    switch (image) {
    case IMAGE_HAL:
        return "hal.dll";
    case IMAGE_NTOSKRNL:
        return "ntoskrnl.exe";
    case IMAGE_KERNEL32:
        return "kernel32.dll, for programs";
    case IMAGE_DISPATCH:
        return "none: HalDispatchTable leads to it";
    case IMAGE_INLINE:
        return "none: the WDK compiles it into drivers";
    }
    assert(false && "unknown image");
    return NULL;
}

static const char *needs_in_words(enum routine_needs needs)
{
    switch (needs) {
    case NEEDS_NOTHING:
    case NEEDS_LIBC:
        return "actors and drivers";
    case NEEDS_PMU:
        return "actors and drivers, where there is a PMU: x86 and x64";
    case NEEDS_NATIVE:
    case NEEDS_LIBC_NATIVE:
        return "drivers that are machine code, no actor";
    case NEEDS_CRT:
        return "what the compiler makes of a driver's code, no actor";
    }
    return "";
}

/* The statuses of a routine that returns one. */
static void explain_statuses(
    const struct explain *explain, const struct routine_row *row)
{
    char *list = talloc_strdup(explain->context, "STATUS_SUCCESS");

    if (row->returns != NT_NTSTATUS) {
        return;
    }
    for (const NTSTATUS *failure = row->failures; *failure != NO_FAILURE;
         failure++) {
        list = talloc_asprintf_append(list, ", %s",
            *failure == ANY_FAILURE ? "what it was given"
                                    : nt_status_name((uint32_t)*failure));
    }
    explain_field(explain, "returns", "%s", list);
}

static const char *range_text(
    const struct explain *explain, const struct irql_range *range)
{
    return range->lowest == range->highest
               ? irql_level_spelling(range->lowest)
               : talloc_asprintf(explain->context, "%s to %s",
                     irql_level_spelling(range->lowest),
                     irql_level_spelling(range->highest));
}

static void show_levels(const struct explain *explain, enum routine routine)
{
    const struct routine_row *row = &routine_rows[routine];
    const struct irql_dispute *dispute = irql_dispute_find(routine);

    if (dispute == NULL) {
        explain_field(explain, "irql", "%s",
            range_text(
                explain, &(struct irql_range){row->lowest, row->highest}));
        return;
    }
    explain_field(explain, "irql", "%s by its page, %s by its header",
        range_text(explain, &dispute->page),
        range_text(explain, &dispute->header));
}

void show_routine(const struct explain *explain, size_t n)
{
    const struct routine_row *row = &routine_rows[n];

    explain_field(explain, "prototype", "%s", prototype(explain, n));
    show_parameters(explain, row);
    explain_statuses(explain, row);
    show_levels(explain, (enum routine)n);
    explain_field(explain, "called by", "%s", needs_in_words(row->needs));
    explain_field(explain, "exported by", "%s, from %s on",
        image_in_words(row->image), os_rows[row->since].name);
    explain_field(explain, "header", "%s", row->header);
    explain_field(explain, "costs", "%u cycle%s, %u instruction%s",
        (unsigned)row->cycles, row->cycles == 1 ? "" : "s",
        (unsigned)row->instructions, row->instructions == 1 ? "" : "s");
    explain_requirements(explain, "requirements", row->requirements);
    explain_mentioned(explain, row->name);
}

const char *name_callback(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < CALLBACK_TYPE_COUNT ? callback_rows[n].name : NULL;
}

const char *line_callback(const struct explain *explain, size_t n)
{
    const struct callback_row *row = &callback_rows[n];
    char *list = talloc_strdup(explain->context, "");

    for (size_t i = 0;
         i < CALLBACK_PARAMETERS && row->parameter[i].name != NULL; i++) {
        const struct callback_parameter *parameter = &row->parameter[i];
        bool plain = parameter->pointee == NT_VOID;
        enum nt_type type = plain ? parameter->type : parameter->pointee;

        list = explain_append(
            list, talloc_asprintf(explain->context, "%s%s %s", plain ? "" : "P",
                      nt_type_row(type)->name, parameter->name));
    }
    return talloc_asprintf(
        explain->context, "%s (%s)", nt_type_row(row->returns)->name, list);
}

void show_callback(const struct explain *explain, size_t n)
{
    const struct callback_row *row = &callback_rows[n];

    explain_field(explain, "prototype", "%s", line_callback(explain, n));
    for (size_t i = 0;
         i < CALLBACK_PARAMETERS && row->parameter[i].name != NULL; i++) {
        explain_field(explain, i == 0 ? "variables" : "", "$%s%s in its steps",
            row->parameter[i].name,
            row->parameter[i].pointee == NT_VOID ? "" : ".Member");
    }
    explain_field(explain, "written",
        "callbacks: {name: {type: %s, do: [steps]}}", row->name);
    explain_mentioned(explain, row->name);
}
