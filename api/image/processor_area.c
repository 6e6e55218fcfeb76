/* processor_area.c - what a driver finds at GS: the members of KPCR and KPRCB
 * that public headers read. */
#define _GNU_SOURCE
#include "api/image/processor_area.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/image/host.h"
#include "api/image/native.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"

enum {
    AREA_SELF = 0x18,
    AREA_PRCB = 0x20,           /* CurrentPrcb */
    AREA_PRCB_AT = 0x180,       /* where it lies */
    AREA_LEGACY_NUMBER = 0x184, /* a byte */
    AREA_THREAD = 0x188,        /* CurrentThread */
    AREA_NUMBER = 0x1A4,
    ARCH_SET_GS_BASE = 0x1001,
};

/* What the host's GS base is. */
static const uint8_t *loaded;

static void store(uint8_t *area, size_t offset, uint64_t value, size_t size)
{
    memcpy(area + offset, &value, size);
}

static uint8_t *area_make(struct kernel *kernel, const struct cpu *cpu)
{
    struct memory *memory = &kernel->machine->memory;
    uint8_t *area = run_needs(kernel,
        memory_alloc(memory, MEMORY_PAGE_BYTES, 0), "a processor's area");

    assert(cpu->index < kernel->machine->config.processors);
    store(area, AREA_SELF, (uintptr_t)area, 8);
    store(area, AREA_PRCB, (uintptr_t)area + AREA_PRCB_AT, 8);
    store(area, AREA_LEGACY_NUMBER, cpu->index & 0xFF, 1);
    store(area, AREA_NUMBER, cpu->index, 4);
    return area;
}

static void area_set(struct kernel *kernel, uint8_t *area, unsigned access)
{
    bool set = memory_set(&kernel->machine->memory, area, 1, access, false);

    assert(set);
    (void)set;
}

/* CurrentThread, which is all that changes there. */
static void area_show(
    struct kernel *kernel, struct processor *processor, struct kthread *thread)
{
    struct kthread *before = processor->shown;

    area_set(kernel, processor->area, MEMORY_READ | MEMORY_WRITE);
    store(processor->area, AREA_THREAD, thread->address, 8);
    area_set(kernel, processor->area, MEMORY_READ);
    processor->shown = thread;
    thread->shown++;
    if (before != NULL) {
        before->shown--;
        kthread_give_back(kernel, before);
    }
}

#if defined(__x86_64__)
static void load_base(const uint8_t *base)
{
    if (host_has_fsgsbase()) {
        __asm__ volatile("wrgsbase %0" : : "r"(base));
    } else {
        syscall(SYS_arch_prctl, ARCH_SET_GS_BASE, base);
    }
}
#else
static void load_base(const uint8_t *base)
{
    (void)base; /* no image was loaded */
}
#endif

/* Apart from processor_area_load(): every call of the kernel ends there, and
 * few come from another processor. */
__attribute__((noinline)) static void area_switch(
    struct kernel *kernel, const struct cpu *cpu, struct processor *processor)
{
    struct kthread *thread = kthread_current(kernel);

    if (processor->area == NULL) {
        processor->area = area_make(kernel, cpu);
    }
    if (processor->shown != thread) {
        area_show(kernel, processor, thread);
    }
    assert((uintptr_t)processor->area % MEMORY_PAGE_BYTES == 0);
    if (loaded != processor->area) {
        load_base(processor->area);
        loaded = processor->area;
    }
}

void processor_area_load(struct kernel *kernel)
{
    const struct cpu *cpu = kernel_cpu(kernel);
    struct processor *processor = kernel_processor(kernel, cpu);

    irql_close_pages(kernel, cpu);
    if (processor->area == NULL || processor->area != loaded ||
        processor->shown != thread_current(kernel)->object) {
        area_switch(kernel, cpu, processor);
    }
}
