/* guest.c - native code of a driver entered and left: frames of calls, and the
 * calls of the kernel that it makes. */
#include "api/image/guest.h"
#include "api/image/dispatch_table.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/answers.h"
#include "api/core/gate.h"
#include "api/core/kernel.h"
#include "api/core/missing.h"
#include "api/core/routine.h"
#include "api/core/thread.h"
#include "api/image/deliver.h"
#include "api/image/fault.h"
#include "api/image/gate.h"
#include "api/image/image.h"
#include "api/image/instruction.h"
#include "api/image/native.h"
#include "api/image/processor_area.h"
#include "api/image/step.h"
#include "api/ke/code.h"
#include "api/mm/probing.h"
#include "sim/base/asan_fiber.h"
#include "sim/machine/strand.h"

_Static_assert((int)ROUTINE_PARAMETERS >= (int)ANSWER_ARGUMENTS,
    "an answer is given what is there of any call");
_Static_assert(offsetof(struct guest_frame, registers) == 0, "guest_x64.S");
_Static_assert(offsetof(struct guest_registers, rip) == 128, "guest_x64.S");
_Static_assert(offsetof(struct guest_registers, rflags) == 136, "guest_x64.S");
_Static_assert(offsetof(struct guest_registers, fx) == 160, "guest_x64.S");
_Static_assert(offsetof(struct guest_frame, host_sp) == 672, "guest_x64.S");

struct guest_frame *volatile guest_running;
volatile bool guest_has_run;

enum {
    GUEST_HEADROOM = 240, /* above the first call: what its caller would own */
    STACK_ARGUMENTS = 2,  /* above a call's home space */
    GUEST_ROOM = 256,     /* the least that a call needs */
    HOST_ROOM = 96 << 10, /* on the kernel's own stack, for what a call does */
    CONTROL_WORD = 0x37F, /* of the x87 unit, as the processor begins */
    MXCSR = 0x1F80,
    FX_MXCSR = 24, /* where it lies */
};

/* Calls into drivers' code nest on the kernel's stack, which grows down. */
bool guest_frame_check(const struct guest_frame *frame)
{
    const struct guest_frame *outer = frame->outer;

    assert(frame->exception.deliver == deliver_exception);
    assert(frame->entry_sp % 16 == 0);
    assert(outer == NULL || outer->kernel == frame->kernel);
    assert(outer == NULL || frame->host_sp < outer->host_sp);
    assert(outer != NULL || !frame->by_dispatcher);
    assert(frame->hole == 0 || frame->stepping);
    assert(frame->hole_behind == 0 || frame->hole != 0);
    assert(frame->device.address == 0 || frame->stepping);
    assert(!frame->stepping || frame->hole != 0 || frame->device.address != 0 ||
           frame->shared.memory.way == INSTRUCTION_MOVES);
    return true;
}

/* It is of the thread, as are those that it gives up. */
static bool nested_check(
    const struct guest_frame *frame, const struct thread *thread)
{
    for (const struct guest_frame *inner = thread->guest; inner != frame;
         inner = inner->outer) {
        assert(inner != NULL && inner->by_dispatcher);
    }
    return true;
}

bool guest_is_crossing(uint64_t rip)
{
    return gate_holds(rip) || (rip >= (uintptr_t)guest_asm_begin &&
                                  rip < (uintptr_t)guest_asm_end);
}

struct guest_frame *guest_innermost(struct kernel *kernel)
{
    struct strand *strand = strand_current(kernel->machine);

    return strand == NULL ? NULL : thread_of(strand)->guest;
}

bool guest_stack_holds(
    const struct strand *strand, uint64_t address, uint64_t size)
{
    uint64_t at = address - (uint64_t)(uintptr_t)strand->guest_stack;

    assert(strand->guest_stack != NULL); /* it has run native code */
    return at <= STRAND_GUEST_STACK_BYTES &&
           size <= STRAND_GUEST_STACK_BYTES - at;
}

bool guest_on_stack(struct kernel *kernel, uint64_t address, uint64_t size)
{
    return guest_stack_holds(strand_current(kernel->machine), address, size);
}

size_t guest_code_bytes(struct kernel *kernel, const uint8_t *code)
{
    struct memory *memory = &kernel->machine->memory;

    /* Else it may be raised, and what is pageable behind it stays closed. */
    if (memory_is_pageable(memory, code, 1)) {
        memory_page_in(memory, code);
        memory_page_in(memory, code + INSTRUCTION_MAX_BYTES - 1);
    }
    return memory_resident_bytes(memory, code, INSTRUCTION_MAX_BYTES);
}

_Noreturn void guest_stack_stop(struct kernel *kernel)
{
    /* As of a double fault. */
    const struct bugcheck_parameter parameter[4] = {{.value = 8}};

    rule_stop(kernel, kernel_cpu(kernel), RULE_STACK_OVERFLOW, ROUTINE_COUNT,
        parameter);
}

/* Where the next call's frame begins: below what the innermost one has. */
static uint64_t stack_pointer(struct kernel *kernel)
{
    const struct guest_frame *frame = guest_innermost(kernel);
    uint8_t *stack = strand_guest_stack(kernel->machine);
    uint64_t sp;

    assert(stack != NULL); /* as many as strands */
    if (frame == NULL) {
        return (uint64_t)(uintptr_t)stack + STRAND_GUEST_STACK_BYTES -
               GUEST_HEADROOM;
    }
    sp = frame->registers.general[GUEST_RSP] & ~UINT64_C(15);
    if (!guest_on_stack(kernel, sp - GUEST_ROOM, GUEST_ROOM)) {
        guest_stack_stop(kernel);
    }
    return sp;
}

/* A driver that is called by what it calls, and so on, is stopped before the
 * kernel's own stack ends. */
static void check_host_stack(struct kernel *kernel)
{
    const struct strand *strand = strand_current(kernel->machine);

    if ((uintptr_t)__builtin_frame_address(0) -
            (uintptr_t)strand->coroutine->stack <
        HOST_ROOM) {
        guest_stack_stop(kernel);
    }
}

static void frame_init(
    struct guest_frame *frame, struct kernel *kernel, bool by_dispatcher)
{
    const uint16_t control_word = CONTROL_WORD;
    const uint32_t mxcsr = MXCSR;

    memset(&frame->registers, 0, sizeof(frame->registers));
    memcpy(frame->registers.fx, &control_word, sizeof(control_word));
    memcpy(frame->registers.fx + FX_MXCSR, &mxcsr, sizeof(mxcsr));
    frame->trap = (struct guest_trap){0};
    frame->exception.deliver = deliver_exception;
    frame->kernel = kernel;
    frame->strand = strand_current(kernel->machine);
    frame->step = thread_current(kernel)->step;
    frame->entry_sp =
        stack_pointer(kernel) - STACK_ARGUMENTS * sizeof(uint64_t);
    frame->raised = NULL;
    frame->by_call = false;
    frame->by_dispatcher = by_dispatcher;
    frame->stepping = false;
    frame->hole = 0;
    frame->hole_behind = 0;
    frame->device.address = 0;
}

static uint64_t run_frame(struct guest_frame *frame, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS])
{
    struct kernel *kernel = frame->kernel;
    struct thread *thread = thread_current(kernel);
    uint64_t result;

    assert(guest_running == NULL);
    assert(kernel->native->return_address != 0);
    native_check_time(kernel); /* a routine may call again and again */
    check_host_stack(kernel);
    memcpy((void *)(uintptr_t)frame->entry_sp,
        &argument[CODE_ARGUMENTS - STACK_ARGUMENTS],
        STACK_ARGUMENTS * sizeof(*argument));
    frame->outer = thread->guest;
    thread->guest = frame;
    exception_push(kernel, &frame->exception);
    probing_enter(kernel);
    processor_area_load(kernel);
    guest_has_run = true;
    guest_steps = step_is_on(kernel);
    result = guest_enter(frame, address, argument, frame->entry_sp,
        kernel->native->return_address);
    /* The thread may be on another processor by now, but it is the same. */
    assert(guest_running == NULL && thread_current(kernel) == thread);
    assert(thread->guest == frame && guest_frame_check(frame));
    assert(thread->way_out == frame->exception.way_out);
    exception_pop(kernel, &frame->exception);
    thread->guest = frame->outer;
    return result;
}

uint64_t guest_call(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS])
{
    struct thread *thread = thread_current(kernel);
    struct seh_activation *hidden = thread->activation;
    struct guest_frame frame;
    uint64_t result;

    /* Exceptions that are being handled below are not this code's. */
    thread->activation = NULL;
    frame_init(&frame, kernel, false);
    result = run_frame(&frame, address, argument);
    thread->activation = hidden;
    return result;
}

uint64_t guest_call_handler(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS])
{
    struct guest_frame frame;

    frame_init(&frame, kernel, true);
    return run_frame(&frame, address, argument);
}

_Noreturn void guest_go_on(struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    struct thread *thread = thread_current(kernel);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    assert(guest_running == NULL && here < frame->host_sp);
    assert(guest_frame_check(frame) && nested_check(frame, thread));
    /* What is on the kernel's stack below the frame is given up. */
    thread->guest = frame;
    thread->frames = &frame->exception;
    thread->way_out = frame->exception.way_out;
    frame->raised = NULL;
    asan_fiber_clean((const void *)(here - 4096), frame->host_sp - here + 4096);
    native_check_time(kernel);
    processor_area_load(kernel);
    step_arm(frame);
    guest_resume(frame);
}

/* An argument out of its slot: what is beyond its type is whatever the compiler
 * has left there. */
static uint64_t narrow(const struct parameter *parameter, uint64_t slot)
{
    size_t size = nt_type_row(parameter->type)->size;

    return parameter->direction == PARAMETER_VALUE && size < sizeof(slot)
               ? nt_load(&slot, size)
               : slot;
}

/* What a frame of the driver's has above it at the least. */
enum { FEW_PARAMETERS = 8 };

/* A thunk behind those of routines. */
static uint64_t call_other(struct guest_frame *frame, uint32_t thunk,
    const uint64_t value[ROUTINE_PARAMETERS])
{
    struct kernel *kernel = frame->kernel;

    if (thunk < DISPATCH_THUNKS) {
        dispatch_table_stop(kernel, thunk);
    }
    if (thunk - DISPATCH_THUNKS >= answers_count(kernel)) {
        /* It jumped into the middle of a thunk. */
        fault_raise(frame, STATUS_ILLEGAL_INSTRUCTION);
    }
    return answers_call(kernel, thunk - DISPATCH_THUNKS, value);
}

static uint64_t call_routine(
    uint32_t routine, uint64_t argument, uint64_t value[ROUTINE_PARAMETERS])
{
    const struct routine_row *row = &routine_rows[routine];

    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        value[i] = row->parameter[i].direction == PARAMETER_VARIADIC
                       ? argument + i * sizeof(value[i])
                       : narrow(&row->parameter[i], value[i]);
    }
    return gate_call((enum routine)routine, value);
}

uint64_t guest_import(
    struct guest_frame *frame, uint32_t routine, uint64_t argument)
{
    struct kernel *kernel = frame->kernel;
    uint64_t value[ROUTINE_PARAMETERS] = {0};
    size_t size = sizeof(value);
    uint64_t result;

    assert(guest_running == NULL && frame == guest_innermost(kernel));
    frame->registers.general[GUEST_RSP] = argument - sizeof(argument);
    frame->by_call = true;
    if (!guest_on_stack(kernel, argument, size)) {
        size = FEW_PARAMETERS * sizeof(value[0]); /* at the stack's top */
    }
    if (!guest_on_stack(kernel, argument, size)) {
        guest_stack_stop(kernel);
    }
    /* At any address: a driver may have moved its stack by a byte. */
    memcpy(value, (const void *)(uintptr_t)argument, size);
    result = routine < ROUTINE_COUNT
                 ? call_routine(routine, argument, value)
                 : call_other(frame, routine - ROUTINE_COUNT, value);
    assert(frame == guest_innermost(kernel));
    native_check_time(kernel);
    processor_area_load(kernel);
    return result;
}

/* What a driver imports and nobody models is code until it is called. */
static bool is_image(struct kernel *kernel, uint64_t address)
{
    return image_at(kernel, address) != NULL ||
           missing_at(kernel, address) != NULL;
}

static bool is_code(struct kernel *kernel, uint64_t address)
{
    return image_is_code(kernel, address) ||
           missing_at(kernel, address) != NULL;
}

static bool is_checked(struct kernel *kernel, uint64_t address)
{
    const struct image *image = image_at(kernel, address);

    return image != NULL && image->pe.force_integrity;
}

static uint64_t thunk(const struct kernel *kernel, enum routine routine)
{
    return kernel->native->thunks == NULL ? 0 : native_thunk(kernel, routine);
}

const struct code_source guest_code = {
    is_image, is_code, image_transient_section, is_checked, thunk, guest_call};
