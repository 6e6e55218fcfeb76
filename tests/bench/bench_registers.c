/* bench_registers.c - the families intel, amd and armv8: what register accesses
 * and overflows cost on each vendor's processors. */
#include <assert.h>

#include "sim/pmu/armv8_registers.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/register_scene.h"

enum {
    OPERATIONS = 200000,
    OVERFLOWS = 20000,
};

static void read_counter(
    const struct register_scene *scene, struct cpu *cpu, unsigned count)
{
    uint64_t before = 0;

    for (unsigned i = 0; i < count; i++) {
        uint64_t value = access_read(cpu, scene->counter0);

        assert(value > before);
        before = value;
    }
}

static void read_stopped(
    const struct register_scene *scene, struct cpu *cpu, unsigned count)
{
    uint64_t value;

    access_write(cpu, scene->control, 0);
    value = access_read(cpu, scene->counter0);
    for (unsigned i = 0; i < count; i++) {
        uint64_t again = access_read(cpu, scene->counter0);

        assert(again == value);
        (void)again;
    }
    (void)value;
}

static void write_counter(
    const struct register_scene *scene, struct cpu *cpu, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        access_write(cpu, scene->counter0, i);
    }
}

static void stop_start(
    const struct register_scene *scene, struct cpu *cpu, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        access_write(cpu, scene->control, 0);
        access_write(cpu, scene->control, scene->started);
    }
}

static void increment(
    const struct register_scene *scene, struct cpu *cpu, unsigned count)
{
    uint64_t before;

    access_write(cpu, PMEVTYPER_EL0, 0); /* SW_INCR */
    before = access_read(cpu, scene->counter0);
    for (unsigned i = 0; i < count; i++) {
        access_write(cpu, PMSWINC_EL0, 1);
    }
    assert(access_read(cpu, scene->counter0) == before + count);
    (void)before;
}

#define VENDOR_BENCHMARKS(prefix, vendor)                                      \
    double prefix##_read_running(void)                                         \
    {                                                                          \
        return register_scene_operation(vendor, read_counter, OPERATIONS);     \
    }                                                                          \
    double prefix##_read_stopped(void)                                         \
    {                                                                          \
        return register_scene_operation(vendor, read_stopped, OPERATIONS);     \
    }                                                                          \
    double prefix##_write_running(void)                                        \
    {                                                                          \
        return register_scene_operation(vendor, write_counter, OPERATIONS);    \
    }                                                                          \
    double prefix##_stop_start_all(void)                                       \
    {                                                                          \
        return register_scene_operation(vendor, stop_start, OPERATIONS);       \
    }                                                                          \
    double prefix##_overflow(void)                                             \
    {                                                                          \
        return register_scene_overflow(vendor, OVERFLOWS);                     \
    }                                                                          \
    double prefix##_hal_overflow(void)                                         \
    {                                                                          \
        return register_scene_hal_overflow(vendor, OVERFLOWS);                 \
    }

VENDOR_BENCHMARKS(intel, VENDOR_INTEL)
VENDOR_BENCHMARKS(amd, VENDOR_AMD)
VENDOR_BENCHMARKS(armv8, VENDOR_ARM)

double armv8_increment_running(void)
{
    return register_scene_operation(VENDOR_ARM, increment, OPERATIONS);
}
