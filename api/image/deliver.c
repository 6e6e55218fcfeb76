/* deliver.c - an exception handed to a driver's code: records on the guest's
 * stack, the dispatcher over them, and going on behind it. */
#include "api/image/deliver.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/image/guest.h"
#include "api/image/image.h"

enum {
    RECORDS_ALIGNMENT = 64,
    EFLAGS_KEPT = 0xCD5, /* CF PF AF ZF SF DF OF */
    EFLAGS_ALWAYS = 0x202,
    MXCSR_BITS = 0xFFFF, /* FXRSTOR faults at others */
};

static bool guest_read(void *context, uint64_t address, void *to, size_t size)
{
    struct guest_frame *frame = context;
    struct kernel *kernel = frame->kernel;
    struct memory *memory = &kernel->machine->memory;
    const void *from = (const void *)(uintptr_t)address;

    assert(size > 0 && size <= MEMORY_PAGE_BYTES); /* in two pages at most */
    if (memory_allows(memory, from, size, MEMORY_READ) &&
        address + size > address) {
        if (memory_is_pageable(memory, from, size)) {
            memory_page_in(memory, from);
            memory_page_in(memory, (const uint8_t *)from + size - 1);
        }
        memcpy(to, from, size);
        return true;
    }
    if (guest_stack_holds(frame->strand, address, size)) {
        memcpy(to, from, size);
        return true;
    }
    return false;
}

static bool find_image(void *context, uint64_t address, struct seh_image *found)
{
    struct guest_frame *frame = context;
    const struct image *image = image_at(frame->kernel, address);

    if (image == NULL) {
        return false;
    }
    *found = (struct seh_image){
        .base = (uintptr_t)image->base,
        .function = image->pe.function,
        .function_count = image->pe.function_count,
        .function_address = (uintptr_t)image->base + image->pe.function_rva,
        .size = image->pe.image_size,
    };
    return true;
}

/* The call of the kernel's that the frame belongs to: frames above it run
 * handlers for it. */
static const struct guest_frame *base_of(const struct guest_frame *frame)
{
    while (frame->by_dispatcher) {
        assert(guest_frame_check(frame));
        frame = frame->outer;
    }
    return frame;
}

static bool on_stack(void *context, uint64_t sp)
{
    struct guest_frame *frame = context;

    return guest_stack_holds(frame->strand, sp, 0) &&
           sp < base_of(frame)->entry_sp;
}

static bool is_code(void *context, uint64_t address)
{
    struct guest_frame *frame = context;

    return image_is_code(frame->kernel, address);
}

static uint64_t call(
    void *context, uint64_t address, const uint64_t argument[4])
{
    struct guest_frame *frame = context;
    const uint64_t all[CODE_ARGUMENTS] = {
        argument[0], argument[1], argument[2], argument[3]};

    return guest_call_handler(frame->kernel, address, all);
}

/* What the driver's handlers left there: any number. */
static void registers_from(struct guest_registers *to, const CONTEXT *from)
{
    XMM_SAVE_AREA32 floating;

    memcpy(&floating, &from->FltSave, sizeof(floating));
    floating.MxCsr &= MXCSR_BITS;
    memcpy(to->general, &from->Rax, sizeof(to->general));
    to->rip = from->Rip;
    to->rflags = (from->EFlags & EFLAGS_KEPT) | EFLAGS_ALWAYS;
    memcpy(to->fx, &floating, sizeof(to->fx));
}

static void registers_to(CONTEXT *to, const struct guest_registers *from)
{
    *to = (CONTEXT){.ContextFlags = CONTEXT_FULL,
        .MxCsr = 0x1F80,
        .EFlags = (ULONG)from->rflags};
    memcpy(&to->Rax, from->general, sizeof(from->general));
    to->Rip = from->rip;
    memcpy(&to->FltSave, from->fx, sizeof(from->fx));
}

/* Goes on in the frame whose part of the stack the context is in. */
static _Noreturn void resume(void *context, const CONTEXT *to)
{
    struct guest_frame *given = context;
    struct guest_frame *frame = thread_current(given->kernel)->guest;

    while (frame->by_dispatcher && to->Rsp >= frame->entry_sp) {
        assert(guest_frame_check(frame));
        frame = frame->outer;
    }
    registers_from(&frame->registers, to);
    guest_go_on(frame);
}

void deliver_walk(struct seh_ops *ops, struct guest_frame *frame)
{
    assert(guest_frame_check(frame));
    *ops = (struct seh_ops){
        .context = frame,
        .memory = {.context = frame, .read = guest_read},
        .image_at = find_image,
        .on_stack = on_stack,
        .is_code = is_code,
    };
}

void deliver_operations(struct seh_ops *ops, struct guest_frame *frame)
{
    assert(frame == guest_innermost(frame->kernel));
    deliver_walk(ops, frame);
    ops->call = call;
    ops->resume = resume;
    ops->innermost = &thread_current(frame->kernel)->activation;
}

/* Room on the guest's stack, below what the driver has there. */
static struct seh_records *place_records(struct guest_frame *frame)
{
    uint64_t sp = frame->registers.general[GUEST_RSP];
    uint64_t at =
        (sp - sizeof(struct seh_records)) & ~(uint64_t)(RECORDS_ALIGNMENT - 1);

    if (!guest_on_stack(frame->kernel, at, sp - at)) {
        guest_stack_stop(frame->kernel);
    }
    return (struct seh_records *)(uintptr_t)at;
}

static void fill_record(
    EXCEPTION_RECORD *to, const struct guest_frame *frame, PVOID at)
{
    const struct exception_record *from = &frame->exception.record;

    *to = (EXCEPTION_RECORD){
        .ExceptionCode = from->code,
        .ExceptionAddress = at,
    };
    if (from->code == STATUS_ACCESS_VIOLATION) {
        to->NumberParameters = 2;
        to->ExceptionInformation[0] = from->write;
        to->ExceptionInformation[1] = (uintptr_t)from->address;
    }
}

/* Nobody has handled it: what the same exception is without a handler at all.
 */
static _Noreturn void stop(
    struct guest_frame *frame, const EXCEPTION_RECORD *record)
{
    struct kernel *kernel = frame->kernel;
    const struct exception_record *raised = &frame->exception.record;
    const char *routine = exception_routine(raised);
    const char *code = nt_status_name((uint32_t)record->ExceptionCode);
    const struct bugcheck_parameter parameter[4] = {
        {(uint32_t)record->ExceptionCode, code},
        {.name = routine == NULL ? "the driver's code" : routine},
        {.value = raised->write},
        {.value = 0},
    };

    exception_stop(kernel, raised, parameter);
}

struct seh_records *deliver_records(
    struct guest_frame *frame, const struct guest_registers *raised)
{
    struct seh_records *records = place_records(frame);

    assert((uintptr_t)records % RECORDS_ALIGNMENT == 0);
    if (frame->by_call) {
        /* So it belongs to the scope that the instruction is in. */
        frame->registers.rip = place_current(frame->kernel);
        frame->registers.general[GUEST_RSP] += sizeof(uint64_t);
    }
    assert(frame->raised == NULL);
    frame->raised = raised;
    memset(records, 0, sizeof(*records));
    registers_to(&records->context, &frame->registers);
    frame->registers.general[GUEST_RSP] = (uintptr_t)records;
    return records;
}

void deliver_end(struct guest_frame *frame)
{
    frame->registers = *frame->raised;
    frame->raised = NULL;
}

void deliver_exception(struct kernel *kernel, struct exception_frame *exception)
{
    struct guest_frame *frame =
        (struct guest_frame *)(void *)((char *)exception -
                                       offsetof(struct guest_frame, exception));
    const struct guest_registers raised = frame->registers;
    struct seh_records *records;
    struct seh_ops ops;
    enum seh_result result;

    assert(frame->kernel == kernel && frame == guest_innermost(kernel));
    assert(guest_running == NULL && guest_frame_check(frame));
    records = deliver_records(frame, &raised);
    fill_record(
        &records->record, frame, (PVOID)(uintptr_t)records->context.Rip);
    deliver_operations(&ops, frame);
    result = seh_dispatch(&ops, records);
    assert(frame == guest_innermost(kernel)); /* what it called is over */
    if (result == SEH_CONTINUE) {
        registers_from(&frame->registers, &records->context);
        guest_go_on(frame);
    }
    deliver_end(frame);
    stop(frame, &records->record);
}
