/* intrin.h - the compiler's instructions under their Microsoft names:
 * mingw-w64's header, with bodies for those that it only declares and those
 * that it has not. __readeflags, __rdtsc and _mm_pause come from the compiler
 * through it. */
#ifndef NTPMU_INCLUDE_INTRIN_H
#define NTPMU_INCLUDE_INTRIN_H

/* 3DNow! left x86-64 long ago, and clang 19 warns of its header. */
#ifndef _MM3DNOW_H_INCLUDED
#define _MM3DNOW_H_INCLUDED
#endif

/* wdm.h has these itself, as static functions, which clang takes for external
 * ones where this header has declared them before. */
#define __INTRINSIC_DEFINED_InterlockedBitTestAndSet
#define __INTRINSIC_DEFINED_InterlockedBitTestAndReset

/* mingw's inline functions are extern ones without a body to call. But clang
 * inlines no call that stands in a __try and needs one, of which the linker
 * keeps one; and a driver may write static before FORCEINLINE. */
#include <_mingw.h>
#ifdef __clang__
#undef __MINGW_INTRIN_INLINE
#define __MINGW_INTRIN_INLINE __inline__ __attribute__((__always_inline__))
#endif
#undef __forceinline
#define __forceinline __inline__ __attribute__((__always_inline__))
#undef FORCEINLINE
#define FORCEINLINE __forceinline

#include_next <intrin.h>

__MINGW_INTRIN_INLINE unsigned __int64 __readpmc(unsigned __LONG32 counter)
{
    unsigned __LONG32 low, high;

    __asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
    return (unsigned __int64)high << 32 | low;
}

__MINGW_INTRIN_INLINE void __cdecl _disable(void)
{
    __asm__ __volatile__("cli" : : : "memory");
}

__MINGW_INTRIN_INLINE void __cdecl _enable(void)
{
    __asm__ __volatile__("sti" : : : "memory");
}

__MINGW_INTRIN_INLINE void __halt(void)
{
    __asm__ __volatile__("hlt" : : : "memory");
}

#endif
