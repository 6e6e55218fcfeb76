/* test_checks.c - a kernel with one thing wrong does not pass its checks: the
 * process ends there. */
#include "api/boot/exports.h"
#include "api/core/leaks.h"
#include "api/ex/pool.h"
#include "api/hal/arbiter.h"
#include "api/hal/hal_counters.h"
#include "api/hal/pmu.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/ke/spinlock.h"
#include "tests/api/booted_kernel.h"
#include "tests/spoilt.h"

/* Too large for a stack; the rest is in it. */
static struct booted_kernel booted;
static struct kernel *const kernel = &booted.kernel;
static struct kernel_hooks hooks;
static const struct leak_source *const twice[] = {
    &hal_set_leaks, &hal_set_leaks, NULL};
static struct irql_state *irql;
static struct pool_block *block;
static struct spinlock_hold *hold;
static struct io_device *device;
static struct counter_set *set;

/* In the driver's memory. */
static KSPIN_LOCK *lock;
static PDEVICE_OBJECT *made;

/* The driver holds something of each kind, and is two raises up. */
static void hold_everything(void *argument)
{
    const struct counter_claim claim[] = {
        {.counters = 0x1, .affinity = {0x3}},
        {.counters = 0x2, .affinity = {0x3}},
    };
    struct io_driver *driver =
        io_driver_make(kernel, &booted.driver, "sampler", 0x10000, 0x1000);

    (void)argument;
    IoCreateDevice(driver->guest, 0, NULL, 0x22, 0, 1, made);
    for (unsigned i = 0; i < 2; i++) {
        ExAllocatePool2(POOL_FLAG_NON_PAGED, 100, 0x67616154);
        arbiter_grant(
            kernel->arbiter, &booted.machine.arena, &claim[i], &booted.driver);
        rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_ALLOC_FLAGS,
            ROUTINE_HalAllocateHardwareCounters);
    }
    ExAllocatePool2(POOL_FLAG_PAGED, 4096, 0x67616154);
    KeAcquireSpinLockRaiseToDpc(lock);
    KfRaiseIrql(12);
}

static void make(void)
{
    booted_init_usual(&booted);
    lock = booted_block(&booted, sizeof(*lock), 0);
    made = booted_block(&booted, sizeof(*made), 0);
    booted_run(&booted, 0, hold_everything, NULL);
    hooks = *kernel->hooks;
    kernel->hooks = &hooks;
    irql = &kernel->processor[0].irql;
    block = kernel->pool->first;
    hold = kernel->spinlocks->hold;
    device = kernel->io->drivers->devices;
    set = kernel->arbiter->first;
}

static void count(void *context, const struct leak_found *found)
{
    unsigned *counted = context;

    counted[found->leak]++;
}

/* What is listed is checked. */
static bool check_all(void)
{
    unsigned found[LEAK_COUNT] = {0};
    const struct leak_listing listing = {&booted.driver, count, found};

    if (!kernel_check(kernel) || !hal_pmu_check(kernel->pmu)) {
        return false;
    }
    leaks_list(kernel, &listing);
    return found[LEAK_POOL_BLOCK] == 3 && found[LEAK_COUNTER_SET] == 2 &&
           found[LEAK_SPIN_LOCK] == 1 && found[LEAK_DEVICE] == 1;
}

/* `part` becomes `value`. */
#define SPOILS(row, part, value)                                               \
    static void spoil_##row(void)                                              \
    {                                                                          \
        (part) = (value);                                                      \
    }
#include "tests/api/boot/spoilt_parts.def"

static struct spoil_row spoil_rows[] = {
#define SPOILS(row, part, value) {#row, spoil_##row},
#include "tests/api/boot/spoilt_parts.def"
};

static void spoil_row(void **state)
{
    make();
    assert_spoilt_is_found(*state, check_all);
    booted_release(&booted);
}

TEST_FILE(test_checks)
{
    TEST_ADD_ROWS(list, spoil_row, spoil_rows);
}
