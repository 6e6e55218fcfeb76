/* intrinsics.c - every instruction that a counter driver writes by its
 * Microsoft name; none may be left to call. A part of the driver runtime. */
#include <ntddk.h>

ULONG64 intrinsics(ULONG index);

/* FORCEINLINE may follow static, and takes no code of its own. */
static FORCEINLINE ULONG64 read_counter(ULONG index)
{
    return __readpmc(index);
}

static ULONG64 counters(ULONG index)
{
    __writemsr(index, __readmsr(index) | 1);
    return read_counter(index) + __rdtsc();
}

static int processor(int leaf)
{
    int a[4], b[4];

    __cpuid(a, leaf);
    __cpuidex(b, leaf, 1);
    return a[0] ^ b[3];
}

static ULONG64 interrupts(void)
{
    ULONG64 level = __readcr8();
    ULONG64 flags;

    __writecr8(level + 1);
    _disable();
    flags = __readeflags();
    _enable();
    __halt();
    _mm_pause();
    YieldProcessor();
    KeMemoryBarrier();
    return flags;
}

static ULONG64 processor_block(void)
{
    return __readgsqword(0x188) + __readgsdword(0x1A4) + __readgsword(0x184) +
           __readgsbyte(0x20);
}

ULONG64 intrinsics(ULONG index)
{
    return counters(index) + interrupts() + processor_block() +
           (ULONG64)processor((int)index);
}
