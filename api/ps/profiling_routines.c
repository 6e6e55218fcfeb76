/* profiling_routines.c - EnableThreadProfiling, ReadThreadProfilingData and
 * kin, and kernel32's handles of threads that they take (facts.md 4). */
#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"
#include "api/nt/win32_error.h"
#include "api/ob/handle.h"
#include "api/ps/profiling.h"
#include "api/ps/thread.h"
#include "sim/base/bits.h"

enum {
    THREAD_PROFILING_FLAG_DISPATCH = 1,
    READ_DISPATCHING = 1,
    READ_HARDWARE_COUNTERS = 2,
    PERFORMANCE_DATA_VERSION = 1,
    /* What it takes to copy the figures: a switch that comes meanwhile spoils
     * them. Our own figures (docs/fidelity.md). */
    COPY_CYCLES = 200,
    COPY_INSTRUCTIONS = 120,
};

static const uintptr_t CURRENT_THREAD = (uintptr_t)INT64_C(-2);

/* NULL: it is no thread's handle. */
static struct kthread *thread_by(struct kernel *kernel, HANDLE handle)
{
    struct counted_object *object;

    if ((uintptr_t)handle == CURRENT_THREAD) {
        return kthread_current(kernel);
    }
    object = handle_object(kernel, handle);
    return object == NULL ? NULL : ps_thread_in(object);
}

HANDLE GetCurrentThread_body(void)
{
    return (HANDLE)CURRENT_THREAD;
}

ULONG GetCurrentThreadId_body(void)
{
    return (ULONG)kthread_current(kernel_current())->id;
}

HANDLE OpenThread_body(
    ULONG dwDesiredAccess, ULONG bInheritHandle, ULONG dwThreadId)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kernel->threads->newest;

    (void)dwDesiredAccess;
    (void)bInheritHandle;
    while (thread != NULL &&
           (thread->ended || thread->idle || thread->id != dwThreadId)) {
        thread = thread->older;
    }
    return thread == NULL
               ? NULL
               : handle_open(kernel, &ps_thread_of(kernel, thread)->object);
}

ULONG CloseHandle_body(HANDLE hObject)
{
    struct kernel *kernel = kernel_current();

    if (handle_object(kernel, hObject) == NULL) {
        return false;
    }
    handle_close(kernel, hObject);
    return true;
}

/* KHC-ARCH-02, KHC-ARCH-04, KHC-ARCH-05 [C]. */
static bool is_supported(const struct kernel *kernel)
{
    return kernel->arch->profiling && kernel->arch_id != ARCH_IA64 &&
           !(kernel->arch_id == ARCH_ARM64 &&
               ruling_is(kernel, RULED_KHC_ARCH_05_invalid_function));
}

/* HCP-EN-01b, HCP-EN-02b, HCP-EN-03b, HCP-EN-07b, HCP-EN-08, all [C]. */
static ULONG check_request(struct kernel *kernel, const struct kthread *thread,
    ULONG flags, ULONGLONG counters, const HANDLE *out)
{
    if (thread != kthread_current(kernel)) {
        return ruling_is(kernel, RULED_HCP_EN_01b_access_denied)
                   ? ERROR_ACCESS_DENIED
               : ruling_is(kernel, RULED_HCP_EN_01b_invalid_handle)
                   ? ERROR_INVALID_HANDLE
                   : ERROR_INVALID_PARAMETER;
    }
    if ((flags & ~(ULONG)THREAD_PROFILING_FLAG_DISPATCH) != 0 &&
        !ruling_is(kernel, RULED_HCP_EN_02b_accept)) {
        return ERROR_INVALID_PARAMETER;
    }
    if (counters >> MAX_HW_COUNTERS != 0 &&
        !ruling_is(kernel, RULED_HCP_EN_03b_ignore)) {
        return ERROR_INVALID_PARAMETER;
    }
    if (out == NULL && !ruling_is(kernel, RULED_HCP_EN_07b_fault)) {
        return ERROR_INVALID_PARAMETER;
    }
    if (flags == 0 && counters == 0 &&
        ruling_is(kernel, RULED_HCP_EN_08_invalid)) {
        return ERROR_INVALID_PARAMETER;
    }
    return ERROR_SUCCESS;
}

/* Already enabled, or another application is at it (HCP-EN-09, HCP-EN-10b, both
 * [C]). */
static ULONG check_others(struct kernel *kernel, const struct kthread *thread)
{
    const struct profiling *profiling = kernel->profiling;

    if (thread->profile != NULL &&
        !ruling_is(kernel, RULED_HCP_EN_09_success)) {
        return ruling_is(kernel, RULED_HCP_EN_09_invalid)
                   ? ERROR_INVALID_PARAMETER
                   : ERROR_WMI_ALREADY_ENABLED;
    }
    if (profiling->process == NULL || profiling->process == thread->driver) {
        return ERROR_SUCCESS;
    }
    if (ruling_is(kernel, RULED_HCP_EN_10b_reject)) {
        return ERROR_WMI_ALREADY_ENABLED;
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_PROFILING_SECOND_APPLICATION,
        ROUTINE_EnableThreadProfiling);
    return ERROR_SUCCESS;
}

/* Bit n is the n-th of the configuration, or else (HCP-EN-06a [C]) that whose
 * Index is n. */
static uint64_t mask_of(const struct kernel *kernel, ULONGLONG counters)
{
    uint64_t mask = counters & bits_low(MAX_HW_COUNTERS);
    uint64_t by_index = 0;

    if (!ruling_is(kernel, RULED_HCP_EN_06a_index)) {
        return mask;
    }
    for (ULONG n = 0; n < kernel->config->count; n++) {
        ULONG64 index = kernel->config->counter[n].Index;

        if (index < MAX_HW_COUNTERS && bit_is_set(mask, (unsigned)index)) {
            by_index |= bit(n);
        }
    }
    return by_index;
}

ULONG EnableThreadProfiling_body(HANDLE ThreadHandle, ULONG Flags,
    ULONGLONG HardwareCounters, PHANDLE PerformanceDataHandle)
{
    const enum routine routine = ROUTINE_EnableThreadProfiling;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = thread_by(kernel, ThreadHandle);
    struct thread_profile *profile;
    ULONG error;
    HANDLE handle;

    if (!is_supported(kernel)) { /* HCP-EN-11 [C] */
        return ruling_is(kernel, RULED_HCP_EN_11_not_supported)
                   ? ERROR_NOT_SUPPORTED
                   : ERROR_INVALID_FUNCTION;
    }
    error = check_request(
        kernel, thread, Flags, HardwareCounters, PerformanceDataHandle);
    if (error == ERROR_SUCCESS) {
        copy_probe(kernel, routine, PerformanceDataHandle,
            sizeof(*PerformanceDataHandle), true);
        error = check_others(kernel, thread);
    }
    if (error != ERROR_SUCCESS) {
        return error; /* HCP-EN-07c [C] */
    }
    if (thread->profile != NULL) {
        profiling_disable(kernel, thread->profile);
    }
    if (kernel->profiling->process == NULL) {
        kernel->profiling->process = thread->driver;
    }
    profile = profiling_enable(
        kernel, &(struct thread_profile){.process = thread->driver,
                    .flags = Flags & THREAD_PROFILING_FLAG_DISPATCH,
                    .mask = mask_of(kernel, HardwareCounters)});
    handle = (HANDLE)(uintptr_t)profile->handle;
    copy_out(kernel, routine, PerformanceDataHandle, &handle, sizeof(handle));
    return ERROR_SUCCESS;
}

ULONG DisableThreadProfiling_body(HANDLE PerformanceDataHandle)
{
    struct kernel *kernel = kernel_current();
    struct thread_profile *profile =
        profiling_find(kernel, PerformanceDataHandle);

    if (!is_supported(kernel)) {
        return ERROR_INVALID_FUNCTION;
    }
    if (profile == NULL || profile->thread != kthread_current(kernel)) {
        return ruling_is(kernel, RULED_HCP_DIS_01b_invalid_handle)
                   ? ERROR_INVALID_HANDLE
                   : ERROR_INVALID_PARAMETER;
    }
    profiling_disable(kernel, profile);
    return ERROR_SUCCESS;
}

ULONG QueryThreadProfiling_body(HANDLE ThreadHandle, BOOLEAN *Enabled)
{
    const enum routine routine = ROUTINE_QueryThreadProfiling;
    struct kernel *kernel = kernel_current();
    const struct kthread *thread = thread_by(kernel, ThreadHandle);
    BOOLEAN enabled;

    if (!is_supported(kernel)) {
        return ERROR_INVALID_FUNCTION;
    }
    if (thread == NULL) {
        return ruling_is(kernel, RULED_HCP_QRY_01b_invalid)
                   ? ERROR_INVALID_PARAMETER
                   : ERROR_INVALID_HANDLE;
    }
    if (Enabled == NULL && !ruling_is(kernel, RULED_HCP_QRY_01c_fault)) {
        return ERROR_INVALID_PARAMETER;
    }
    enabled = thread->profile != NULL;
    copy_out(kernel, routine, Enabled, &enabled, sizeof(enabled));
    return ERROR_SUCCESS;
}

/* HCP-RD-01, HCP-RD-02 [C]. */
static bool may_read(const struct kernel *kernel,
    const struct thread_profile *profile, ULONG flags)
{
    const ULONG known = READ_DISPATCHING | READ_HARDWARE_COUNTERS;
    ULONG there = (profile->flags != 0 ? READ_DISPATCHING : 0) |
                  (profile->mask != 0 ? READ_HARDWARE_COUNTERS : 0);

    if (flags == 0 || (flags & ~known) != 0) {
        return ruling_is(kernel, RULED_HCP_RD_02_zero);
    }
    return (flags & ~there) == 0 || ruling_is(kernel, RULED_HCP_RD_02_zero);
}

/* A copy that no switch has spoilt; returns how often one had (HCP-RD-08a). */
static ULONG copy_figures(struct kernel *kernel, struct thread_profile *profile,
    struct thread_profile *copy)
{
    ULONG retries = 0;

    for (;;) {
        uint64_t updates = profile->updates;

        profiling_update(kernel, profile);
        *copy = *profile;
        cpu_spend(kernel_cpu(kernel), COPY_CYCLES, COPY_INSTRUCTIONS);
        cpu_checkpoint(kernel_cpu(kernel));
        if (profile->updates == updates) {
            return retries;
        }
        retries++;
    }
}

static void fill_dispatching(
    PERFORMANCE_DATA *data, const struct thread_profile *profile, ULONG retries)
{
    data->ContextSwitchCount = profile->switches;
    data->WaitReasonBitMap = profile->reasons;
    data->CycleTime = profile->cycles;
    data->RetryCount = retries;
}

/* HCP-RD-09b [C], HCP-RD-10 [C], HCP-EN-04. */
static void fill_counters(const struct kernel *kernel, PERFORMANCE_DATA *data,
    const struct thread_profile *profile)
{
    uint64_t counted = profiling_counted(kernel, profile);
    uint64_t told =
        ruling_is(kernel, RULED_HCP_RD_09b_mask) ? profile->mask : counted;

    for (unsigned n = 0; n < MAX_HW_COUNTERS; n++) {
        data->HwCounters[n] = (HARDWARE_COUNTER_DATA){.Type = PMCCounter};
    }
    for (uint64_t left = counted; left != 0; left &= left - 1) {
        data->HwCounters[bits_lowest(left)].Value =
            profile->total[bits_lowest(left)];
    }
    data->HwCountersCount = 0;
    for (; told != 0; told &= told - 1) {
        data->HwCountersCount++;
    }
}

/* In the order of HCP-RD-13 [C]. */
static ULONG check_read(struct kernel *kernel,
    const struct thread_profile *profile, ULONG flags,
    const PERFORMANCE_DATA *given, PERFORMANCE_DATA *data)
{
    if (profile == NULL || (profile->thread != kthread_current(kernel) &&
                               !ruling_is(kernel, RULED_HCP_RD_11_accept))) {
        return ERROR_INVALID_PARAMETER;
    }
    if (!may_read(kernel, profile, flags) || given == NULL) {
        return ERROR_INVALID_PARAMETER;
    }
    copy_in(
        kernel, ROUTINE_ReadThreadProfilingData, data, given, sizeof(*data));
    if (data->Size != sizeof(*data) ||
        data->Version != PERFORMANCE_DATA_VERSION) {
        return ruling_is(kernel, RULED_HCP_RD_03b_mismatch)
                   ? ERROR_REVISION_MISMATCH
                   : ERROR_INVALID_PARAMETER;
    }
    return ERROR_SUCCESS;
}

ULONG ReadThreadProfilingData_body(HANDLE PerformanceDataHandle, ULONG Flags,
    PERFORMANCE_DATA *PerformanceData)
{
    const enum routine routine = ROUTINE_ReadThreadProfilingData;
    struct kernel *kernel = kernel_current();
    struct thread_profile *profile =
        profiling_find(kernel, PerformanceDataHandle);
    struct thread_profile copy;
    PERFORMANCE_DATA data;
    ULONG error, retries = 0;

    if (!is_supported(kernel)) {
        return ERROR_INVALID_FUNCTION;
    }
    error = check_read(kernel, profile, Flags, PerformanceData, &data);
    if (error != ERROR_SUCCESS) {
        return error;
    }
    if (profile->running && profile->processor == kernel_cpu(kernel)->index) {
        retries = copy_figures(kernel, profile, &copy);
    } else {
        copy = *profile; /* HCP-RD-11 [C] is flipped */
    }
    if ((Flags & READ_DISPATCHING) != 0 && copy.flags != 0) {
        fill_dispatching(&data, &copy, retries);
    }
    if ((Flags & READ_HARDWARE_COUNTERS) != 0) {
        fill_counters(kernel, &data, &copy);
    }
    if ((Flags & READ_DISPATCHING) != 0 ||
        ruling_is(kernel, RULED_HCP_RD_07b_every_read)) {
        profile->reasons = 0; /* HCP-RD-07a, HCP-RD-07b [C] */
    }
    copy_out(kernel, routine, PerformanceData, &data, sizeof(data));
    return ERROR_SUCCESS;
}
