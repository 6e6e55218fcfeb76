/* growth_kernel.c - growths of what drivers have of the kernel: IPIs, sets of
 * counters, registrations and their instances, pool blocks. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/boot/exports.h"
#include "sim/base/bits.h"
#include "tests/bench/growth_scene.h"
#include "tests/bench/growths.h"
#include "tests/bench/stopwatch.h"

enum {
    BROADCASTS = 8,
    OPERATIONS = 2000,
    EMPTY = 1024, /* the processor of which no set is */
    NAME_UNITS = 8,
    BLOCK_BYTES = 64,
    POOL_NON_PAGED = 0x40,
    TAG = 0x68636E42,
};

static ULONG_PTR NTAPI work_nothing(ULONG_PTR context)
{
    return context;
}

static void broadcast(void *argument)
{
    struct growth_scene *scene = argument;
    double start;

    KeIpiGenericCall(work_nothing, 0); /* every processor has its stack */
    start = stopwatch_ns();
    for (unsigned i = 0; i < BROADCASTS; i++) {
        KeIpiGenericCall(work_nothing, i);
    }
    scene->ns = stopwatch_ns() - start;
}

double growth_ipis(uint64_t size)
{
    return size == 0 ? 0 : growth_scene_run((uint32_t)size, size, broadcast);
}

/* Sets of one counter each, and where their handles come. */
struct claims {
    GROUP_AFFINITY *affinity;
    PHYSICAL_COUNTER_RESOURCE_LIST *list;
    HANDLE *handle;
};

static void claim(struct growth_scene *scene, const struct claims *claims,
    uint32_t processor, ULONG index)
{
    const struct cpu *cpu = machine_cpu(&scene->booted.machine, processor);
    NTSTATUS status;

    *claims->affinity = (GROUP_AFFINITY){bit(cpu->number), cpu->group, {0}};
    claims->list->Count = 1;
    claims->list->Descriptors[0] = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR){
        .Type = ResourceTypeSingle, .u = {.CounterIndex = index}};
    status = HalAllocateHardwareCounters(
        claims->affinity, 1, claims->list, claims->handle);
    assert(status == STATUS_SUCCESS);
    (void)status;
}

static void claim_among(void *argument)
{
    struct growth_scene *scene = argument;
    const struct claims claims = {
        kernel_scene_memory(&scene->booted, sizeof(*claims.affinity)),
        kernel_scene_memory(&scene->booted, sizeof(*claims.list)),
        kernel_scene_memory(&scene->booted, sizeof(*claims.handle))};
    double start;

    for (uint32_t i = 0; i < scene->size; i++) {
        uint32_t processor = i % (LIMIT_PROCESSORS - 1);

        claim(scene, &claims, processor + (processor >= EMPTY),
            i / (LIMIT_PROCESSORS - 1));
    }
    start = stopwatch_ns();
    for (unsigned i = 0; i < OPERATIONS; i++) {
        claim(scene, &claims, EMPTY, 0);
        HalFreeHardwareCounters(*claims.handle);
    }
    scene->ns = (stopwatch_ns() - start) / OPERATIONS;
}

double growth_sets(uint64_t size)
{
    return growth_scene_run(LIMIT_PROCESSORS, size, claim_among);
}

/* Counter sets of one counter, and instances, by the numbers in their names. */
struct provider {
    PCW_REGISTRATION_INFORMATION *info;
    UNICODE_STRING *name;
    WCHAR *text;
    PCW_DATA *data;
    void **handle;
};

static struct provider describe(struct growth_scene *scene)
{
    struct provider provider = {
        kernel_scene_memory(&scene->booted, sizeof(*provider.info)),
        kernel_scene_memory(&scene->booted, sizeof(*provider.name)),
        kernel_scene_memory(
            &scene->booted, NAME_UNITS * sizeof(*provider.text)),
        kernel_scene_memory(&scene->booted, sizeof(*provider.data)),
        kernel_scene_memory(&scene->booted, sizeof(*provider.handle))};
    PCW_COUNTER_DESCRIPTOR *counter =
        kernel_scene_memory(&scene->booted, sizeof(*counter));

    *counter = (PCW_COUNTER_DESCRIPTOR){0, 0, 0, sizeof(uint64_t)};
    *provider.name = (UNICODE_STRING){.Length = NAME_UNITS * 2,
        .MaximumLength = NAME_UNITS * 2,
        .Buffer = provider.text};
    *provider.info = (PCW_REGISTRATION_INFORMATION){.Version = PCW_VERSION_1,
        .Name = provider.name,
        .CounterCount = 1,
        .Counters = counter};
    *provider.data = (PCW_DATA){
        .Data = kernel_scene_memory(&scene->booted, sizeof(uint64_t)),
        .Size = sizeof(uint64_t)};
    return provider;
}

static void write_name(WCHAR *text, uint64_t number)
{
    for (unsigned i = 0; i < NAME_UNITS; i++, number /= 10) {
        text[i] = (WCHAR)('0' + number % 10);
    }
}

static PPCW_REGISTRATION register_set(
    const struct provider *provider, uint64_t number)
{
    NTSTATUS status;

    write_name(provider->text, number);
    status = PcwRegister((PPCW_REGISTRATION *)provider->handle, provider->info);
    assert(status == STATUS_SUCCESS);
    (void)status;
    return *provider->handle;
}

static void register_among(void *argument)
{
    struct growth_scene *scene = argument;
    const struct provider provider = describe(scene);
    double start;

    for (uint64_t i = 0; i < scene->size; i++) {
        register_set(&provider, i);
    }
    start = stopwatch_ns();
    for (unsigned i = 0; i < OPERATIONS; i++) {
        PcwUnregister(register_set(&provider, 0)); /* known the longest */
    }
    scene->ns = (stopwatch_ns() - start) / OPERATIONS;
}

double growth_registrations(uint64_t size)
{
    return growth_scene_run(1, size, register_among);
}

static void create_and_close(void *argument)
{
    struct growth_scene *scene = argument;
    const struct provider provider = describe(scene);
    PPCW_REGISTRATION registration = register_set(&provider, 0);
    double start = stopwatch_ns();

    for (uint64_t i = 0; i < scene->size; i++) {
        NTSTATUS status;

        write_name(provider.text, i);
        status = PcwCreateInstance((PPCW_INSTANCE *)provider.handle,
            registration, provider.name, 1, provider.data);
        assert(status == STATUS_SUCCESS);
        (void)status;
    }
    PcwUnregister(registration);
    scene->ns = stopwatch_ns() - start;
}

double growth_set_instances(uint64_t size)
{
    return growth_scene_run(1, size, create_and_close);
}

static void allocate_and_free(void *argument)
{
    struct growth_scene *scene = argument;
    void **block = calloc(scene->size + 1, sizeof(*block));
    double start = stopwatch_ns();

    assert(block != NULL);
    for (uint64_t i = 0; i < scene->size; i++) {
        block[i] = ExAllocatePool2(POOL_NON_PAGED, BLOCK_BYTES, TAG);
        assert(block[i] != NULL);
    }
    for (uint64_t i = 0; i < scene->size; i++) {
        ExFreePoolWithTag(block[i], TAG);
    }
    scene->ns = stopwatch_ns() - start;
    free(block);
}

double growth_blocks(uint64_t size)
{
    return growth_scene_run(1, size, allocate_and_free);
}
