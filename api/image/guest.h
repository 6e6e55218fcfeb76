/* guest.h - native code of a driver as it runs: entered, left by a call of the
 * kernel or by a trap, and gone back to.
 *
 * A driver's code runs on a stack of its own, the kernel's on the strand's: the
 * two are switched whenever control crosses. While the driver's code runs,
 * guest_running names its frame; in the kernel it is NULL. */
#ifndef API_IMAGE_GUEST_H
#define API_IMAGE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/exception.h"
#include "api/image/device_step.h"
#include "api/image/kuser.h"
#include "api/ke/code.h"

struct kernel;
struct strand;

/* General registers in the order of their encoding. */
enum guest_register {
    GUEST_RAX,
    GUEST_RCX,
    GUEST_RDX,
    GUEST_RBX,
    GUEST_RSP,
    GUEST_RBP,
    GUEST_RSI,
    GUEST_RDI,
    GUEST_R8,
    GUEST_R15 = 15,
    GUEST_REGISTERS
};

enum { GUEST_FX_BYTES = 512 };

/* The driver's registers while the kernel runs. After a call of the kernel only
 * those that a function must preserve are here, and RIP and RSP as they will be
 * when the call returns. */
struct guest_registers {
    uint64_t general[GUEST_REGISTERS];
    uint64_t rip, rflags;
    uint64_t spare[2];
    _Alignas(16) uint8_t fx[GUEST_FX_BYTES]; /* as FXSAVE64 lays it out */
};

/* Why a signal took the driver's code away. */
struct guest_trap {
    int signal;
    uint32_t number;  /* of the processor's exception: 13 #GP, 14 #PF */
    uint64_t error;   /* its error code */
    uint64_t address; /* that was touched, of a #PF */
    int code;         /* si_code */
};

/* One call into a driver's code; it lies on the kernel's stack. The assembly
 * knows the first two members. */
struct guest_frame {
    struct guest_registers registers;
    uint64_t host_sp; /* the kernel's stack begins here when the guest leaves */
    struct guest_trap trap;
    struct exception_frame exception;
    /* The registers where it raised an exception that handlers are looked for,
     * or unwinds: what runs for that lies below. NULL: it does neither. */
    const struct guest_registers *raised;
    struct guest_frame *outer; /* on the same strand */
    struct kernel *kernel;
    struct strand *strand;
    uint32_t step;      /* the thread's, when it was entered */
    uint64_t entry_sp;  /* of the guest, when it was entered */
    bool by_call;       /* it left by a call of the kernel, RIP is behind it */
    bool by_dispatcher; /* it runs an exception's handler for the outer one */
    bool stepping;      /* one instruction goes on natively: shared_data.h */
    struct kuser_read shared; /* what that instruction reads */
    uint64_t hole; /* or where it stores what is dropped; 0: it does not */
    uint64_t hole_behind;      /* and in the page behind it; 0: not there */
    struct device_step device; /* or what of a device it accesses */
};

/* Is true: ends the process where something of a frame that was entered is not
 * as it always is. What the driver's registers hold is the driver's affair. */
bool guest_frame_check(const struct guest_frame *frame);

/* The frame whose code the host processor executes; NULL: the kernel's own. */
extern struct guest_frame *volatile guest_running;

/* Whether code of a driver was ever entered in this process. */
extern volatile bool guest_has_run;

/* Calls the driver's function on the running strand; returns its RAX. */
uint64_t guest_call(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS]);

/* The same for whoever has an address (kernel_hooks). */
extern const struct code_source guest_code;

/* The same for a handler of an exception that the innermost frame raised. */
uint64_t guest_call_handler(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS]);

/* Stops the machine: the driver's stack is used up, or its stack pointer is
 * where none can be. */
_Noreturn void guest_stack_stop(struct kernel *kernel);

/* Gives up what the kernel was doing for the frame's code, and goes on there
 * with frame->registers. */
_Noreturn void guest_go_on(struct guest_frame *frame);

/* The driver's registers where it called, raised or was interrupted. */
static inline const struct guest_registers *guest_registers_of(
    const struct guest_frame *frame)
{
    return frame->raised != NULL ? frame->raised : &frame->registers;
}

/* The running strand's innermost frame; NULL: none. */
struct guest_frame *guest_innermost(struct kernel *kernel);

/* Whether these bytes lie on the guest stack of the strand. */
bool guest_stack_holds(
    const struct strand *strand, uint64_t address, uint64_t size);

/* The same of the running one. */
bool guest_on_stack(struct kernel *kernel, uint64_t address, uint64_t size);

/* How many bytes of the instruction at `code`, which waits in a trap, can be
 * read. Pageable pages of it that were closed while other processors ran are
 * opened again, as running it would. */
size_t guest_code_bytes(struct kernel *kernel, const uint8_t *code);

/* The C half of a call of the kernel: what guest_x64.S calls with the number of
 * the routine and where its arguments lie on the guest's stack. */
uint64_t guest_import(
    struct guest_frame *frame, uint32_t routine, uint64_t argument);

/* Whether the instruction is one of ours between the kernel and a driver's
 * code: the gate's, or of guest_x64.S. */
bool guest_is_crossing(uint64_t rip);

/* guest_x64.S. The gate leads to the first, which is never called from C. */
void guest_cross_entry(void);
uint64_t guest_enter(struct guest_frame *frame, uint64_t address,
    const uint64_t *argument, uint64_t sp, uint64_t return_address);
_Noreturn void guest_resume(struct guest_frame *frame);
extern const uint8_t guest_asm_begin[], guest_asm_end[];
/* The instruction that faults by what the driver left behind. */
extern const uint8_t guest_iretq[];
extern uint8_t guest_steps; /* TF is set when a driver's code is entered, or a
                               call of the kernel returns to it */
extern uint8_t guest_has_wrfsbase; /* whether user code has that instruction */
extern uint8_t guest_vectors; /* enum guest_vectors: what is to be cleared */

enum guest_vectors { GUEST_SSE, GUEST_AVX, GUEST_AVX512 };

#endif
