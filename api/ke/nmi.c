/* nmi.c - KeRegisterNmiCallback and KeDeregisterNmiCallback, and nonmaskable
 * interrupts: every callback is called, the newest first (NMI-01). */
#include "api/ke/nmi.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/code.h"
#include "api/ke/irql.h"
#include "sim/machine/strand.h"

/* Handles look like pointers to kernel memory that nobody can touch, and none
 * is used twice. */
#define HANDLE_BASE UINT64_C(0xFFFFEA0400000000)
#define HANDLE_STEP UINT64_C(0x40)

struct nmi_callback_entry {
    uint64_t handle;
    uint64_t routine;
    uint64_t context;
    const struct driver *owner;
    uint64_t place;   /* of the call that registered it; 0: unknown */
    uint32_t step;    /* of the actor's that did (struct thread) */
    uint32_t running; /* now, on as many processors */
    bool reported;    /* as left behind */
    bool removed;     /* who is on the way past it calls it no more */
    struct nmi_callback_entry *older;
};

/* A record that was removed is used again when nobody is on the way past it. */
static struct nmi_callback_entry *new_entry(struct kernel *kernel)
{
    const size_t size = sizeof(struct nmi_callback_entry);
    const char *what = "NMI callbacks";

    return kernel->nmi->busy > 0
               ? run_needs_memory(kernel, size, what)
               : record_take(kernel, &kernel->nmi->pool, size, what);
}

PVOID KeRegisterNmiCallback_body(PNMI_CALLBACK CallbackRoutine, PVOID Context)
{
    struct kernel *kernel = kernel_current();
    struct nmi *nmi = kernel->nmi;
    struct nmi_callback_entry *entry = new_entry(kernel);

    nmi->registered++;
    *entry = (struct nmi_callback_entry){
        .handle = HANDLE_BASE + nmi->registered * HANDLE_STEP,
        .routine = (uintptr_t)CallbackRoutine,
        .context = (uintptr_t)Context,
        .owner = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .older = nmi->newest,
    };
    nmi->newest = entry;
    return (PVOID)(uintptr_t)entry->handle;
}

static bool is_quiet(void *context)
{
    return ((const struct nmi_callback_entry *)context)->running == 0;
}

/* A callback that another processor is in ends first (NMI-04 [C]). */
NTSTATUS KeDeregisterNmiCallback_body(PVOID Handle)
{
    struct kernel *kernel = kernel_current();
    struct nmi_callback_entry **link = &kernel->nmi->newest;
    struct nmi_callback_entry *entry;

    while (*link != NULL && (*link)->handle != (uintptr_t)Handle) {
        link = &(*link)->older;
    }
    entry = *link;
    if (entry == NULL) {
        return STATUS_INVALID_HANDLE;
    }
    *link = entry->older; /* who is in it finds its way on */
    entry->removed = true;
    strand_wait(kernel->machine, STRAND_SPINNING, is_quiet, entry);
    record_give(&kernel->nmi->pool, entry);
    return STATUS_SUCCESS;
}

static uint64_t call(struct kernel *kernel, struct cpu *cpu,
    struct nmi_callback_entry *entry, bool handled)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "no code"}, {.value = irql_current(kernel, cpu)}};
    const uint64_t argument[CODE_ARGUMENTS] = {entry->context, handled};
    struct processor *processor = kernel_processor(kernel, cpu);
    const struct driver *interrupted = processor->handler_of;
    struct trace *trace = &kernel->machine->trace;
    const char *name = entry->owner->name;
    uint64_t result;

    if (!code_is_at(kernel, entry->routine)) {
        rule_stop_at(kernel, cpu, RULE_CODE_NOT_CODE, ROUTINE_COUNT,
            entry->place, parameter);
    }
    cpu_trace(cpu, &api_events[API_EVENT_NMI_ENTER], trace_text(trace, name),
        handled);
    processor->handler_of = entry->owner;
    entry->running++;
    result = code_call(kernel, entry->routine, argument) & UINT8_MAX;
    assert(kernel_cpu(kernel) == cpu && entry->running > 0);
    assert(processor->handler_of == entry->owner);
    entry->running--;
    processor->handler_of = interrupted;
    cpu_trace(
        cpu, &api_events[API_EVENT_NMI_LEAVE], trace_text(trace, name), result);
    return result;
}

static bool call_all(struct kernel *kernel, struct cpu *cpu)
{
    bool handled = false;

    for (struct nmi_callback_entry *entry = kernel->nmi->newest; entry != NULL;
         entry = entry->older) {
        if (!entry->removed) {
            handled |= call(kernel, cpu, entry, handled) != 0;
        }
    }
    return handled;
}

/* An NMI that came meanwhile is taken behind this one (NMI-03 [C]). */
static void check_recursive(struct kernel *kernel, struct cpu *cpu)
{
    const struct bugcheck_parameter none[4] = {{.value = 0}};

    if (lapic_has_nmi(&cpu->lapic) &&
        ruling_is(kernel, RULED_NMI_03_recursive)) {
        rule_stop(kernel, cpu, RULE_NMI_RECURSIVE, ROUTINE_COUNT, none);
    }
}

__attribute__((noinline)) void nmi_service(
    struct kernel *kernel, struct cpu *cpu)
{
    const struct bugcheck_parameter none[4] = {{.value = 0}}; /* NMI-02 */
    struct exception_frame *hidden = exception_hide(kernel);
    struct irql_interrupted interrupted;

    irql_enter(
        kernel, cpu, irql_number(kernel, LEVEL_HIGH_LEVEL), &interrupted);
    kernel->nmi->busy++;
    if (!call_all(kernel, cpu)) {
        rule_stop(kernel, cpu, RULE_NMI_UNHANDLED, ROUTINE_COUNT, none);
    }
    check_recursive(kernel, cpu);
    assert(kernel->nmi->busy > 0);
    kernel->nmi->busy--;
    irql_leave(kernel, cpu, &interrupted);
    exception_show(kernel, hidden);
}

static void list_callbacks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct nmi_callback_entry *entry = kernel->nmi->newest;
         entry != NULL; entry = entry->older) {
        if (entry->owner == listing->driver) {
            leaks_found(
                listing, LEAK_NMI_CALLBACK, "an NMI callback", entry->step);
        }
    }
}

static void report_callbacks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct nmi_callback_entry *entry = kernel->nmi->newest; entry != NULL;
         entry = entry->older) {
        if (entry->owner == driver && leaks_is_news(&entry->reported)) {
            rule_warn_at(kernel, cpu, RULE_LEAK_NMI_CALLBACK, ROUTINE_COUNT,
                entry->place);
        }
    }
}

const struct leak_source nmi_leaks = {
    LEAK_NMI_CALLBACK, list_callbacks, report_callbacks, NULL};
