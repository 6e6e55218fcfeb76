/* pcw_scene.h - a provider of counter sets made of functions here, and a
 * consumer. The provider's calls are jobs: arguments in, what came of it out.
 * Its callback does what the test plans and notes what it got. */
#ifndef TESTS_API_PCW_PCW_SCENE_H
#define TESTS_API_PCW_PCW_SCENE_H

#include "api/boot/exports.h"
#include "api/core/gate.h"
#include "api/pcw/query.h"
#include "tests/api/booted_kernel.h"

enum { PCW_SCENE_ADDS = 48, PCW_SCENE_CALLS = 64, PCW_SCENE_ARGUMENTS = 5 };

#define PCW_ALL_COUNTERS UINT64_MAX

/* Of a literal; the first one in the initializer of a table. */
#define PCW_TEXT_ROW(literal)                                                  \
    {                                                                          \
        (const uint16_t *)(literal), sizeof(literal) / sizeof(uint16_t) - 1    \
    }
#define PCW_TEXT(literal) ((struct pcw_text)PCW_TEXT_ROW(literal))

/* A call of a routine. */
struct pcw_job {
    enum routine routine;
    uint64_t argument[PCW_SCENE_ARGUMENTS];
    uint8_t irql; /* at which it is called */
    bool done, raised;
    struct exception_record record;
    uint32_t status;
};

static inline void pcw_job_call(void *argument)
{
    struct pcw_job *job = argument;

    job->status = (uint32_t)gate_call(job->routine, job->argument);
}

static inline void pcw_job_main(void *argument)
{
    struct pcw_job *job = argument;

    if (job->irql > 0) {
        KfRaiseIrql(job->irql);
    }
    job->raised = booted_catch(pcw_job_call, job, &job->record);
    job->done = true;
}

/* Runs it on processor 0, to its end. */
static inline void pcw_run(struct booted_kernel *booted, struct pcw_job *job)
{
    booted_run(booted, 0, pcw_job_main, job);
    assert_true(job->done);
}

static inline uint64_t pcw_value(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* A counted string of the driver's, its characters up to the end of a block. */
static inline PUNICODE_STRING pcw_name(
    struct booted_kernel *booted, struct pcw_text text)
{
    size_t bytes = text.length * sizeof(*text.at);
    UNICODE_STRING string = {.Length = (USHORT)bytes,
        .MaximumLength = (USHORT)bytes,
        .Buffer = booted_copy(booted, text.at, bytes)};

    return booted_copy(booted, &string, sizeof(string));
}

/* Registrations: descriptors and what else is said. */
struct pcw_set {
    struct pcw_text name;
    const PCW_COUNTER_DESCRIPTOR *counter;
    ULONG count;
    code_function *callback;
    void *context;
    bool silo_neutral;
};

static inline PPCW_REGISTRATION_INFORMATION pcw_information(
    struct booted_kernel *booted, const struct pcw_set *set)
{
    PCW_REGISTRATION_INFORMATION info = {
        .Version = set->silo_neutral ? PCW_VERSION_2 : PCW_VERSION_1,
        .Name = pcw_name(booted, set->name),
        .CounterCount = set->count,
        .Callback = (PPCW_CALLBACK)(uintptr_t)set->callback,
        .CallbackContext = set->context,
        .Flags = set->silo_neutral ? PcwRegistrationSiloNeutral
                                   : PcwRegistrationNone,
    };

    if (set->count > 0) {
        info.Counters = booted_copy(
            booted, set->counter, set->count * sizeof(*set->counter));
    }
    return booted_copy(booted, &info, sizeof(info));
}

static inline uint64_t pcw_register(
    struct booted_kernel *booted, const struct pcw_set *set)
{
    uint64_t *handle = booted_block(booted, sizeof(*handle), 0xA5);
    struct pcw_job job = {.routine = ROUTINE_PcwRegister,
        .argument = {
            pcw_value(handle), pcw_value(pcw_information(booted, set))}};

    pcw_run(booted, &job);
    assert_false(job.raised);
    assert_int_equal(job.status, 0x00000000);
    return *handle;
}

static inline void pcw_unregister(
    struct booted_kernel *booted, uint64_t registration)
{
    struct pcw_job job = {
        .routine = ROUTINE_PcwUnregister, .argument = {registration}};

    pcw_run(booted, &job);
    assert_false(job.raised);
}

/* An instance with one block, or none. */
static inline uint64_t pcw_create(struct booted_kernel *booted,
    uint64_t registration, struct pcw_text name, const void *block, ULONG size)
{
    uint64_t *handle = booted_block(booted, sizeof(*handle), 0xA5);
    const PCW_DATA data = {
        .Data = (PVOID)(uintptr_t)pcw_value(block), .Size = size};
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance,
        .argument = {pcw_value(handle), registration,
            pcw_value(pcw_name(booted, name)), block != NULL}};

    if (block != NULL) {
        job.argument[4] = pcw_value(booted_copy(booted, &data, sizeof(data)));
    }
    pcw_run(booted, &job);
    assert_false(job.raised);
    assert_int_equal(job.status, 0x00000000);
    return *handle;
}

static inline void pcw_close(struct booted_kernel *booted, uint64_t instance)
{
    struct pcw_job job = {
        .routine = ROUTINE_PcwCloseInstance, .argument = {instance}};

    pcw_run(booted, &job);
    assert_false(job.raised);
}

/* A call of the callback, as the provider sees it. */
struct pcw_noted {
    uint64_t type;
    PCW_CALLBACK_INFORMATION info;
    UNICODE_STRING mask;
    uint16_t mask_first; /* character */
    uint64_t time;
    KIRQL irql;
    const void *owner;
    uint8_t event[24];
    LONG event_before, event_after; /* of a type that has one */
};

/* Behind the CallbackContext. */
struct pcw_provider {
    struct pcw_job add[PCW_SCENE_ADDS]; /* Buffer is filled in */
    unsigned adds;
    NTSTATUS returns;
    void (*during)(struct pcw_provider *provider, uint64_t type);
    void *argument; /* for it */
    struct pcw_noted noted[PCW_SCENE_CALLS];
    unsigned calls;
};

static inline void pcw_provider_add(struct pcw_provider *provider,
    PUNICODE_STRING name, ULONG id, ULONG count, const PCW_DATA *data)
{
    provider->add[provider->adds++] =
        (struct pcw_job){.routine = ROUTINE_PcwAddInstance,
            .argument = {0, pcw_value(name), id, count, pcw_value(data)}};
}

/* How often the callback was called with the type. */
static inline unsigned pcw_provider_count(
    const struct pcw_provider *provider, PCW_CALLBACK_TYPE type)
{
    unsigned count = 0;

    for (unsigned i = 0; i < provider->calls; i++) {
        count += provider->noted[i].type == type;
    }
    return count;
}

/* A PCW_CALLBACK. */
static inline uint64_t NTAPI pcw_callback_of_scene(uint64_t type, uint64_t info,
    uint64_t context, uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct kernel *kernel = kernel_current();
    struct pcw_provider *provider = (struct pcw_provider *)(uintptr_t)context;
    struct pcw_noted *noted =
        &provider->noted[provider->calls++ % PCW_SCENE_CALLS];
    bool asks = type >= PcwCallbackEnumerateInstances;

    (void)fourth;
    (void)fifth;
    (void)sixth;
    *noted = (struct pcw_noted){.type = type,
        .info = *(const PCW_CALLBACK_INFORMATION *)(uintptr_t)info,
        .time = kernel_cpu(kernel)->time,
        .irql = KeGetCurrentIrql(),
        .owner = strand_current(kernel->machine)->owner};
    noted->mask = *(const UNICODE_STRING *)noted->info.AddCounter.InstanceMask;
    noted->mask_first =
        noted->mask.Length > 0 ? *(const uint16_t *)noted->mask.Buffer : 0;
    if (asks) {
        memcpy(noted->event, noted->info.CollectData.CancelEvent,
            sizeof(noted->event));
        noted->event_before =
            KeReadStateEvent(noted->info.CollectData.CancelEvent);
    }
    if (provider->during != NULL) {
        provider->during(provider, type);
    }
    for (unsigned i = 0; asks && i < provider->adds; i++) {
        struct pcw_job job = provider->add[i]; /* others may be in here, too */

        job.argument[0] = pcw_value(noted->info.CollectData.Buffer);
        pcw_job_main(&job);
        provider->add[i] = job;
    }
    if (asks) {
        noted->event_after =
            KeReadStateEvent(noted->info.CollectData.CancelEvent);
    }
    return (uint32_t)provider->returns;
}

/* A consumer of one query. */
struct pcw_consumer {
    struct kernel *kernel;
    struct pcw_filter filter;
    uint32_t cancel_after;
    uint8_t irql; /* at which it asks */
    struct pcw_query *query;
    const struct pcw_result *result;
};

/* One that asks for all of the set. */
static inline struct pcw_consumer pcw_consumer_of(
    struct booted_kernel *booted, struct pcw_text set)
{
    return (struct pcw_consumer){
        .kernel = &booted->kernel,
        .filter = {.set = set,
            .instance = PCW_TEXT(u"*"),
            .id = PCW_ANY_INSTANCE_ID,
            .counters = PCW_ALL_COUNTERS,
            .multiple = true},
        .cancel_after = PCW_NEVER_CANCELLED,
    };
}

static inline void pcw_consumer_open(void *argument)
{
    struct pcw_consumer *consumer = argument;

    consumer->query = pcw_query_open(consumer->kernel, &consumer->filter);
}

static inline void pcw_consumer_prepare(void *argument)
{
    struct pcw_consumer *consumer = argument;

    consumer->query = pcw_query_prepare(consumer->kernel, &consumer->filter);
}

static inline void pcw_consumer_collect(void *argument)
{
    struct pcw_consumer *consumer = argument;
    KIRQL before = KeGetCurrentIrql();

    if (consumer->irql > before) {
        KfRaiseIrql(consumer->irql);
    }
    consumer->result = pcw_query_collect(
        consumer->kernel, consumer->query, consumer->cancel_after);
    if (consumer->irql > before) {
        KeLowerIrql(before);
    }
}

static inline void pcw_consumer_enumerate(void *argument)
{
    struct pcw_consumer *consumer = argument;

    consumer->result = pcw_query_enumerate(
        consumer->kernel, consumer->query, consumer->cancel_after);
}

static inline void pcw_consumer_close(void *argument)
{
    struct pcw_consumer *consumer = argument;

    pcw_query_close(consumer->kernel, consumer->query);
    consumer->query = NULL;
}

/* Opens, collects once; the rows stay until the query is used again. */
static inline const struct pcw_result *pcw_collect_once(
    struct booted_kernel *booted, struct pcw_consumer *consumer)
{
    if (consumer->query == NULL) {
        booted_run(booted, 0, pcw_consumer_open, consumer);
        assert_non_null(consumer->query);
    }
    booted_run(booted, 0, pcw_consumer_collect, consumer);
    return consumer->result;
}

static inline void pcw_assert_text(struct pcw_text text, struct pcw_text want)
{
    assert_int_equal(text.length, want.length);
    assert_memory_equal(text.at, want.at, want.length * sizeof(*want.at));
}

/* Flips a ruling behind the boot. */
static inline void pcw_flip(struct booted_kernel *booted, enum ruled value)
{
    booted->kernel.rulings.value[ruled_rows[value].ruling] = (uint16_t)value;
}

/* No ruling is flipped to it: the first one's default, which holds anyway. */
#define PCW_USUAL ((enum ruled)0)

#endif
