/* device_step.c - registers of devices as a driver's own instructions access
 * them. */
#include "api/image/device_step.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/image/guest.h"
#include "api/image/instruction.h"
#include "api/image/instruction_memory.h"
#include "api/image/kuser.h"
#include "api/mm/io_space.h"
#include "api/mm/touch.h"

#define EFLAGS_TF (UINT64_C(1) << 8)

/* How many accesses of an instruction are to what needs a step of its own. */
struct reached {
    struct kernel *kernel;
    unsigned steps;
};

static bool needs_step(const struct kernel *kernel, uint64_t address)
{
    uint64_t physical;

    return io_space_is_device(kernel, address, false, &physical) ||
           io_space_is_hole(kernel, address) ||
           address - KUSER_ADDRESS < KUSER_BYTES;
}

static void count_step(void *context, uint64_t address, uint64_t bytes)
{
    struct reached *reached = context;

    if (needs_step(reached->kernel, address) ||
        (bytes > 1 && needs_step(reached->kernel, address + bytes - 1))) {
        reached->steps++;
    }
}

/* What the instruction accesses there; false: it is none that the model can
 * let go on. */
static bool find_access(const struct guest_frame *frame, uint64_t fault,
    struct instruction_memory *access)
{
    struct kernel *kernel = frame->kernel;
    const uint64_t *general = frame->registers.general;
    const uint8_t *code = (const uint8_t *)(uintptr_t)frame->registers.rip;
    struct reached reached = {.kernel = kernel};
    size_t available = guest_code_bytes(kernel, code);

    return instruction_memory(code, available, general, fault, access) &&
           access->address / MEMORY_PAGE_BYTES == fault / MEMORY_PAGE_BYTES &&
           instruction_reaches(
               code, available, general, count_step, &reached) &&
           reached.steps == 1;
}

static _Noreturn void refuse(struct guest_frame *frame, uint64_t physical)
{
    char place[PLACE_BYTES];

    place_name(frame->kernel, frame->registers.rip, place, sizeof(place));
    run_end_stop(frame->kernel, RUN_NOT_MODELLED,
        "the driver accesses registers of a device, at physical address "
        "0x%llX, "
        "at %s with an instruction that is not modelled there: one access of "
        "one register is, by an address in general registers",
        (unsigned long long)physical, place);
}

bool device_step_begin(struct guest_frame *frame, const struct touch *touch)
{
    struct kernel *kernel = frame->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    bool write = touch->access == TOUCH_WRITE;
    struct instruction_memory access;
    struct device_step *step = &frame->device;
    uint64_t physical;

    if (touch->access == TOUCH_EXECUTE ||
        !io_space_is_device(kernel, touch->address, write, &physical)) {
        return false;
    }
    assert(!frame->stepping);
    cpu_spend(cpu, DEVICE_CYCLES, 1);
    cpu_checkpoint(cpu);
    if (!io_space_is_device(kernel, touch->address, write, &physical)) {
        return true; /* unmapped meanwhile: it faults again */
    }
    if (!find_access(frame, touch->address, &access)) {
        refuse(frame, physical);
    }
    *step = (struct device_step){
        .place = device_find(kernel,
            physical - (touch->address - access.address), access.bytes, write),
        .address = access.address,
        .reads = access.reads,
        .writes = access.writes};
    step->value = device_peek(&step->place);
    io_space_open_device(kernel, step->address, step->value, step->place.bytes);
    frame->registers.rflags |= EFLAGS_TF;
    frame->stepping = true;
    return true;
}

void device_step_end(struct guest_frame *frame, bool executed)
{
    struct kernel *kernel = frame->kernel;
    const struct device_step step = frame->device;
    uint64_t written = 0;

    assert(frame->stepping && step.address != 0);
    memcpy(&written, (const void *)(uintptr_t)step.address, step.place.bytes);
    io_space_close_device(kernel, step.address);
    frame->registers.rflags &= ~EFLAGS_TF;
    frame->device.address = 0;
    frame->stepping = false;
    if (executed && step.reads) {
        device_was_read(kernel, &step.place, step.value);
    }
    if (executed && step.writes) {
        device_write(kernel, &step.place, written);
    }
}
