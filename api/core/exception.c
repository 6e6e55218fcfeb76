/* exception.c - exceptions that a routine or instruction raises at its caller:
 * the frames that catch, and the end of the machine when none does. */
#include "api/core/exception.h"

#include <assert.h>
#include <string.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"

static struct exception_frame *innermost(struct kernel *kernel)
{
    return thread_current(kernel)->frames;
}

static void set_innermost(struct kernel *kernel, struct exception_frame *frame)
{
    thread_current(kernel)->frames = frame;
}

void exception_push(struct kernel *kernel, struct exception_frame *frame)
{
    assert(frame != innermost(kernel)); /* the list would end in a circle */
    frame->outer = innermost(kernel);
    frame->way_out = thread_current(kernel)->way_out;
    set_innermost(kernel, frame);
}

void exception_pop(struct kernel *kernel, struct exception_frame *frame)
{
    assert(innermost(kernel) == frame);
    set_innermost(kernel, frame->outer);
}

struct exception_frame *exception_hide(struct kernel *kernel)
{
    struct exception_frame *hidden = innermost(kernel);

    set_innermost(kernel, NULL);
    return hidden;
}

void exception_show(struct kernel *kernel, struct exception_frame *hidden)
{
    assert(innermost(kernel) == NULL);
    set_innermost(kernel, hidden);
}

/* What lies at an address, for people: never the address. */
static const char *address_name(
    const struct kernel *kernel, const struct exception_record *record)
{
    const struct memory *memory = &kernel->machine->memory;
    uintptr_t at = (uintptr_t)record->address;

    if (at == 0) {
        return "NULL";
    }
    if (at > (uintptr_t)memory->base &&
        at - (uintptr_t)memory->base < memory->used * MEMORY_PAGE_BYTES) {
        return "end of a block";
    }
    return "no memory";
}

const char *exception_routine(const struct exception_record *record)
{
    return record->routine == ROUTINE_COUNT
               ? record->store.routine
               : routine_rows[record->routine].name;
}

_Noreturn void exception_stop(struct kernel *kernel,
    const struct exception_record *record,
    const struct bugcheck_parameter parameter[4])
{
    bool in_routine = exception_routine(record) != NULL;
    enum rule rule = RULE_EXCEPTION_UNHANDLED;
    struct cpu *cpu = kernel_cpu(kernel);
    char subject[RULE_SUBJECT_BYTES];

    assert(record->routine <= ROUTINE_COUNT);
    answer_store_show(&record->store, subject, sizeof(subject));
    if (in_routine && record->code == STATUS_ACCESS_VIOLATION) {
        rule = RULE_POINTER_FAULT;
    } else if (!in_routine && record->code == STATUS_PRIVILEGED_INSTRUCTION) {
        rule = RULE_MSR_FAULT;
    }
    rule_stop_of(kernel, cpu, rule, record->routine,
        thread_current(kernel)->system && !irql_is_raised(kernel, cpu)
            ? BUGCHECK_SYSTEM_THREAD_EXCEPTION_NOT_HANDLED
            : rule_rows[rule].code,
        parameter, subject);
}

_Noreturn void exception_raise(
    struct kernel *kernel, const struct exception_record *record)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct trace *trace = &kernel->machine->trace;
    struct exception_frame *frame = innermost(kernel);
    const char *routine = exception_routine(record);
    bool touched = routine != NULL && record->code == STATUS_ACCESS_VIOLATION;
    char number[NT_STATUS_DIGITS];
    const char *code = nt_status_text((uint32_t)record->code, number);
    const char *address = record->code == STATUS_ACCESS_VIOLATION
                              ? address_name(kernel, record)
                              : "none";
    /* As the code's page has it: exception code, where, and for an access
     * violation what was tried at which address. */
    const struct bugcheck_parameter parameter[4] = {
        {(uint32_t)record->code, nt_status_name((uint32_t)record->code)},
        {0, routine},
        {record->write, NULL},
        {0, touched ? address : NULL},
    };

    early_end_for_exception(kernel, record);
    assert(record->routine <= ROUTINE_COUNT);
    /* Whoever touched nothing has no address to show. */
    assert(record->address == NULL || record->code == STATUS_ACCESS_VIOLATION);
    assert(!record->write || record->code == STATUS_ACCESS_VIOLATION);
    cpu_trace(cpu, &api_events[API_EVENT_EXCEPTION], trace_text(trace, code),
        trace_text(trace, routine == NULL ? "none" : routine),
        trace_text(trace, address));
    if (frame == NULL) {
        exception_stop(kernel, record, parameter);
    }
    frame->record = *record;
    thread_current(kernel)->way_out = frame->way_out;
    if (frame->deliver != NULL) {
        frame->deliver(kernel, frame);
        assert(false && "an exception was delivered and came back");
    }
    longjmp(frame->caught, 1);
}
