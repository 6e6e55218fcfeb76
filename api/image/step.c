/* step.c - which instructions of a driver are preemption points of their own.
 */
#include "api/image/step.h"

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/run_end.h"
#include "api/image/image.h"
#include "api/image/instruction_memory.h"
#include "sim/machine/machine.h"
#include "sim/machine/schedule.h"

#define EFLAGS_TF (UINT64_C(1) << 8)

bool step_is_on(const struct kernel *kernel)
{
    const struct schedule *schedule = kernel->machine->schedule;

    return schedule != NULL && schedule->instructions;
}

/* What an instruction touches, as its operands say. */
struct reach {
    struct kernel *kernel;
    bool others; /* somebody else may write there, or read what it writes */
};

static void reach_out(void *context, uint64_t address, uint64_t bytes)
{
    struct reach *reach = context;
    const struct memory *memory = &reach->kernel->machine->memory;

    reach->others |= !guest_on_stack(reach->kernel, address, bytes) &&
                     memory_allows(memory, (const void *)(uintptr_t)address,
                         bytes, MEMORY_WRITE);
}

bool step_passes(struct kernel *kernel, uint64_t rip,
    const uint64_t registers[GUEST_REGISTERS])
{
    const struct memory *memory = &kernel->machine->memory;
    const uint8_t *code = (const uint8_t *)(uintptr_t)rip;
    size_t available;
    struct reach reach = {kernel, false};

    if (!image_is_code(kernel, rip)) {
        return true; /* a thunk, or nothing: that faults by itself */
    }
    available = memory_resident_bytes(memory, code, INSTRUCTION_MAX_BYTES);
    if (available == 0) {
        return true; /* its page is not there: that faults as well */
    }
    return instruction_reaches(code, available, registers, reach_out, &reach) &&
           !reach.others;
}

void step_choose(struct guest_frame *frame)
{
    cpu_checkpoint(kernel_cpu(frame->kernel));
}

void step_arm(struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    char place[PLACE_BYTES];

    guest_steps = step_is_on(kernel);
    if (!guest_steps || frame->stepping) {
        return;
    }
    if ((frame->registers.rflags & EFLAGS_TF) != 0) {
        place_name(kernel, place_current(kernel), place, sizeof(place));
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "the driver has set TF at %s, and with --step-drivers that flag is "
            "ours: explore it without",
            place);
    }
    frame->registers.rflags |= EFLAGS_TF;
}
