/* native_plain.c - functions that tests call by name, one for each thing that
 * native code can do; source without structured exceptions. Each has external
 * linkage, so that the image has its symbol. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;

ULONG64 add(ULONG64 a, ULONG64 b, ULONG64 c, ULONG64 d, ULONG64 e, ULONG64 f);
ULONG64 read_msr(ULONG64 index);
ULONG64 write_msr(ULONG64 index, ULONG64 value);
ULONG64 read_pmc(ULONG64 index);
ULONG64 read_irql(void);
ULONG64 raise_and_lower(ULONG64 irql);
ULONG64 lower_wrongly(void);
ULONG64 processor_number(void);
ULONG64 area_names_itself(void);
ULONG64 timestamp(void);
ULONG64 leaf_eax(ULONG64 leaf);
ULONG64 vendor(void);
ULONG64 flags_interrupt(void);
ULONG64 flags_written(ULONG64 flags);
ULONG64 flags_written_short(ULONG64 flags);
ULONG64 timestamp_on(ULONG64 mask);
ULONG64 wait_pause(ULONG64 rounds);
ULONG64 system_major(void);
ULONG64 interrupt_time(void);
ULONG64 touch(volatile UCHAR *address);
ULONG64 store(volatile UCHAR *address, ULONG64 value);
ULONG64 call(ULONG64 (*function)(void));
ULONG64 recurse(ULONG64 depth);
ULONG64 spin_forever(void);
ULONG64 stop_here(void);
ULONG64 divide(ULONG64 by);
ULONG64 in_paged_code(void);
ULONG64 read_time_paged(ULONG64 rounds);
ULONG64 floating(ULONG64 index);
ULONG64 touch_raised(volatile UCHAR *address);
ULONG64 paged_raised(void);
ULONG64 fast_fail(ULONG64 code);
ULONG64 read_port(void);
ULONG64 build_number(void);
ULONG64 shared_long(ULONG64 offset);
ULONG64 set_bad_array(void);
ULONG64 query_by_jump(void);
ULONG64 debugger(void);
ULONG64 halt_until_interrupt(void);
ULONG64 touch_for_long(volatile UCHAR *address);
ULONG64 touch_raised_later(volatile UCHAR *address);
ULONG64 lower_by_cr8_what_a_lock_raised(KSPIN_LOCK *lock);
ULONG64 lower_by_cr8_too_far(void);
ULONG64 wait_interrupt_time(ULONG64 units);
ULONG64 broadcast(PKIPI_BROADCAST_WORKER worker);
ULONG64 move_to(ULONG64 mask);
ULONG64 move_when_lowered(ULONG64 mask);
ULONG64 halt_with_interrupt_pending(void);

ULONG64 add(ULONG64 a, ULONG64 b, ULONG64 c, ULONG64 d, ULONG64 e, ULONG64 f)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

ULONG64 read_msr(ULONG64 index)
{
    return __readmsr((ULONG)index);
}

ULONG64 write_msr(ULONG64 index, ULONG64 value)
{
    __writemsr((ULONG)index, value);
    return value;
}

ULONG64 read_pmc(ULONG64 index)
{
    return __readpmc((ULONG)index);
}

ULONG64 read_irql(void)
{
    return KeGetCurrentIrql();
}

ULONG64 raise_and_lower(ULONG64 irql)
{
    KIRQL old;
    ULONG64 raised;

    KeRaiseIrql((KIRQL)irql, &old);
    raised = KeGetCurrentIrql();
    KeLowerIrql(old);
    return raised << 8 | KeGetCurrentIrql();
}

ULONG64 lower_wrongly(void)
{
    KIRQL old;

    KeRaiseIrql(DISPATCH_LEVEL, &old);
    KeLowerIrql(APC_LEVEL);
    return 0;
}

/* To CR8 the inner pair is nothing at all; to the kernel, half of it is. */
ULONG64 lower_by_cr8_what_a_lock_raised(KSPIN_LOCK *lock)
{
    KIRQL outer = KeAcquireSpinLockRaiseToDpc(&lock[0]);
    KIRQL inner = KeAcquireSpinLockRaiseToDpc(&lock[1]);

    KeReleaseSpinLockFromDpcLevel(&lock[1]);
    KeLowerIrql(inner);
    KeReleaseSpinLock(&lock[0], outer);
    return inner << 8 | KeGetCurrentIrql();
}

ULONG64 lower_by_cr8_too_far(void)
{
    KIRQL first, second;

    KeRaiseIrql(APC_LEVEL, &first);
    KeRaiseIrql(DISPATCH_LEVEL, &second);
    KeLowerIrql(first);
    return 0;
}

ULONG64 processor_number(void)
{
    return KeGetCurrentProcessorNumber();
}

/* KPCR.Self, which compilers' and headers' code goes through. */
ULONG64 area_names_itself(void)
{
    const UCHAR *area = (const UCHAR *)(ULONG_PTR)__readgsqword(0x18);

    return area != NULL && *(const ULONG64 *)(area + 0x18) == (ULONG_PTR)area;
}

ULONG64 timestamp(void)
{
    return __rdtsc();
}

ULONG64 leaf_eax(ULONG64 leaf)
{
    int out[4];

    __cpuid(out, (int)leaf);
    return (ULONG)out[0];
}

ULONG64 vendor(void)
{
    int out[4];

    __cpuid(out, 0);
    return (ULONG64)(ULONG)out[3] << 32 | (ULONG)out[1];
}

ULONG64 flags_interrupt(void)
{
    ULONG64 on, off;

    on = __readeflags();
    _disable();
    off = __readeflags();
    _enable();
    return (on >> 9 & 1) << 1 | (off >> 9 & 1);
}

ULONG64 flags_written(ULONG64 flags)
{
    ULONG64 read;

    __writeeflags(flags);
    read = __readeflags();
    _enable();
    return read;
}

ULONG64 flags_written_short(ULONG64 flags)
{
    ULONG64 read;

    __asm__ __volatile__("pushw %w1\n\tpopfw\n\tpushfq\n\tpopq %0\n\tsti"
                         : "=r"(read)
                         : "r"(flags)
                         : "cc", "memory");
    return read;
}

/* The processor that RDTSCP names, above whether time went on. */
ULONG64 timestamp_on(ULONG64 mask)
{
    GROUP_AFFINITY affinity = {0}, previous;
    ULONG64 earlier, later;
    unsigned number = 77;

    affinity.Mask = mask;
    KeSetSystemGroupAffinityThread(&affinity, &previous);
    earlier = __rdtsc();
    later = __rdtscp(&number);
    KeRevertToUserGroupAffinityThread(&previous);
    return (ULONG64)number << 1 | (later > earlier);
}

ULONG64 wait_pause(ULONG64 rounds)
{
    while (rounds-- > 0) {
        _mm_pause();
    }
    return 1;
}

ULONG64 system_major(void)
{
    return *(volatile ULONG *)0xFFFFF7800000026C;
}

ULONG64 interrupt_time(void)
{
    return *(volatile ULONG64 *)0xFFFFF78000000008;
}

ULONG64 wait_interrupt_time(ULONG64 units)
{
    ULONG64 end = interrupt_time() + units;

    while (interrupt_time() < end) {
    }
    return 1;
}

ULONG64 broadcast(PKIPI_BROADCAST_WORKER worker)
{
    return KeIpiGenericCall(worker, 0);
}

ULONG64 touch(volatile UCHAR *address)
{
    return *address;
}

ULONG64 store(volatile UCHAR *address, ULONG64 value)
{
    *address = (UCHAR)value;
    return *address;
}

ULONG64 call(ULONG64 (*function)(void))
{
    return function() + 1;
}

ULONG64 recurse(ULONG64 depth)
{
    volatile UCHAR room[512];

    room[0] = (UCHAR)depth;
    return depth == 0 ? room[0] : recurse(depth - 1) * 2 + room[0];
}

ULONG64 spin_forever(void)
{
    for (;;) {
    }
}

ULONG64 stop_here(void)
{
    __debugbreak();
    return 1;
}

ULONG64 divide(ULONG64 by)
{
    return 1000 / by;
}

/* A register of floating point lives across a trap. */
ULONG64 floating(ULONG64 index)
{
    volatile double before = (double)index;
    double value = before * 0.5;

    __readmsr((ULONG)index);
    return (ULONG64)(value * 4);
}

ULONG64 touch_raised(volatile UCHAR *address)
{
    KIRQL old;

    KeRaiseIrql(DISPATCH_LEVEL, &old);
    *address;
    KeLowerIrql(old);
    return 1;
}

ULONG64 paged_raised(void)
{
    KIRQL old;
    ULONG64 value = in_paged_code();

    KeRaiseIrql(DISPATCH_LEVEL, &old);
    value += in_paged_code();
    KeLowerIrql(old);
    return value;
}

/* Other processors run between the touches. */
ULONG64 touch_for_long(volatile UCHAR *address)
{
    for (int i = 0; i < 50; i++) {
        *address;
        _mm_pause();
    }
    return 1;
}

ULONG64 touch_raised_later(volatile UCHAR *address)
{
    KIRQL old;

    KeRaiseIrql(DISPATCH_LEVEL, &old);
    wait_pause(20);
    *address;
    KeLowerIrql(old);
    return 1;
}

ULONG64 fast_fail(ULONG64 code)
{
    __asm__ __volatile__("int $0x29" : : "c"(code));
    return 1;
}

ULONG64 read_port(void)
{
    return __inbyte(0x80);
}

ULONG64 shared_long(ULONG64 offset)
{
    return *(volatile ULONG *)(0xFFFFF78000000000 + offset);
}

ULONG64 set_bad_array(void)
{
    return (ULONG64)KeSetHardwareCounterConfiguration(
               (PHARDWARE_COUNTER)0x10, 1) +
           1;
}

/* As declared without dllimport: the import library has a jump for it. */
extern ULONG64 query_without_dllimport(PVOID array, ULONG most,
    PULONG count) __asm__("KeQueryHardwareCounterConfiguration");

ULONG64 query_by_jump(void)
{
    return query_without_dllimport(NULL, 0, (PULONG)0x10) + 1;
}

extern __declspec(dllimport) ULONG NtBuildNumber;

ULONG64 build_number(void)
{
    return NtBuildNumber;
}

ULONG64 debugger(void)
{
    return KD_DEBUGGER_NOT_PRESENT;
}

/* Fixed counter 1 counts cycles in ring 0 and is about to wrap. */
ULONG64 halt_until_interrupt(void)
{
    __writemsr(0x30A, (1ULL << 48) - 5000);
    __writemsr(0x38D, 0x90);
    __writemsr(0x38F, 1ULL << 33);
    __halt();
    __writemsr(0x38D, 0);
    return __readmsr(0x38E);
}

/* The interrupt that waits comes behind HLT and not before it. */
ULONG64 halt_with_interrupt_pending(void)
{
    _disable();
    __writemsr(0x30A, (1ULL << 48) - 100);
    __writemsr(0x38D, 0x90);
    __writemsr(0x38F, 1ULL << 33);
    wait_pause(100);
    __asm__ __volatile__("sti; hlt");
    __writemsr(0x38D, 0);
    return __rdtsc() < 1000000;
}

/* Before and behind the move, as GS has it. */
ULONG64 move_to(ULONG64 mask)
{
    GROUP_AFFINITY affinity = {0}, previous;
    ULONG64 before = KeGetCurrentProcessorNumber();
    ULONG64 behind;

    affinity.Mask = mask;
    KeSetSystemGroupAffinityThread(&affinity, &previous);
    behind = KeGetCurrentProcessorNumber();
    KeRevertToUserGroupAffinityThread(&previous);
    return before << 8 | behind;
}

/* The move comes in the middle of a write to CR8. */
ULONG64 move_when_lowered(ULONG64 mask)
{
    GROUP_AFFINITY affinity = {0}, previous;
    ULONG64 raised;
    KIRQL old;

    affinity.Mask = mask;
    KeRaiseIrql(DISPATCH_LEVEL, &old);
    KeSetSystemGroupAffinityThread(&affinity, &previous);
    raised = KeGetCurrentProcessorNumber();
    KeLowerIrql(old);
    return raised << 16 | KeGetCurrentProcessorNumber() << 8 |
           KeGetCurrentIrql();
}

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry)
#pragma alloc_text(PAGE, in_paged_code, read_time_paged)
#endif

/* Volatile, or the compiler knows the result without the call. */
static volatile ULONG64 paged_value = 77;

ULONG64 in_paged_code(void)
{
    return paged_value;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    return STATUS_SUCCESS;
}

/* From KUSER_SHARED_DATA, which the kernel looks into for it. */
ULONG64 read_time_paged(ULONG64 rounds)
{
    ULONG64 first = *(volatile ULONG64 *)0xFFFFF78000000008, last = first;

    while (rounds-- > 0) {
        last = *(volatile ULONG64 *)0xFFFFF78000000008;
    }
    return last >= first;
}
