/* bench_pcw.c - the family pcw: a counter set with many instances, and
 * consumers that collect it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/boot/exports.h"
#include "api/pcw/query.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/kernel_scene.h"
#include "tests/bench/stopwatch.h"

enum {
    COUNTERS = 64,
    BLOCK_BYTES = COUNTERS * sizeof(uint64_t),
    MANY = 10000,
    FEW = 100,
    NAME_UNITS = 8,
    ROUNDS = 20,
    REGISTERED_FEW = 10,
    REGISTRATIONS = 10000, /* that are timed */
};

/* One provider with `instances` blocks of COUNTERS values of 8 bytes. */
struct scene {
    struct kernel_scene booted;
    uint32_t instances;
    uint64_t mask;
    uint8_t *block; /* all of them */
    PCW_COUNTER_DESCRIPTOR *counter;
    PCW_REGISTRATION_INFORMATION *info;
    UNICODE_STRING *name;
    WCHAR *text;
    PCW_DATA *data;
    void **handle;
    double create_ns, collect_ns;
};

static const uint16_t set_name[] = {'B', 'e', 'n', 'c', 'h'};
static const uint16_t everything[] = {'*'};

static void *guest(struct scene *scene, size_t size)
{
    return kernel_scene_memory(&scene->booted, size);
}

/* The provider has counted before somebody asks: its memory is there. */
static void count(struct scene *scene)
{
    for (uint64_t i = 0; i < (uint64_t)scene->instances * COUNTERS; i++) {
        memcpy(scene->block + i * sizeof(i), &i, sizeof(i));
    }
}

static void describe(struct scene *scene)
{
    UNICODE_STRING *name = guest(scene, sizeof(*name));
    WCHAR *text = guest(scene, sizeof(set_name));

    memcpy(text, set_name, sizeof(set_name));
    *name = (UNICODE_STRING){.Length = sizeof(set_name),
        .MaximumLength = sizeof(set_name),
        .Buffer = text};
    scene->counter = guest(scene, COUNTERS * sizeof(*scene->counter));
    for (uint16_t i = 0; i < COUNTERS; i++) {
        scene->counter[i] = (PCW_COUNTER_DESCRIPTOR){
            i, 0, (USHORT)(i * sizeof(uint64_t)), sizeof(uint64_t)};
    }
    scene->info = guest(scene, sizeof(*scene->info));
    *scene->info = (PCW_REGISTRATION_INFORMATION){.Version = PCW_VERSION_1,
        .Name = name,
        .CounterCount = COUNTERS,
        .Counters = scene->counter};
    scene->text = guest(scene, NAME_UNITS * sizeof(*scene->text));
    scene->name = guest(scene, sizeof(*scene->name));
    *scene->name = (UNICODE_STRING){.Length = NAME_UNITS * 2,
        .MaximumLength = NAME_UNITS * 2,
        .Buffer = scene->text};
    scene->data = guest(scene, sizeof(*scene->data));
    scene->handle = guest(scene, sizeof(*scene->handle));
    scene->block = guest(scene, (size_t)scene->instances * BLOCK_BYTES);
    count(scene);
}

static void write_name(WCHAR *text, uint32_t number)
{
    for (unsigned i = 0; i < NAME_UNITS; i++, number /= 10) {
        text[i] = (WCHAR)('0' + number % 10);
    }
}

static void create(struct scene *scene)
{
    PPCW_REGISTRATION registration;

    PcwRegister((PPCW_REGISTRATION *)scene->handle, scene->info);
    registration = *scene->handle;
    assert(registration != NULL);
    for (uint32_t i = 0; i < scene->instances; i++) {
        NTSTATUS status;

        write_name(scene->text, i);
        *scene->data =
            (PCW_DATA){.Data = scene->block + (size_t)i * BLOCK_BYTES,
                .Size = BLOCK_BYTES};
        status = PcwCreateInstance((PPCW_INSTANCE *)scene->handle, registration,
            scene->name, 1, scene->data);
        assert(status == STATUS_SUCCESS);
        (void)status;
    }
}

static void work(void *argument)
{
    struct scene *scene = argument;
    const struct pcw_filter filter = {
        .set = {set_name, sizeof(set_name) / sizeof(*set_name)},
        .instance = {everything, 1},
        .id = PCW_ANY_INSTANCE_ID,
        .counters = scene->mask,
        .multiple = true,
    };
    const struct pcw_result *result;
    const struct pcw_row *last;
    struct pcw_query *query;
    double start = stopwatch_ns();

    create(scene);
    scene->create_ns = stopwatch_ns() - start;
    start = stopwatch_ns();
    query = pcw_query_open(&scene->booted.kernel, &filter);
    result =
        pcw_query_collect(&scene->booted.kernel, query, PCW_NEVER_CANCELLED);
    assert(result->row_count == scene->instances);
    last = &result->row[scene->instances - 1];
    assert(last->value[last->value_count - 1] ==
           (uint64_t)(scene->instances - 1) * COUNTERS +
               last->column[last->value_count - 1].counter);
    (void)last;
    pcw_query_close(&scene->booted.kernel, query);
    scene->collect_ns = stopwatch_ns() - start;
}

static void boot(struct scene *scene, uint32_t instances)
{
    *scene = (struct scene){.instances = instances};
    kernel_scene_init(&scene->booted, 2, MODEL_INTEL_V2);
    describe(scene);
}

static void run(struct scene *scene, uint32_t instances, uint64_t mask)
{
    boot(scene, instances);
    scene->mask = mask;
    kernel_scene_spawn(&scene->booted, 0, work, scene);
    kernel_scene_run(&scene->booted);
    assert(scene->collect_ns > 0);
    kernel_scene_release(&scene->booted);
}

double pcw_collect_10000(void)
{
    struct scene scene;

    run(&scene, MANY, UINT64_MAX);
    return scene.create_ns + scene.collect_ns;
}

/* The least that it costs: each value is copied once. */
double pcw_copies(void)
{
    uint64_t *from = calloc(MANY, BLOCK_BYTES);
    uint64_t *to = malloc((size_t)MANY * BLOCK_BYTES);
    double start = stopwatch_ns(), ns;

    assert(from != NULL && to != NULL);
    memcpy(to, from, (size_t)MANY * BLOCK_BYTES);
    ns = stopwatch_ns() - start;
    assert(to[MANY] == 0);
    free(from);
    free(to);
    return ns;
}

/* Of one instance, created among so many. */
static double create_among(uint32_t instances)
{
    struct scene scene;
    double ns = 0;

    for (uint32_t i = 0; i < MANY / instances && i < ROUNDS; i++) {
        run(&scene, instances, UINT64_MAX);
        ns += scene.create_ns / instances;
    }
    return ns / (MANY / instances < ROUNDS ? MANY / instances : ROUNDS);
}

double pcw_create_among_10000(void)
{
    return create_among(MANY);
}

double pcw_create_among_100(void)
{
    return create_among(FEW);
}

/* Of one value that is asked for. */
static double collect_value(uint64_t mask, unsigned counters)
{
    struct scene scene;

    run(&scene, MANY, mask);
    return scene.collect_ns / (MANY * counters);
}

double pcw_collect_64_counters(void)
{
    return collect_value(UINT64_MAX, COUNTERS);
}

double pcw_collect_16_counters(void)
{
    return collect_value(UINT64_C(0x1111111111111111), COUNTERS / 4);
}

/* What is timed of a set that is registered among others. */
struct registering {
    struct scene *scene;
    uint32_t sets;
    double ns;
};

static PPCW_REGISTRATION register_set(struct scene *scene, uint32_t number)
{
    write_name(scene->text, number);
    PcwRegister((PPCW_REGISTRATION *)scene->handle, scene->info);
    assert(*scene->handle != NULL);
    return *scene->handle;
}

/* One that comes and goes has the name that is known the longest. */
static void register_among(void *argument)
{
    struct registering *work = argument;
    struct scene *scene = work->scene;

    scene->info->Name = scene->name;
    scene->info->CounterCount = 1;
    for (uint32_t i = 0; i < work->sets; i++) {
        register_set(scene, i);
    }
    for (uint32_t i = 0; i < REGISTRATIONS; i++) {
        PPCW_REGISTRATION registration;
        double start = stopwatch_ns();

        registration = register_set(scene, 0);
        work->ns += stopwatch_ns() - start;
        PcwUnregister(registration);
    }
}

static double register_time(uint32_t sets)
{
    struct scene scene;
    struct registering work = {.scene = &scene, .sets = sets};

    boot(&scene, 1);
    kernel_scene_spawn(&scene.booted, 0, register_among, &work);
    kernel_scene_run(&scene.booted);
    assert(work.ns > 0);
    kernel_scene_release(&scene.booted);
    return work.ns / REGISTRATIONS;
}

double pcw_register_among_10000(void)
{
    return register_time(MANY);
}

double pcw_register_among_10(void)
{
    return register_time(REGISTERED_FEW);
}
