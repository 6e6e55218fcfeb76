/* fault.c - what a signal in a driver's code means: an exception, an
 * instruction to emulate, a rule broken. */
#include "api/image/fault.h"

#include <assert.h>
#include <signal.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/missing.h"
#include "api/core/place.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/hal/profile.h"
#include "api/image/emulate.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/native.h"
#include "api/image/shared_data.h"
#include "api/image/step.h"
#include "api/mm/io_space.h"
#include "api/mm/probing.h"
#include "api/mm/store.h"
#include "api/mm/touch.h"
#include "sim/memory/user_pages.h"

#define NULL_BYTES UINT64_C(0x10000) /* never anybody's */

#define EFLAGS_TF (UINT64_C(1) << 8)
#define EFLAGS_AC (UINT64_C(1) << 18)

enum { ERROR_WRITE = 1 << 1, ERROR_FETCH = 1 << 4 };

/* In a live block, but in a part of an image that is no longer there. */
static bool is_discarded(const struct touch *touch)
{
    const struct memory *memory = &touch->kernel->machine->memory;
    const uint8_t *at = (const uint8_t *)(uintptr_t)touch->address;
    const struct memory_block *block = memory_near(memory, at);
    const struct image *image = image_at(touch->kernel, touch->address);

    return block != NULL && !block->freed && at < block->start + block->size &&
           image != NULL && image->discarded &&
           !memory_allows(memory, at, 1, MEMORY_READ);
}

/* A driver that catches what becomes of wild addresses, and goes on, might come
 * upon memory of ours at last. */
static void count_stray(struct guest_frame *frame, const struct touch *touch)
{
    struct kernel *kernel = frame->kernel;
    char place[PLACE_BYTES];

    if (memory_is_region(&kernel->machine->memory, touch->address)) {
        return;
    }
    kernel->native->strays++;
    if (kernel->native->strays > NATIVE_STRAYS) {
        place_name(kernel, place_current(kernel), place, sizeof(place));
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "the driver's code has touched %u addresses that are nobody's, "
            "the last at %s: it gets no more",
            (unsigned)kernel->native->strays, place);
    }
}

/* What the driver imports and nobody models. */
static void stop_for_missing(const struct touch *touch)
{
    static const enum missing_use uses[] = {
        [TOUCH_READ] = MISSING_READ,
        [TOUCH_WRITE] = MISSING_WRITTEN,
        [TOUCH_EXECUTE] = MISSING_CALLED,
    };
    struct missing_import *import = missing_at(touch->kernel, touch->address);

    if (import != NULL) {
        missing_stop(touch->kernel, import, uses[touch->access], NULL);
    }
}

static _Noreturn void frame_stop(struct kernel *kernel)
{
    char place[PLACE_BYTES];

    place_name(kernel, place_current(kernel), place, sizeof(place));
    run_end_stop(kernel, RUN_NOT_MODELLED,
        "the driver looked into the KTRAP_FRAME of an interrupt at %s, whose "
        "members are not modelled",
        place);
}

/* With the page behind it, where an unaligned store may end. */
static void open_hole(struct guest_frame *frame, uint64_t address)
{
    uint64_t behind = address + MEMORY_PAGE_BYTES;

    frame->hole = address;
    io_space_begin(frame->kernel, address);
    if (io_space_is_hole(frame->kernel, behind)) {
        frame->hole_behind = behind;
        io_space_begin(frame->kernel, behind);
    }
}

/* A store to physical memory that is nobody's: the instruction goes on, and
 * what it has stored is dropped (MMIO-04 [C]). */
static bool hole_written(struct guest_frame *frame, const struct touch *touch)
{
    struct kernel *kernel = frame->kernel;
    struct cpu *cpu = kernel_cpu(kernel);

    if (touch->access != TOUCH_WRITE ||
        !io_space_is_hole(kernel, touch->address)) {
        return false;
    }
    assert(!frame->stepping);
    cpu_spend(cpu, STORE_CYCLES, 1);
    cpu_checkpoint(cpu);
    if (io_space_is_hole(kernel, touch->address)) {
        open_hole(frame, touch->address);
        frame->registers.rflags |= EFLAGS_TF;
        frame->stepping = true;
    }
    return true;
}

/* A pageable page that may be touched, by who should not any more (IO-57a). */
static bool opened_late(const struct touch *touch)
{
    struct kernel *kernel = touch->kernel;

    if (!thread_current(kernel)->after_flush || touch->raised ||
        !memory_page_in(&kernel->machine->memory,
            (const void *)(uintptr_t)touch->address)) {
        return false;
    }
    touch_opens(kernel, ROUTINE_COUNT);
    return true;
}

/* The instruction that goes on natively has come to its end, or to another
 * signal. */
static void stepped(struct guest_frame *frame)
{
    if (frame->device.address != 0) {
        device_step_end(frame, frame->trap.signal == SIGTRAP);
        return;
    }
    if (frame->hole == 0) {
        shared_data_stepped(frame);
        return;
    }
    io_space_end(frame->kernel, frame->hole);
    if (frame->hole_behind != 0) {
        io_space_end(frame->kernel, frame->hole_behind);
    }
    frame->registers.rflags &= ~EFLAGS_TF;
    frame->hole = 0;
    frame->hole_behind = 0;
    frame->stepping = false;
}

static void page_fault(struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    const struct touch touch = touch_now(kernel, frame->trap.address,
        (frame->trap.error & ERROR_FETCH) != 0   ? TOUCH_EXECUTE
        : (frame->trap.error & ERROR_WRITE) != 0 ? TOUCH_WRITE
                                                 : TOUCH_READ);

    if (touch.access == TOUCH_EXECUTE && touch.address < NULL_BYTES) {
        touch_stop(&touch, RULE_CODE_JUMP_NULL, "NULL");
    }
    if (stack_pool_is_guard(&kernel->machine->guest_stacks, touch.address)) {
        guest_stack_stop(kernel);
    }
    if (opened_late(&touch)) {
        return;
    }
    if (touch.access != TOUCH_EXECUTE &&
        probing_touched(kernel, touch.address)) {
        return;
    }
    stop_for_missing(&touch);
    if (touch.access == TOUCH_READ && shared_data_read(frame)) {
        return;
    }
    if (hole_written(frame, &touch) || device_step_begin(frame, &touch)) {
        return;
    }
    if (profile_is_frame(kernel, touch.address)) {
        frame_stop(kernel);
    }
    if (is_discarded(&touch)) {
        touch_stop(&touch, RULE_IMAGE_DISCARDED, "a discarded section");
    }
    count_stray(frame, &touch);
    if (touch.access != TOUCH_EXECUTE && touch.address >= NULL_BYTES) {
        probing_stray(kernel, touch.address);
    }
    touch_refuse(&touch);
}

enum {
    TRAP_DEBUG = 1,
    TRAP_BREAKPOINT = 3,
    TRAP_PAGE_FAULT = 14,
    TRAP_ALIGNMENT = 17,
};

bool fault_opens_page(const struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;

    return frame->trap.number == TRAP_PAGE_FAULT &&
           irql_current(kernel, kernel_cpu(kernel)) <
               irql_number(kernel, LEVEL_DISPATCH_LEVEL) &&
           !thread_current(kernel)->after_flush &&
           memory_page_in(&kernel->machine->memory,
               (const void *)(uintptr_t)frame->trap.address);
}

bool fault_opens_for_kernel(const void *address)
{
    return guest_has_run &&
           user_pages_open(&kernel_current()->machine->memory, address, 1);
}

_Noreturn void fault_raise(struct guest_frame *frame, NTSTATUS code)
{
    const struct exception_record record = {
        .code = code, .routine = ROUTINE_COUNT};

    assert(!NT_SUCCESS(code));
    exception_raise(frame->kernel, &record);
}

/* A general protection fault: an instruction that needs the machine, else an
 * address that is none. */
static void protection_fault(struct guest_frame *frame)
{
    const struct exception_record record = {
        .code = STATUS_ACCESS_VIOLATION,
        .routine = ROUTINE_COUNT,
        .address = (const void *)UINTPTR_MAX, /* the processor does not say */
    };

    if (!emulate_instruction(frame)) {
        exception_raise(frame->kernel, &record);
    }
}

static _Noreturn void arithmetic_fault(struct guest_frame *frame)
{
    const struct {
        int code;
        NTSTATUS status;
    } rows[] = {
        {FPE_INTDIV, STATUS_INTEGER_DIVIDE_BY_ZERO},
        {FPE_INTOVF, STATUS_INTEGER_OVERFLOW},
        {FPE_FLTDIV, STATUS_FLOAT_DIVIDE_BY_ZERO},
        {FPE_FLTOVF, STATUS_FLOAT_OVERFLOW},
        {FPE_FLTUND, STATUS_FLOAT_UNDERFLOW},
        {FPE_FLTRES, STATUS_FLOAT_INEXACT_RESULT},
    };
    NTSTATUS status = STATUS_FLOAT_INVALID_OPERATION; /* an invalid operation */

    assert(frame->trap.signal == SIGFPE);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].code == frame->trap.code) {
            status = rows[i].status;
        }
    }
    fault_raise(frame, status);
}

/* The signal met an instruction of ours between kernel and driver: what is to
 * blame is the driver's that led there. */
static void leave_crossing(struct guest_frame *frame)
{
    uint64_t rip = frame->registers.rip;
    uint64_t sp = frame->registers.general[GUEST_RSP];

    if (guest_is_crossing(rip) &&
        guest_on_stack(frame->kernel, sp, sizeof(uint64_t))) {
        memcpy(&frame->registers.rip, (const void *)(uintptr_t)sp,
            sizeof(frame->registers.rip));
        frame->by_call = true;
    }
}

/* The instruction that read shared data did not get to its end: it touched
 * something else as well. */
static void leave_step(struct guest_frame *frame)
{
    if (frame->stepping && frame->trap.signal != SIGTRAP) {
        stepped(frame);
    }
}

void fault_handle(struct guest_frame *frame)
{
    assert(guest_running == NULL && frame == guest_innermost(frame->kernel));
    leave_crossing(frame);
    leave_step(frame);
    switch (frame->trap.signal) {
    case SIGSEGV:
    case SIGBUS:
        if (frame->trap.number == TRAP_ALIGNMENT) {
            /* In ring 0 no access is checked, whatever the flag says. */
            frame->registers.rflags &= ~EFLAGS_AC;
            return;
        }
        if (frame->trap.number == TRAP_PAGE_FAULT) {
            page_fault(frame);
        } else {
            protection_fault(frame);
        }
        return;
    case SIGTRAP:
        if (frame->stepping) {
            stepped(frame);
            return;
        }
        if (frame->trap.number == TRAP_DEBUG && step_is_on(frame->kernel)) {
            step_choose(frame);
            return;
        }
        if (frame->trap.number == TRAP_DEBUG) {
            frame->registers.rflags &= ~EFLAGS_TF;
            fault_raise(frame, STATUS_SINGLE_STEP);
        }
        if (frame->trap.number == TRAP_BREAKPOINT) {
            frame->registers.rip--; /* INT3 is reported behind itself */
        }
        if (!emulate_instruction(frame)) {
            fault_raise(frame, STATUS_BREAKPOINT);
        }
        return;
    case SIGILL:
        if (!emulate_instruction(frame)) {
            fault_raise(frame, STATUS_ILLEGAL_INSTRUCTION);
        }
        return;
    case SIGFPE:
        arithmetic_fault(frame);
    case SIGSYS:
        run_end_stop(frame->kernel, RUN_NOT_MODELLED,
            "the driver's code executed SYSCALL, which is not modelled");
    default: /* its time is not up, or it would not be here */
        assert(frame->trap.signal == SIGPROF);
        return;
    }
}
