/* ticks.c - general counter 0 of a PMU that was granted as a whole, which every
 * Windows since 7 does, and the routine that HalDispatchTable installs. The HAL
 * stays out then: status, reload and LVTPC are the routine's own. */
#include "scenarios/drivers/ticker/ticks.h"

#include <intrin.h>

#include "scenarios/drivers/ticker/defects.h"

enum {
    CPUID_FEATURES = 1,
    CPUID_PMU = 0x0A,
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_PERF_GLOBAL_STATUS = 0x38E,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390,
    IA32_X2APIC_LVT_PMI = 0x834,
    LVT_MASKED = 1 << 16,
    LVT_NMI = 4 << 8,
    SELECT = 0x5300C0, /* instructions, in all rings, with an interrupt */
    PROCESSORS = 64,
};

/* Of a processor that ticks by NMIs: one may still be on its way when its
 * counter has stopped. */
enum phase { TICKING, STOPPED, STOPPED_AND_LATE };

#define HYPERVISOR_PRESENT (1u << 31)

typedef VOID (*PMIHANDLER)(PVOID TrapFrame);

/* All that the routine touches is resident. */
static struct {
    HANDLE set;     /* NULL: it does not tick */
    PVOID callback; /* NULL: it ticks by the routine */
    ULONG period;
    volatile LONG ticks[PROCESSORS];
    ULONG64 lvt[PROCESSORS]; /* LVTPC as it was */
    volatile LONG phase[PROCESSORS];
    KSPIN_LOCK lock; /* for a planted mistake only */
} state;

BOOLEAN ticks_are_possible(VOID)
{
    int leaf[4];

    __cpuid(leaf, CPUID_FEATURES);
    if (((ULONG)leaf[2] & HYPERVISOR_PRESENT) != 0) {
        return FALSE;
    }
    __cpuid(leaf, 0);
    if (leaf[0] < CPUID_PMU) {
        return FALSE;
    }
    __cpuid(leaf, CPUID_PMU);
    return (leaf[0] & 0xFF) >= 2;
}

static ULONG own_index(VOID)
{
    return KeGetCurrentProcessorNumberEx(NULL) % PROCESSORS;
}

/* Clears what has overflowed and presets. FALSE: the counter has not. */
static BOOLEAN count_here(VOID)
{
    if ((__readmsr(IA32_PERF_GLOBAL_STATUS) & 1) == 0) {
        return FALSE;
    }
    __writemsr(IA32_PERF_GLOBAL_OVF_CTRL, 1);
    __writemsr(IA32_PMC0, 0 - (ULONG64)state.period);
    InterlockedIncrement(&state.ticks[own_index()]);
    return TRUE;
}

/* At PROFILE_LEVEL. Lets the next one through, because LVTPC masks itself. */
static VOID tick(PVOID TrapFrame)
{
    ULONG64 lvt = __readmsr(IA32_X2APIC_LVT_PMI);

    (void)count_here();
    if (DEFECT == DEFECT_FRAME_READ) {
        state.ticks[0] += *(volatile UCHAR *)TrapFrame;
    }
    if (DEFECT == DEFECT_ROUTINE_LOCKS) {
        KeAcquireSpinLockAtDpcLevel(&state.lock);
    }
    if (DEFECT != DEFECT_NOT_ARMED) {
        __writemsr(IA32_X2APIC_LVT_PMI, lvt & ~(ULONG64)LVT_MASKED);
    }
}

/* Whether it is the last one, whose overflow was cleared on its way. */
static BOOLEAN is_late(VOID)
{
    volatile LONG *phase = &state.phase[own_index()];

    return DEFECT != DEFECT_NMI_LATE &&
           InterlockedCompareExchange(phase, STOPPED_AND_LATE, STOPPED) ==
               STOPPED;
}

/* At HIGH_LEVEL. What is no overflow is left to others. */
static BOOLEAN NTAPI tick_by_nmi(PVOID Context, BOOLEAN Handled)
{
    BOOLEAN own = count_here() || is_late();

    UNREFERENCED_PARAMETER(Context);
    UNREFERENCED_PARAMETER(Handled);
    if (state.phase[own_index()] == TICKING) {
        __writemsr(IA32_X2APIC_LVT_PMI, LVT_NMI);
    }
    return DEFECT == DEFECT_NMI_DENIED ? FALSE : own;
}

static NTSTATUS install(PMIHANDLER routine)
{
    if (DEFECT == DEFECT_OTHER_SLOT) {
        HalEndOfBoot();
    }
    if (DEFECT == DEFECT_TABLE_WRITTEN) {
        HalEndOfBoot = NULL;
    }
    return HalSetSystemInformation(
        HalProfileSourceInterruptHandler, sizeof(routine), &routine);
}

/* Runs on every processor at once. */
static ULONG_PTR NTAPI start_here(ULONG_PTR Argument)
{
    UNREFERENCED_PARAMETER(Argument);
    state.ticks[own_index()] = 0;
    __writemsr(IA32_PERFEVTSEL0, 0);
    __writemsr(IA32_PMC0, 0 - (ULONG64)state.period);
    __writemsr(IA32_PERF_GLOBAL_CTRL, __readmsr(IA32_PERF_GLOBAL_CTRL) | 1);
    state.phase[own_index()] = TICKING;
    if (state.callback != NULL) {
        state.lvt[own_index()] = __readmsr(IA32_X2APIC_LVT_PMI);
        __writemsr(IA32_X2APIC_LVT_PMI, LVT_NMI);
    }
    __writemsr(IA32_PERFEVTSEL0, SELECT);
    return 0;
}

static ULONG_PTR NTAPI stop_here(ULONG_PTR Argument)
{
    UNREFERENCED_PARAMETER(Argument);
    state.phase[own_index()] = STOPPED;
    __writemsr(IA32_PERFEVTSEL0, 0);
    __writemsr(IA32_PMC0, 0);
    __writemsr(IA32_PERF_GLOBAL_OVF_CTRL, 1);
    if (state.callback != NULL) {
        __writemsr(IA32_X2APIC_LVT_PMI, state.lvt[own_index()]);
    }
    return 0;
}

static NTSTATUS take_interrupt(const struct ticker_start *start)
{
    if (start->ByNmi == 0) {
        return install(tick);
    }
    state.callback = KeRegisterNmiCallback(tick_by_nmi, NULL);
    return state.callback == NULL ? STATUS_INSUFFICIENT_RESOURCES
                                  : STATUS_SUCCESS;
}

static VOID leave_interrupt(VOID)
{
    if (state.callback == NULL && DEFECT != DEFECT_ROUTINE_LEFT) {
        (void)install(NULL);
    }
    if (state.callback != NULL && DEFECT != DEFECT_NMI_LEFT) {
        (void)KeDeregisterNmiCallback(state.callback);
    }
    state.callback = NULL;
}

NTSTATUS ticks_start(const struct ticker_start *start)
{
    NTSTATUS status;

    if (state.set != NULL) {
        return STATUS_DEVICE_BUSY;
    }
    if (start->Period == 0 || start->Period > MAXLONG) {
        return STATUS_INVALID_PARAMETER;
    }
    status = HalAllocateHardwareCounters(NULL, 0, NULL, &state.set);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    KeInitializeSpinLock(&state.lock);
    state.period = start->Period;
    status = take_interrupt(start);
    if (!NT_SUCCESS(status)) {
        (void)HalFreeHardwareCounters(state.set);
        state.set = NULL;
        return status;
    }
    (void)KeIpiGenericCall(start_here, 0);
    return STATUS_SUCCESS;
}

NTSTATUS ticks_stop(VOID)
{
    NTSTATUS status;

    if (state.set == NULL) {
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    (void)KeIpiGenericCall(stop_here, 0);
    leave_interrupt();
    status = HalFreeHardwareCounters(state.set);
    state.set = NULL;
    return status;
}

NTSTATUS ticks_read(ULONG *value)
{
    if (*value >= PROCESSORS) {
        return STATUS_INVALID_PARAMETER;
    }
    *value = (ULONG)state.ticks[*value];
    return STATUS_SUCCESS;
}
