/* callback.c - a provider's PCW_CALLBACK called: its arguments in guest memory
 * of the query's, and what may not happen while it runs. */
#include "api/pcw/callback.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/trace_events.h"
#include "api/ke/code.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/driver_call.h"
#include "api/ke/object_wait.h"
#include "api/pcw/pcw.h"
#include "api/pcw/refusal.h"
#include "sim/machine/strand.h"

/* What lies where in the guest's memory. */
enum {
    INFO_AT = 0,
    MASK_AT = 64,
    EVENT_AT = 80,
    EVENT_END = 112, /* the wildcard's text lies behind, at the very end */
    ALIGNMENT = 16,
    EVENT_LIST = 8, /* DISPATCHER_HEADER.WaitListHead */
    EVENT_SIZE = 2, /* DISPATCHER_HEADER.Size */
    EVENT_LONGS = 6,
};

static uint64_t address_in(const struct pcw_query *query, size_t at)
{
    return (uint64_t)(uintptr_t)(query->guest + at);
}

static void poison(
    struct pcw_query *query, size_t at, size_t end, uint64_t with)
{
    for (; at < end; at += sizeof(with)) {
        nt_store(query->guest + at, sizeof(with), with);
    }
}

static size_t mask_bytes(const struct pcw_query *query)
{
    return query->filter.instance.length * sizeof(*query->filter.instance.at);
}

static size_t guest_bytes(const struct pcw_query *query)
{
    return (EVENT_END + mask_bytes(query) + ALIGNMENT - 1) / ALIGNMENT *
           ALIGNMENT;
}

/* InstanceMask, before every callback: another driver's may have written over
 * it. */
static void write_mask(struct pcw_query *query)
{
    USHORT bytes = (USHORT)mask_bytes(query);
    UNICODE_STRING string = {.Length = bytes,
        .MaximumLength = bytes,
        .Buffer = query->guest + guest_bytes(query) - bytes};

    memcpy(query->guest + MASK_AT, &string, sizeof(string));
    memcpy(string.Buffer, query->filter.instance.at, bytes);
}

/* What the callback is told, and nothing else. */
static void inform(struct pcw_query *query, const void *info, size_t size)
{
    assert(size <= MASK_AT - INFO_AT);
    poison(query, INFO_AT, MASK_AT, PCW_POISON);
    memcpy(query->guest + INFO_AT, info, size);
    write_mask(query);
}

/* What was told is gone, and so is what it points to. */
static void forget(struct pcw_query *query)
{
    poison(query, INFO_AT, EVENT_AT, PCW_POISON_GONE);
    poison(query, EVENT_END, guest_bytes(query), PCW_POISON_GONE);
}

/* An event that nobody has signalled (PCW-TYPE-08). */
static void reset_event(struct pcw_query *query)
{
    uint64_t list = address_in(query, EVENT_AT + EVENT_LIST);

    memset(query->guest + EVENT_AT, 0, EVENT_END - EVENT_AT);
    query->guest[EVENT_AT + EVENT_SIZE] = EVENT_LONGS;
    nt_store(query->guest + EVENT_AT + EVENT_LIST, sizeof(list), list);
    nt_store(query->guest + EVENT_AT + EVENT_LIST + sizeof(list), sizeof(list),
        list);
}

bool pcw_callback_prepare(struct kernel *kernel, struct pcw_query *query)
{
    assert(query->guest == NULL);
    assert(mask_bytes(query) <= UINT16_MAX);
    query->guest =
        memory_alloc(&kernel->machine->memory, guest_bytes(query), 0);
    if (query->guest == NULL) {
        return false;
    }
    forget(query);
    reset_event(query);
    dispatch_object_make_opaque(
        kernel, address_in(query, EVENT_AT), DISPATCH_NOTIFICATION_EVENT);
    return true;
}

static struct dispatch_object *cancel_event(
    struct kernel *kernel, const struct pcw_query *query)
{
    return dispatch_object_find(kernel, address_in(query, EVENT_AT));
}

void pcw_callback_forget(struct kernel *kernel, struct pcw_query *query)
{
    struct cpu *cpu = strand_current(kernel->machine) == NULL
                          ? machine_cpu(kernel->machine, 0)
                          : kernel_cpu(kernel);

    dispatch_object_free(
        kernel, cpu, ROUTINE_COUNT, cancel_event(kernel, query));
}

void pcw_callback_signal(struct kernel *kernel, struct pcw_query *query)
{
    struct dispatch_object *event = cancel_event(kernel, query);

    dispatch_object_set(kernel, event, 1);
    object_signal(kernel, event);
}

static void trace_call(struct kernel *kernel,
    const struct pcw_registration *registration, PCW_CALLBACK_TYPE type)
{
    struct trace *trace = &kernel->machine->trace;

    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_PCW_CALLBACK],
        registration->number,
        trace_text(trace, nt_enumerator_name(NT_PCW_CALLBACK_TYPE, type)));
}

/* A callback that runs; it lies on the stack of its strand. */
struct pcw_call {
    const struct pcw_registration *registration;
    PCW_CALLBACK_TYPE type;
    const struct strand *strand;
    struct pcw_call *outer;
};

/* Of those that a strand has begun the newest ends first. */
static bool call_check(const struct pcw_call *call, const struct pcw *pcw)
{
    assert(call->registration->users > 0); /* it was entered */
    assert(call->type <= PcwCallbackCollectData);
    for (const struct pcw_call *newer = pcw->calls; newer != call;
         newer = newer->outer) {
        assert(newer != NULL && newer->strand != call->strand);
    }
    return true;
}

/* Callbacks end in any order: they run on several processors. */
static void end_call(struct pcw *pcw, struct pcw_call *call)
{
    struct pcw_call **link = &pcw->calls;

    assert(call_check(call, pcw));
    while (*link != call) {
        link = &(*link)->outer;
    }
    *link = call->outer;
}

/* Its status is informational (PCW-CB-02). */
static void call_provider(struct kernel *kernel, struct pcw_query *query,
    struct pcw_registration *registration, PCW_CALLBACK_TYPE type)
{
    const struct pcw_description *description = &registration->description;
    const uint64_t argument[CODE_ARGUMENTS] = {
        type, address_in(query, INFO_AT), description->context};
    const struct driver_target target = {
        .driver = registration->owner,
        .address = description->callback,
        .routine = "PCW_CALLBACK",
        .irql_rule = RULE_PCW_CALLBACK_IRQL,
        .interrupts_rule = RULE_PCW_CALLBACK_INTERRUPTS,
    };
    struct pcw_call call = {registration, type, strand_current(kernel->machine),
        kernel->pcw->calls};
    size_t refusals = pcw_refusals_count(kernel);
    uint64_t status;

    assert(query->guest != NULL && description->callback != 0);
    trace_call(kernel, registration, type);
    kernel->pcw->calls = &call;
    assert(call_check(&call, kernel->pcw));
    status = driver_call(kernel, &target, argument);
    assert(strand_current(kernel->machine) == call.strand);
    end_call(kernel->pcw, &call);
    driver_call_trace(kernel, &target, (NTSTATUS)(uint32_t)status);
    if (!NT_SUCCESS((NTSTATUS)(uint32_t)status)) {
        query->failure = (uint32_t)status;
    } else {
        pcw_refusals_hide(kernel, refusals, target.routine, description->name);
    }
    forget(query);
}

/* The innermost one of the running strand; NULL: there is none. */
static const struct pcw_call *innermost(
    struct kernel *kernel, const struct pcw_registration *registration)
{
    const struct strand *strand = strand_current(kernel->machine);
    const struct pcw_call *call = kernel->pcw->calls;

    while (call != NULL &&
           ((registration != NULL && call->registration != registration) ||
               call->strand != strand)) {
        call = call->outer;
    }
    return call;
}

bool pcw_runs_callback_of(
    struct kernel *kernel, const struct pcw_registration *registration)
{
    return innermost(kernel, registration) != NULL;
}

/* PcwUnregister lets no new callback in (PCW-UNR-03 [C]). */
static bool has_callback(const struct pcw_registration *registration)
{
    return registration->description.callback != 0 && !registration->closing;
}

void pcw_callback_notify(struct kernel *kernel, struct pcw_query *query,
    struct pcw_registration *registration, PCW_CALLBACK_TYPE type)
{
    PCW_COUNTER_INFORMATION info = {.CounterMask = query->filter.counters,
        .InstanceMask = query->guest + MASK_AT};

    assert(type == PcwCallbackAddCounter || type == PcwCallbackRemoveCounter);
    if (!has_callback(registration)) {
        return;
    }
    inform(query, &info, sizeof(info));
    pcw_registration_enter(registration);
    call_provider(kernel, query, registration, type);
    pcw_registration_leave(kernel, registration);
}

static void report_renamed(struct kernel *kernel,
    const struct pcw_registration *registration,
    const struct pcw_renamed *renamed)
{
    char subject[RULE_SUBJECT_BYTES], before[PCW_SHOWN_BYTES],
        after[PCW_SHOWN_BYTES];

    pcw_text_shown(renamed->before, before, sizeof(before));
    pcw_text_shown(renamed->after, after, sizeof(after));
    snprintf(subject, sizeof(subject), "'%s' is '%s' now, id %" PRIu32, before,
        after, renamed->id);
    rule_warn_of(kernel, kernel_cpu(kernel), RULE_PCW_INSTANCE_RENAMED,
        ROUTINE_PcwAddInstance, registration->place, subject);
}

static void report_renumbered(struct kernel *kernel,
    const struct pcw_registration *registration,
    const struct pcw_renumbered *renumbered)
{
    char subject[RULE_SUBJECT_BYTES], name[PCW_SHOWN_BYTES];

    pcw_text_shown(renumbered->name, name, sizeof(name));
    snprintf(subject, sizeof(subject),
        "'%s' has id %" PRIu32 " now, and had %" PRIu32, name,
        renumbered->after, renumbered->before);
    rule_warn_of(kernel, kernel_cpu(kernel), RULE_PCW_INSTANCE_OTHER_ID,
        ROUTINE_PcwAddInstance, registration->place, subject);
}

/* What the names now are compared with; NULL: nothing. A provider that lists
 * others than it collects has not renamed them each time. A survey compares
 * lists and collections itself. */
static const struct pcw_names *names_before(const struct pcw_request *request,
    const struct pcw_registration *registration, const struct pcw_names *now)
{
    struct pcw_names *const *names = registration->names;
    const struct pcw_names *last = names[registration->named_last];
    const struct pcw_names *same =
        names[request->collects ? PCW_COLLECTION : PCW_ENUMERATION];
    struct pcw_renamed renamed;
    struct pcw_renumbered renumbered;

    if (!pcw_names_changed(last, now, &renamed) &&
        !pcw_names_renumbered(last, now, &renumbered)) {
        return last;
    }
    return same != NULL || request->query->surveys ? same : last;
}

/* A logical instance keeps its name and its id: whoever sees all of them can
 * tell (PCW-ADD-03a, PCW-ADD-04a). */
static void check_names(
    struct pcw_request *request, const struct pcw_buffer *buffer)
{
    struct pcw_registration *registration = buffer->registration;
    enum pcw_named_in in = request->collects ? PCW_COLLECTION : PCW_ENUMERATION;
    const struct pcw_names *before;
    struct pcw_names *now;
    struct pcw_renamed renamed;
    struct pcw_renumbered renumbered;

    assert(pcw_buffer_check(buffer, request->kernel->pcw));
    if (request->cancelled) {
        return;
    }
    now = pcw_names_new(buffer->named, buffer->named_count);
    before = names_before(request, registration, now);
    if (pcw_names_changed(before, now, &renamed)) {
        report_renamed(request->kernel, registration, &renamed);
    }
    if (pcw_names_renumbered(before, now, &renumbered)) {
        report_renumbered(request->kernel, registration, &renumbered);
    }
    pcw_names_free(registration->names[in]);
    registration->names[in] = now;
    registration->named_last = in;
}

/* Whether the callback would show all of its instances. */
static bool asks_for_all(const struct pcw_filter *filter)
{
    return filter->multiple && filter->id == PCW_ANY_INSTANCE_ID &&
           filter->instance.length == 1 && filter->instance.at[0] == '*';
}

void pcw_callback_request(
    struct pcw_request *request, struct pcw_registration *registration)
{
    struct pcw_query *query = request->query;
    PCW_MASK_INFORMATION info = {
        .CounterMask = request->filter->counters,
        .InstanceMask = query->guest + MASK_AT,
        .InstanceId = request->filter->id,
        .CollectMultiple = request->filter->multiple,
        .CancelEvent = query->guest + EVENT_AT,
    };
    struct pcw_buffer *buffer;

    assert(!request->cancelled && registration->users > 0);
    if (!has_callback(registration)) {
        return;
    }
    buffer = pcw_buffer_open(request, registration);
    info.Buffer = (PPCW_BUFFER)(uintptr_t)buffer->handle;
    inform(query, &info, sizeof(info));
    reset_event(query);
    cancel_event(request->kernel, query)->state = 0;
    call_provider(request->kernel, query, registration,
        request->collects ? PcwCallbackCollectData
                          : PcwCallbackEnumerateInstances);
    if (asks_for_all(request->filter)) {
        check_names(request, buffer);
    }
    pcw_buffer_close(buffer);
}

/* AddCounter and RemoveCounter may be nested in a collection, and change what
 * they like. */
static bool collects(const struct pcw_call *call)
{
    return call != NULL && (call->type == PcwCallbackCollectData ||
                               call->type == PcwCallbackEnumerateInstances);
}

static void changed(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    if (kernel->pcw->calls != NULL && collects(innermost(kernel, NULL))) {
        rule_warn(kernel, cpu, RULE_PCW_CALLBACK_CHANGES, routine);
    }
}

const struct gate_observer pcw_callback_observer = {changed};
