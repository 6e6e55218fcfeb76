/* debug_print.c - DbgPrint, DbgPrintEx, vDbgPrintEx and RtlAssert: what a
 * driver says goes into the trace, whatever component and level it names [C]:
 * in Windows a mask decides. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/trace_events.h"
#include "api/mm/copy.h"
#include "api/rtl/format.h"

/* Every byte as \xHH, and a NUL. */
enum { ESCAPED_BYTES = 4 * FORMAT_BYTES + 1 };

/* One line of printable ASCII; the newline at the end is not worth saying. */
static void escape(const struct format_text *text, char *out)
{
    size_t length = text->length;
    size_t used = 0;

    length -= length > 0 && text->byte[length - 1] == '\n';
    for (size_t i = 0; i < length; i++) {
        char c = text->byte[i];
        char *at = out + used;
        size_t room = ESCAPED_BYTES - used;

        assert(room > 4); /* the longest, with its NUL */
        if (c == '\n' || c == '\t' || c == '\r') {
            used += (size_t)snprintf(at, room, "\\%c",
                c == '\n'   ? 'n'
                : c == '\t' ? 't'
                            : 'r');
        } else if (c == '"' || c == '\\') {
            used += (size_t)snprintf(at, room, "\\%c", c);
        } else if (c >= ' ' && c <= '~') {
            used += (size_t)snprintf(at, room, "%c", c);
        } else {
            used += (size_t)snprintf(at, room, "\\x%02X", (uint8_t)c);
        }
    }
    out[used] = '\0';
}

/* DIRQL lies below the levels that Windows has for itself. */
static bool is_above_devices(const struct kernel *kernel, uint8_t irql)
{
    return irql >= irql_number(kernel, LEVEL_PROFILE_LEVEL) ||
           irql >= irql_number(kernel, LEVEL_CLOCK_LEVEL);
}

static void check(
    struct kernel *kernel, enum routine routine, const struct format_text *text)
{
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t irql = irql_current(kernel, cpu);

    if (is_above_devices(kernel, irql)) {
        rule_warn(kernel, cpu, RULE_DBGPRINT_IRQL, routine);
    }
    if (text->unicode && irql > irql_number(kernel, LEVEL_PASSIVE_LEVEL)) {
        rule_warn(kernel, cpu, RULE_DBGPRINT_UNICODE_IRQL, routine);
    }
    if (text->unsupported) {
        rule_warn(kernel, cpu, RULE_DBGPRINT_FORMAT, routine);
    }
}

static void trace_print(struct kernel *kernel, const struct format_text *text)
{
    char escaped[ESCAPED_BYTES];

    escape(text, escaped);
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_PRINT],
        trace_text(&kernel->machine->trace, escaped));
}

static ULONG print(enum routine routine, PCSTR format, PVOID arguments)
{
    struct kernel *kernel = kernel_current();
    struct copy_text_source source = {kernel, routine};
    const struct guest_reader reader = copy_text_reader(&source);
    struct format_text text;

    format_text(&text, &reader, (uint64_t)(uintptr_t)format,
        (uint64_t)(uintptr_t)arguments);
    assert(!text.faulted); /* it would have been raised */
    check(kernel, routine, &text);
    trace_print(kernel, &text);
    return (ULONG)STATUS_SUCCESS;
}

ULONG DbgPrint_body(PCSTR Format, PVOID Arguments)
{
    return print(ROUTINE_DbgPrint, Format, Arguments);
}

ULONG DbgPrintEx_body(
    ULONG ComponentId, ULONG Level, PCSTR Format, PVOID Arguments)
{
    (void)ComponentId;
    (void)Level;
    return print(ROUTINE_DbgPrintEx, Format, Arguments);
}

ULONG vDbgPrintEx_body(
    ULONG ComponentId, ULONG Level, PCSTR Format, PVOID arglist)
{
    (void)ComponentId;
    (void)Level;
    return print(ROUTINE_vDbgPrintEx, Format, arglist);
}

static void say(struct format_text *text, const char *words)
{
    size_t room = FORMAT_BYTES - text->length;
    size_t length = strnlen(words, room);

    memcpy(text->byte + text->length, words, length);
    text->length += length;
}

/* What the driver has there, as far as there is room for it. */
static void say_text(struct format_text *text, const void *at)
{
    struct copy_text_source source = {kernel_current(), ROUTINE_RtlAssert};
    const struct guest_reader reader = copy_text_reader(&source);
    size_t length = guest_text_read(&reader, (uintptr_t)at, 1,
        text->byte + text->length, FORMAT_BYTES - text->length);

    assert(length <= FORMAT_BYTES - text->length); /* it raises, or is read */
    text->length += length;
}

/* Nobody debugs, so that the breakpoint is the driver's exception (RTL-41 [C]).
 */
VOID RtlAssert_body(PVOID VoidFailedAssertion, PVOID VoidFileName,
    ULONG LineNumber, PCSTR MutableMessage)
{
    const struct exception_record breakpoint = {
        .code = STATUS_BREAKPOINT, .routine = ROUTINE_RtlAssert};
    struct kernel *kernel = kernel_current();
    struct format_text text = {.length = 0};
    char line[sizeof(", line 4294967295")];

    snprintf(line, sizeof(line), ", line %u", LineNumber);
    say(&text, "Assertion failed: ");
    if (MutableMessage != NULL) {
        say_text(&text, MutableMessage);
        say(&text, " ");
    }
    say_text(&text, VoidFailedAssertion);
    say(&text, ", file ");
    say_text(&text, VoidFileName);
    say(&text, line);
    trace_print(kernel, &text);
    exception_raise(kernel, &breakpoint);
}
