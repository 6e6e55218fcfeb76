/* native.c - native_plain.c, and what structured exceptions make of it. */
#include "native_plain.c"

ULONG64 try_msr(ULONG64 index);
ULONG64 try_cr8(ULONG64 value);
ULONG64 try_touch(volatile UCHAR *address);
ULONG64 try_finally(ULONG64 index);
ULONG64 try_filter(ULONG64 index);
ULONG64 try_keep(ULONG64 value);
ULONG64 try_nested(ULONG64 index);
ULONG64 try_raise(ULONG64 status);
ULONG64 try_kernel_call(PVOID array);
ULONG64 try_deep(ULONG64 depth);
ULONG64 try_divide(ULONG64 by);
ULONG64 try_where(volatile UCHAR *address, ULONG64 write);
ULONG64 try_broadcast(ULONG64 index);
ULONG64 try_broadcast_in_filter(ULONG64 index);
ULONG64 try_slow_filter(ULONG64 index);

/* 0, or the exception's code. */
ULONG64 try_msr(ULONG64 index)
{
    __try {
        __readmsr((ULONG)index);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return 0;
}

ULONG64 try_cr8(ULONG64 value)
{
    __try {
        __writecr8(value);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return 0;
}

ULONG64 try_touch(volatile UCHAR *address)
{
    __try {
        return *address;
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
}

ULONG64 try_finally(ULONG64 index)
{
    volatile ULONG64 steps = 0;

    __try {
        __try {
            steps = steps * 10 + 1;
            __readmsr((ULONG)index);
            steps = steps * 10 + 2;
        } __finally {
            steps = steps * 10 + 3;
        }
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        steps = steps * 10 + 4;
    }
    return steps;
}

static LONG filter(PEXCEPTION_POINTERS pointers, volatile ULONG64 *seen)
{
    *seen = (ULONG)pointers->ExceptionRecord->ExceptionCode;
    if (pointers->ContextRecord->Rcx == 0x999) {
        /* Another register instead, and the instruction again. */
        pointers->ContextRecord->Rcx = 0xC1;
        return EXCEPTION_CONTINUE_EXECUTION;
    }
    return EXCEPTION_CONTINUE_SEARCH;
}

ULONG64 try_filter(ULONG64 index)
{
    volatile ULONG64 seen = 0;
    ULONG64 value = 0;

    __try {
        __try {
            value = __readmsr((ULONG)index);
        } __except (filter(GetExceptionInformation(), &seen)) {
            value = 1;
        }
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return seen + 1;
    }
    return value + seen;
}

/* The value and the carry flag, both from before an instruction that faults
 * first and is done again. */
static __attribute__((noinline)) ULONG64 keep(ULONG64 value)
{
    ULONG64 index = 0x999, kept;
    UCHAR carry;

    __asm__ __volatile__("movq %3, %%xmm5\n"
                         "stc\n"
                         "rdmsr\n"
                         "setc %1\n"
                         "movq %%xmm5, %0\n"
                         : "=&r"(kept), "=&q"(carry), "+c"(index)
                         : "r"(value)
                         : "rax", "rdx", "xmm5", "cc");
    return kept + carry;
}

ULONG64 try_keep(ULONG64 value)
{
    volatile ULONG64 seen = 0;

    __try {
        return keep(value);
    } __except (filter(GetExceptionInformation(), &seen)) {
        return seen;
    }
}

static void raise_inside(ULONG64 index)
{
    __try {
        __readmsr((ULONG)index);
    } __except (GetExceptionCode() == STATUS_ACCESS_VIOLATION
                    ? EXCEPTION_EXECUTE_HANDLER
                    : EXCEPTION_CONTINUE_SEARCH) {
        ExRaiseStatus(STATUS_UNSUCCESSFUL);
    }
}

ULONG64 try_nested(ULONG64 index)
{
    __try {
        raise_inside(index);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return 0;
}

ULONG64 try_raise(ULONG64 status)
{
    __try {
        ExRaiseStatus((NTSTATUS)status);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return 0;
}

ULONG64 try_kernel_call(PVOID array)
{
    __try {
        return (ULONG)KeSetHardwareCounterConfiguration(array, 1);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
}

static ULONG64 deep(ULONG64 depth)
{
    volatile ULONG64 own = depth;

    if (depth == 0) {
        return __readmsr(0x12345);
    }
    return deep(depth - 1) + own;
}

ULONG64 try_deep(ULONG64 depth)
{
    ULONG64 before = depth + 5;

    __try {
        return deep(depth);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return before;
    }
}

static LONG keep_where(PEXCEPTION_POINTERS pointers, volatile ULONG64 *where)
{
    const ULONG_PTR *information =
        pointers->ExceptionRecord->ExceptionInformation;

    *where = information[1] << 4 | information[0] << 1 |
             (pointers->ExceptionRecord->NumberParameters == 2);
    return EXCEPTION_EXECUTE_HANDLER;
}

/* The address, whether it was written to, and that there are two of these. */
ULONG64 try_where(volatile UCHAR *address, ULONG64 write)
{
    volatile ULONG64 where = 0;

    __try {
        if (write != 0) {
            *address = 1;
        } else {
            where = *address;
        }
    } __except (keep_where(GetExceptionInformation(), &where)) {
        return where;
    }
    return 0;
}

ULONG64 try_divide(ULONG64 by)
{
    __try {
        return divide(by);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
}

/* 1 when it has caught what it raises. */
static ULONG_PTR NTAPI catching_worker(ULONG_PTR index)
{
    return try_msr(index) == (ULONG)STATUS_PRIVILEGED_INSTRUCTION;
}

/* 10: the worker's own exception; 1: the one behind it. */
ULONG64 try_broadcast(ULONG64 index)
{
    volatile ULONG64 seen = 0;

    __try {
        seen = KeIpiGenericCall(catching_worker, (ULONG_PTR)index) * 10;
        __readmsr((ULONG)index);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        seen += 1;
    }
    return seen;
}

static LONG broadcasting_filter(ULONG64 index, volatile ULONG64 *seen)
{
    *seen = KeIpiGenericCall(catching_worker, (ULONG_PTR)index) * 10;
    return EXCEPTION_EXECUTE_HANDLER;
}

ULONG64 try_broadcast_in_filter(ULONG64 index)
{
    volatile ULONG64 seen = 0;

    __try {
        __readmsr((ULONG)index);
    } __except (broadcasting_filter(index, &seen)) {
        seen += 1;
    }
    return seen;
}

static LONG slow_filter(void)
{
    wait_pause(200);
    return EXCEPTION_EXECUTE_HANDLER;
}

/* Interrupts come while the filter runs. */
ULONG64 try_slow_filter(ULONG64 index)
{
    volatile ULONG64 seen = 0;

    __try {
        __readmsr((ULONG)index);
    } __except (slow_filter()) {
        seen = try_msr(index) != 0;
    }
    return seen;
}
