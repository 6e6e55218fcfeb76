/* trend.c - the counters of each window of time, which a periodic timer's DPC
 * writes. A window, its timer, DPC, instance and block are one piece of memory:
 * what the timer's DPC writes and Windows reads (PCW-CRE-09). The order of its
 * end is that of all such memory: the timer is cancelled, so that it queues no
 * DPC; DPCs are flushed, so that none runs (TMR-06, DPC-07); the instance is
 * closed, so that nobody reads (PCW-CLS-04); it is freed. */
#include "scenarios/drivers/meter/trend.h"

#include "scenarios/drivers/meter/counters.h"
#include "scenarios/drivers/meter/defects.h"
#include "scenarios/drivers/meter/load.h"

struct window {
    KTIMER timer;
    KDPC dpc;
    PPCW_INSTANCE instance;
    METER_TREND trend;
    LONGLONG opened; /* by the performance counter */
    ULONG64 jobs;    /* that had ended then */
};

/* Whole ticks of the clock: 8 and 64. A timer expires at one (TMR-05). */
static const struct length {
    ULONG milliseconds;
    UNICODE_STRING name;
} lengths[] = {
    {125, RTL_CONSTANT_STRING(L"125 ms")},
    {1000, RTL_CONSTANT_STRING(L"1 s")},
};

enum { WINDOWS = RTL_NUMBER_OF(lengths) };

static struct window *windows;

static KDEFERRED_ROUTINE close_window;
static NTSTATUS make_instances(VOID);
static VOID stop_timers(VOID);
static VOID close_instances(VOID);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, trend_start, trend_stop, make_instances)
#pragma alloc_text(PAGE, stop_timers, close_instances)
#endif

static NTSTATUS register_set(VOID)
{
    PCW_REGISTRATION_INFORMATION information;

    MeterInitRegistrationInformationTrend(NULL, NULL, &information);
    information.Version = PCW_VERSION_1;
    return PcwRegister(&MeterTrend, &information);
}

/* All of a window that its DPC or Windows may look at is there before they
 * may. */
static NTSTATUS make_instances(VOID)
{
    NTSTATUS status = STATUS_SUCCESS;

    PAGED_CODE();
    for (ULONG i = 0; i < WINDOWS && NT_SUCCESS(status); i++) {
        status = MeterCreateTrend(
            &windows[i].instance, &lengths[i].name, &windows[i].trend);
    }
    return status;
}

/* One processor for all, so that a DPC never runs beside itself. */
static VOID start_timer(struct window *window, ULONG milliseconds)
{
    LARGE_INTEGER due = {.QuadPart = -(LONGLONG)milliseconds * 10000};

    KeInitializeTimer(&window->timer);
    KeInitializeDpc(&window->dpc, close_window, window);
    KeSetTargetProcessorDpc(&window->dpc, 0);
    window->jobs = load_jobs();
    window->opened = KeQueryPerformanceCounter(NULL).QuadPart;
    KeSetTimerEx(&window->timer, due, (LONG)milliseconds, &window->dpc);
}

/* At DISPATCH_LEVEL: a window is over, and the next one begins. */
static VOID NTAPI close_window(
    PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    struct window *window = context;
    LONGLONG now = KeQueryPerformanceCounter(NULL).QuadPart;
    ULONG64 jobs = load_jobs();

    UNREFERENCED_PARAMETER(dpc);
    UNREFERENCED_PARAMETER(argument1);
    UNREFERENCED_PARAMETER(argument2);
    window->trend.Last = (ULONG)(jobs - window->jobs);
    if (window->trend.Last > window->trend.Most) {
        window->trend.Most = window->trend.Last;
    }
    window->trend.Ticks += (ULONG)(now - window->opened);
    window->trend.Samples++;
    window->jobs = jobs;
    window->opened = now;
}

NTSTATUS trend_start(VOID)
{
    POOL_TYPE pool = DEFECT == DEFECT_WINDOW_PAGED ? PagedPool : NonPagedPoolNx;
    SIZE_T size = WINDOWS * sizeof(struct window);
    NTSTATUS status;

    PAGED_CODE();
    windows = ExAllocatePoolWithTag(pool, size, METER_TAG);
    if (windows == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlZeroMemory(windows, size);
    status = register_set();
    if (NT_SUCCESS(status)) {
        status = make_instances();
        if (!NT_SUCCESS(status)) {
            close_instances();
            MeterUnregisterTrend();
        }
    }
    if (!NT_SUCCESS(status)) {
        ExFreePoolWithTag(windows, METER_TAG);
        return status;
    }
    for (ULONG i = 0; i < WINDOWS; i++) {
        start_timer(&windows[i], lengths[i].milliseconds);
    }
    return STATUS_SUCCESS;
}

static VOID stop_timers(VOID)
{
    PAGED_CODE();
    for (ULONG i = 0; i < WINDOWS && DEFECT != DEFECT_TIMER_LEFT; i++) {
        KeCancelTimer(&windows[i].timer);
    }
    KeFlushQueuedDpcs();
}

static VOID close_instances(VOID)
{
    PAGED_CODE();
    for (ULONG i = 0; i < WINDOWS; i++) {
        if (windows[i].instance != NULL) {
            MeterCloseTrend(windows[i].instance);
        }
    }
}

VOID trend_stop(VOID)
{
    PAGED_CODE();
    stop_timers();
    if (DEFECT != DEFECT_BLOCK_FREED) {
        close_instances();
    }
    ExFreePoolWithTag(windows, METER_TAG);
    MeterUnregisterTrend();
}
