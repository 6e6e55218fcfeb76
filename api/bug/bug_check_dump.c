/* bug_check_dump.c - bug check callbacks called: at HIGH_LEVEL, with what each
 * reason has for them, and given up where they call what they may not. */
#include "api/bug/bug_check_dump.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "api/bug/bug_check_callback.h"
#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/code.h"
#include "api/ke/irql.h"
#include "sim/memory/memory.h"

enum {
    CALLBACK_CYCLES = 1000, /* of each call [C], as the next */
    CALLBACK_INSTRUCTIONS = 600,
    HEADER_BYTES = 0x2000, /* of a dump of x64 [O] */
    BODY_BYTES = MEMORY_PAGE_BYTES,
    IN_BUFFER_BYTES = MEMORY_PAGE_BYTES, /* BUG-07 gives no numbers [C] */
    BYTES_ALLOWED = 0x10000,             /* MaximumAllowed */
    GUID_TEXT_BYTES = 40,
    ADDRESSES_VIRTUAL = 0x1,
    ADDRESSES_PHYSICAL = 0x2,
    /* And another range behind this one; as wide as Flags. */
};
#define ADDITIONAL_RANGES UINT32_C(0x80000000)

/* How a call has ended. */
enum ending { RETURNED, ABANDONED, NO_CODE, NO_RECORD };

static const char *const ending_names[] = {
    "returned", "abandoned", "no_code", "no_record"};

struct dump {
    struct kernel *kernel;
    struct cpu *cpu;
    void *buffer; /* guest memory, as long as a header; NULL: there is none */
    bool hangs;   /* a callback does not come back: no other is called */
};

/* One call. */
struct asked {
    struct bug_check_callback *callback;
    const char *type; /* of what is written; "none" */
    uint64_t argument[CODE_ARGUMENTS];
};

static const char *reason_name(KBUGCHECK_CALLBACK_REASON reason)
{
    static const char *const names[] = {
        [KbCallbackInvalid] = "none",
        [KbCallbackSecondaryDumpData] = "KbCallbackSecondaryDumpData",
        [KbCallbackDumpIo] = "KbCallbackDumpIo",
        [KbCallbackAddPages] = "KbCallbackAddPages",
        [KbCallbackRemovePages] = "KbCallbackRemovePages",
    };

    assert(names[reason] != NULL);
    return names[reason];
}

/* The next in order; behind NULL the first (BUG-06 [C]). */
static struct bug_check_callback *next_callback(const struct kernel *kernel,
    const struct bug_check_callback *callback, KBUGCHECK_CALLBACK_REASON reason)
{
    bool reverse = ruling_is(kernel, RULED_BUG_06_reverse);
    struct bug_check_callback *next = reverse
                                          ? kernel->bug_check_callbacks->last
                                          : kernel->bug_check_callbacks->first;

    if (callback != NULL) {
        next = reverse ? callback->previous : callback->next;
    }
    while (next != NULL && (next->removed || next->reason != reason)) {
        next = reverse ? next->previous : next->next;
    }
    return next;
}

/* Whether code at HIGH_LEVEL that nobody may interrupt or wait for can call it
 * (BUG-05). */
static bool may_call(const struct kernel *kernel, enum routine routine)
{
    const struct routine_row *row = &routine_rows[routine];

    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        if (row->parameter[i].direction == PARAMETER_IN &&
            (row->parameter[i].type == NT_KSPIN_LOCK ||
                row->parameter[i].type == NT_EX_SPIN_LOCK)) {
            return false;
        }
    }
    return irql_number(kernel, row->highest) == kernel->irql_high ||
           routine_has(routine, TRAIT_BUG_CHECK);
}

/* Of the processor's calls, before any other check. */
static void refuse(struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    if (routine == ROUTINE_COUNT || may_call(kernel, routine)) {
        return;
    }
    rule_warn(kernel, cpu, RULE_BUGCHECK_CALLBACK_CALLS, routine);
    assert(kernel->bug_check_callbacks->leaves != NULL);
    longjmp(*kernel->bug_check_callbacks->leaves, 1);
}

/* The callback's code; what it has left of its thread is put away where it is
 * given up. */
static enum ending run(struct kernel *kernel, const struct asked *asked)
{
    const struct thread before = *thread_current(kernel);
    jmp_buf here;

    kernel->bug_check_callbacks->leaves = &here;
    if (setjmp(here) != 0) {
        *thread_current(kernel) = before;
        kernel->bug_check_callbacks->leaves = NULL;
        return ABANDONED;
    }
    code_call(kernel, asked->callback->routine, asked->argument);
    kernel->bug_check_callbacks->leaves = NULL;
    return RETURNED;
}

/* In the driver's record of a plain one, which its own code may have removed.
 */
static void set_state(const struct bug_check_callback *callback, UCHAR state)
{
    if (callback->reason == KbCallbackInvalid && !callback->removed) {
        bug_check_callback_set_state(callback, state);
    }
}

static enum ending call_driver(struct dump *dump, const struct asked *asked)
{
    struct kernel *kernel = dump->kernel;
    struct processor *processor = kernel_processor(kernel, dump->cpu);
    const struct driver *interrupted = processor->handler_of;
    enum ending ending;

    if (!bug_check_callback_is_sound(kernel, asked->callback)) {
        return NO_RECORD;
    }
    if (!code_is_at(kernel, asked->callback->routine)) {
        return NO_CODE;
    }
    cpu_spend(dump->cpu, CALLBACK_CYCLES, CALLBACK_INSTRUCTIONS);
    cpu_checkpoint(dump->cpu);
    processor->handler_of = asked->callback->owner;
    processor->before_call = refuse;
    set_state(asked->callback, BufferStarted);
    ending = run(kernel, asked);
    set_state(asked->callback,
        ending == RETURNED ? BufferFinished : BufferIncomplete);
    assert(kernel_cpu(kernel) == dump->cpu);
    processor->before_call = NULL;
    processor->handler_of = interrupted;
    dump->hangs = ending == ABANDONED && ruling_is(kernel, RULED_BUG_08_hang);
    return ending;
}

static enum ending call(struct dump *dump, const struct asked *asked)
{
    struct trace *trace = &dump->kernel->machine->trace;
    uint64_t name = trace_text(trace, asked->callback->owner->name);
    uint64_t reason = trace_text(trace, reason_name(asked->callback->reason));
    uint64_t type = trace_text(trace, asked->type);
    enum ending ending;

    cpu_trace(dump->cpu, &api_events[API_EVENT_BUGCHECK_CALLBACK], name, reason,
        type);
    ending = call_driver(dump, asked);
    cpu_trace(dump->cpu, &api_events[API_EVENT_BUGCHECK_RETURN], name, reason,
        type, trace_text(trace, ending_names[ending]));
    return ending;
}

/* A callback with `size` bytes for its reason, which it may change. Returns
 * whether it has come back. */
static bool call_for_reason(struct dump *dump,
    struct bug_check_callback *callback, const char *type, void *data,
    size_t size)
{
    struct memory *memory = &dump->kernel->machine->memory;
    void *shown = memory_alloc(memory, size, 0);
    struct asked asked = {.callback = callback,
        .type = type,
        .argument = {
            callback->reason, callback->record, (uintptr_t)shown, size}};
    enum ending ending;

    if (shown == NULL) {
        return false;
    }
    memcpy(shown, data, size);
    ending = call(dump, &asked);
    memcpy(data, shown, size);
    memory_free(memory, shown);
    return ending == RETURNED;
}

/* One call for pages of a callback. Returns whether it asks for another. */
static bool ask_for_pages(struct dump *dump,
    struct bug_check_callback *callback, KBUGCHECK_ADD_PAGES *pages)
{
    struct trace *trace = &dump->kernel->machine->trace;
    uint32_t kinds;

    pages->Flags = 0;
    pages->BugCheckCode = (uint32_t)dump->kernel->bugcheck.code;
    pages->Address = 0;
    pages->Count = 0;
    if (!call_for_reason(dump, callback, "none", pages, sizeof(*pages))) {
        return false;
    }
    kinds = pages->Flags & (ADDRESSES_VIRTUAL | ADDRESSES_PHYSICAL);
    if (pages->Count != 0 && kinds != ADDRESSES_VIRTUAL &&
        kinds != ADDRESSES_PHYSICAL) {
        rule_warn_at(dump->kernel, dump->cpu, RULE_BUGCHECK_CALLBACK_PAGES,
            ROUTINE_COUNT, callback->place);
    } else if (pages->Count != 0) {
        cpu_trace(dump->cpu, &api_events[API_EVENT_BUGCHECK_PAGES],
            trace_text(trace, callback->owner->name),
            trace_text(trace, reason_name(callback->reason)), kinds,
            pages->Count);
    }
    return (pages->Flags & ADDITIONAL_RANGES) != 0;
}

static void collect_pages(struct dump *dump, KBUGCHECK_CALLBACK_REASON reason)
{
    struct bug_check_callback *callback = NULL;

    while (!dump->hangs &&
           (callback = next_callback(dump->kernel, callback, reason)) != NULL) {
        KBUGCHECK_ADD_PAGES pages = {.Context = NULL};
        bool more = true;

        while (more) {
            more = ask_for_pages(dump, callback, &pages);
        }
    }
}

/* A part of the dump is about to be written. */
static void tell_of_write(struct dump *dump, KBUGCHECK_DUMP_IO_TYPE type,
    void *buffer, uint32_t bytes)
{
    static const char *const types[] = {
        [KbDumpIoHeader] = "KbDumpIoHeader",
        [KbDumpIoBody] = "KbDumpIoBody",
        [KbDumpIoSecondaryData] = "KbDumpIoSecondaryData",
        [KbDumpIoComplete] = "KbDumpIoComplete",
    };
    struct bug_check_callback *callback = NULL;

    while (!dump->hangs && (callback = next_callback(dump->kernel, callback,
                                KbCallbackDumpIo)) != NULL) {
        KBUGCHECK_DUMP_IO written = {.Offset = UINT64_MAX, /* one by one */
            .Buffer = buffer,
            .BufferLength = bytes,
            .Type = type};

        call_for_reason(dump, callback, types[type], &written, sizeof(written));
    }
}

/* A callback's own data, where it has come back with some that is all right. */
static bool judge_data(struct dump *dump,
    const struct bug_check_callback *callback,
    const KBUGCHECK_SECONDARY_DUMP_DATA *data)
{
    const struct memory *memory = &dump->kernel->machine->memory;
    uint32_t bytes = data->OutBufferLength;

    if (bytes == 0) {
        return false;
    }
    if (bytes <= data->MaximumAllowed && data->OutBuffer != NULL &&
        memory_allows(memory, data->OutBuffer, bytes, MEMORY_READ) &&
        memory_is_resident(memory, data->OutBuffer, bytes)) {
        return true;
    }
    rule_warn_at(dump->kernel, dump->cpu, RULE_BUGCHECK_CALLBACK_DATA,
        ROUTINE_COUNT, callback->place);
    return false;
}

static void trace_data(struct dump *dump,
    const struct bug_check_callback *callback,
    const KBUGCHECK_SECONDARY_DUMP_DATA *data)
{
    struct trace *trace = &dump->kernel->machine->trace;
    const GUID *guid = &data->Guid;
    const UCHAR *last = guid->Data4;
    char text[GUID_TEXT_BYTES];

    snprintf(text, sizeof(text),
        "%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X",
        (unsigned)guid->Data1, guid->Data2, guid->Data3, last[0], last[1],
        last[2], last[3], last[4], last[5], last[6], last[7]);
    cpu_trace(dump->cpu, &api_events[API_EVENT_BUGCHECK_DATA],
        trace_text(trace, callback->owner->name), data->OutBufferLength,
        trace_text(trace, text));
}

/* Asked for how much there is, then for the data (BUG-07). */
static void collect_data(struct dump *dump, struct bug_check_callback *callback)
{
    KBUGCHECK_SECONDARY_DUMP_DATA data = {.InBuffer = dump->buffer,
        .InBufferLength = IN_BUFFER_BYTES,
        .MaximumAllowed = BYTES_ALLOWED};
    void *mine = dump->buffer;

    if (!call_for_reason(dump, callback, "none", &data, sizeof(data)) ||
        data.OutBufferLength == 0) {
        return;
    }
    memset(mine, 0, IN_BUFFER_BYTES);
    data.InBuffer = mine;
    data.InBufferLength = IN_BUFFER_BYTES;
    data.MaximumAllowed = BYTES_ALLOWED;
    data.OutBuffer = mine;
    if (!call_for_reason(dump, callback, "none", &data, sizeof(data))) {
        return;
    }
    data.MaximumAllowed = BYTES_ALLOWED;
    if (judge_data(dump, callback, &data)) {
        trace_data(dump, callback, &data);
        tell_of_write(
            dump, KbDumpIoSecondaryData, data.OutBuffer, data.OutBufferLength);
    }
}

static void write_dump(struct dump *dump)
{
    struct bug_check_callback *callback = NULL;

    collect_pages(dump, KbCallbackAddPages);
    collect_pages(dump, KbCallbackRemovePages);
    tell_of_write(dump, KbDumpIoHeader, dump->buffer, HEADER_BYTES);
    tell_of_write(dump, KbDumpIoBody, dump->buffer, BODY_BYTES);
    while (!dump->hangs && (callback = next_callback(dump->kernel, callback,
                                KbCallbackSecondaryDumpData)) != NULL) {
        collect_data(dump, callback);
    }
    tell_of_write(dump, KbDumpIoComplete, NULL, 0);
}

/* Behind the dump (BUG-09). */
static void call_plain(struct dump *dump)
{
    struct bug_check_callback *callback = NULL;

    while (!dump->hangs && (callback = next_callback(dump->kernel, callback,
                                KbCallbackInvalid)) != NULL) {
        const struct asked asked = {.callback = callback,
            .type = "none",
            .argument = {callback->buffer, callback->length}};

        call(dump, &asked);
    }
}

void bug_check_dump(struct kernel *kernel, struct cpu *cpu)
{
    struct dump dump = {.kernel = kernel, .cpu = cpu};
    struct irql_interrupted interrupted;

    if (kernel->bug_check_callbacks->first == NULL) {
        return;
    }
    assert(bug_check_callbacks_check(kernel->bug_check_callbacks));
    machine_freeze(kernel->machine);
    (void)exception_hide(kernel); /* nobody's to catch: there is no way back */
    irql_enter(
        kernel, cpu, irql_number(kernel, LEVEL_HIGH_LEVEL), &interrupted);
    dump.buffer = memory_alloc(&kernel->machine->memory, HEADER_BYTES, 0);
    if (dump.buffer != NULL) {
        write_dump(&dump);
    }
    call_plain(&dump);
}
