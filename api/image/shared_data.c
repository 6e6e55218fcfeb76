/* shared_data.c - what a driver reads in KUSER_SHARED_DATA: times, versions,
 * processors, by the offsets of public headers. */
#include "api/image/shared_data.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/run_end.h"
#include "api/image/guest.h"
#include "api/image/instruction.h"
#include "api/image/native.h"
#include "api/ke/clock.h"

enum {
    SHARED_TICK_MULTIPLIER = 0x4,
    SHARED_INTERRUPT_TIME = 0x8, /* KSYSTEM_TIME */
    SHARED_SYSTEM_TIME = 0x14,
    SHARED_BUILD = 0x260,
    SHARED_PRODUCT_TYPE = 0x264,
    SHARED_PRODUCT_TYPE_IS_VALID = 0x268,
    SHARED_MAJOR = 0x26C,
    SHARED_MINOR = 0x270,
    SHARED_QPC_FREQUENCY = 0x300,
    SHARED_TICK_COUNT = 0x320,
    SHARED_ACTIVE_PROCESSORS = 0x3C0,
    PRODUCT_WINNT = 1,
    TICK_MULTIPLIER = 0xFA00000, /* milliseconds a tick, 24 bits of fraction */
    CYCLES_READ = 5,             /* our own figure (docs/fidelity.md) */
    QPC_FREQUENCY = 10000000,
};

#define EFLAGS_TF (UINT64_C(1) << 8)

static void store(uint8_t *page, size_t offset, uint64_t value, size_t size)
{
    memcpy(page + offset, &value, size);
}

/* LowPart, High1Time, High2Time. */
static void store_time(uint8_t *page, size_t offset, uint64_t time)
{
    store(page, offset, time, 8);
    store(page, offset + 8, time >> 32, 4);
}

static void fill(struct kernel *kernel, uint8_t *page)
{
    const struct os_row *os = kernel->os;
    uint64_t units = clock_interrupt_time(kernel);

    store(page, SHARED_TICK_MULTIPLIER, TICK_MULTIPLIER, 4);
    store_time(page, SHARED_INTERRUPT_TIME, units);
    store_time(page, SHARED_SYSTEM_TIME, CLOCK_BOOT_TIME + units);
    store_time(page, SHARED_TICK_COUNT,
        clock_ticks_at(kernel, kernel_cpu(kernel)->time));
    store(page, SHARED_BUILD, os->build, 4);
    store(page, SHARED_PRODUCT_TYPE, PRODUCT_WINNT, 4);
    store(page, SHARED_PRODUCT_TYPE_IS_VALID, 1, 1);
    store(page, SHARED_MAJOR, os->major, 4);
    store(page, SHARED_MINOR, os->minor, 4);
    store(page, SHARED_QPC_FREQUENCY, QPC_FREQUENCY, 8);
    store(page, SHARED_ACTIVE_PROCESSORS, kernel->machine->topology.processors,
        4);
}

static uint8_t *shared_page(struct kernel *kernel)
{
    struct native *native = kernel->native;

    if (native->shared == NULL) {
        native->shared = run_needs(kernel,
            memory_alloc(&kernel->machine->memory, MEMORY_PAGE_BYTES, 0),
            "KUSER_SHARED_DATA");
    }
    return native->shared;
}

bool shared_data_read(struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    uint64_t *general = frame->registers.general;
    struct cpu *cpu = kernel_cpu(kernel);
    const uint8_t *code = (const uint8_t *)(uintptr_t)frame->registers.rip;
    size_t available;
    char place[PLACE_BYTES];
    uint8_t *page;

    if (frame->trap.address < KUSER_ADDRESS ||
        frame->trap.address - KUSER_ADDRESS >= KUSER_BYTES) {
        return false;
    }
    /* A loop that waits for a time gets there. */
    assert(!frame->stepping);
    cpu_spend(cpu, CYCLES_READ, 1);
    cpu_checkpoint(cpu);
    page = shared_page(kernel);
    fill(kernel, page);
    available = guest_code_bytes(kernel, code);
    switch (kuser_plan(&frame->shared, code, available, general,
        frame->trap.address, (uintptr_t)page)) {
    case KUSER_ELSEWHERE:
    case KUSER_WRITE:
        return false;
    case KUSER_UNREADABLE:
        place_name(kernel, frame->registers.rip, place, sizeof(place));
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "the driver reads KUSER_SHARED_DATA at %s with an instruction that "
            "is not modelled there",
            place);
    case KUSER_STEP:
        kuser_begin(&frame->shared, general);
        frame->registers.rflags |= EFLAGS_TF;
        frame->stepping = true;
        break;
    case KUSER_LOAD:
        kuser_load(&frame->shared, page, general);
        frame->registers.rip += frame->shared.memory.length;
        break;
    }
    return true;
}

void shared_data_stepped(struct guest_frame *frame)
{
    assert(frame->stepping);
    kuser_end(&frame->shared, frame->registers.general);
    frame->registers.rflags &= ~EFLAGS_TF;
    frame->stepping = false;
}
