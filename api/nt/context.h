/* context.h - processor state and exceptions as x64 drivers see them: WDK names
 * and layouts ("x64 exception handling", winnt.h). Knows nothing of how they
 * are dispatched. */
#ifndef API_NT_CONTEXT_H
#define API_NT_CONTEXT_H

#include <stdint.h>

#include "api/nt/nt.h"

typedef struct _M128A {
    _Alignas(16) ULONG64 Low;
    int64_t High;
} M128A;

/* What FXSAVE writes. */
typedef struct _XMM_SAVE_AREA32 {
    USHORT ControlWord;
    USHORT StatusWord;
    UCHAR TagWord;
    UCHAR Reserved1;
    USHORT ErrorOpcode;
    ULONG ErrorOffset;
    USHORT ErrorSelector;
    USHORT Reserved2;
    ULONG DataOffset;
    USHORT DataSelector;
    USHORT Reserved3;
    ULONG MxCsr;
    ULONG MxCsr_Mask;
    M128A FloatRegisters[8];
    M128A XmmRegisters[16];
    UCHAR Reserved4[96];
} XMM_SAVE_AREA32;

typedef struct _CONTEXT {
    ULONG64 P1Home, P2Home, P3Home, P4Home, P5Home, P6Home;
    ULONG ContextFlags;
    ULONG MxCsr;
    USHORT SegCs, SegDs, SegEs, SegFs, SegGs, SegSs;
    ULONG EFlags;
    ULONG64 Dr0, Dr1, Dr2, Dr3, Dr6, Dr7;
    union {
        struct {
            ULONG64 Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi;
            ULONG64 R8, R9, R10, R11, R12, R13, R14, R15;
        };
        /* Not in the WDK: the same by the number that instructions and unwind
         * codes have for them. */
        ULONG64 Integer[16];
    };
    ULONG64 Rip;
    union {
        XMM_SAVE_AREA32 FltSave;
        struct {
            M128A Header[2];
            M128A Legacy[8];
            M128A Xmm0, Xmm1, Xmm2, Xmm3, Xmm4, Xmm5, Xmm6, Xmm7;
            M128A Xmm8, Xmm9, Xmm10, Xmm11, Xmm12, Xmm13, Xmm14, Xmm15;
        };
    };
    M128A VectorRegister[26];
    ULONG64 VectorControl;
    ULONG64 DebugControl;
    ULONG64 LastBranchToRip, LastBranchFromRip;
    ULONG64 LastExceptionToRip, LastExceptionFromRip;
} CONTEXT, *PCONTEXT;

enum {
    CONTEXT_AMD64 = 0x00100000,
    CONTEXT_CONTROL = 0x00100001, /* SegSs, Rsp, SegCs, Rip, EFlags */
    CONTEXT_INTEGER = 0x00100002,
    CONTEXT_SEGMENTS = 0x00100004,
    CONTEXT_FLOATING_POINT = 0x00100008,
    CONTEXT_FULL = 0x0010000B,
};

enum { EXCEPTION_MAXIMUM_PARAMETERS = 15 };

typedef struct _EXCEPTION_RECORD {
    NTSTATUS ExceptionCode;
    ULONG ExceptionFlags;
    struct _EXCEPTION_RECORD *ExceptionRecord;
    PVOID ExceptionAddress;
    ULONG NumberParameters;
    ULONG_PTR ExceptionInformation[EXCEPTION_MAXIMUM_PARAMETERS];
} EXCEPTION_RECORD, *PEXCEPTION_RECORD;

/* ExceptionFlags */
enum {
    EXCEPTION_NONCONTINUABLE = 0x01,
    EXCEPTION_UNWINDING = 0x02,
    EXCEPTION_EXIT_UNWIND = 0x04,
    EXCEPTION_STACK_INVALID = 0x08,
    EXCEPTION_NESTED_CALL = 0x10,
    EXCEPTION_TARGET_UNWIND = 0x20,
    EXCEPTION_COLLIDED_UNWIND = 0x40,
    EXCEPTION_UNWIND = 0x66, /* any of those that an unwind sets */
};

typedef struct _EXCEPTION_POINTERS {
    PEXCEPTION_RECORD ExceptionRecord;
    PCONTEXT ContextRecord;
} EXCEPTION_POINTERS, *PEXCEPTION_POINTERS;

/* What a filter says. */
enum {
    EXCEPTION_CONTINUE_EXECUTION = -1,
    EXCEPTION_CONTINUE_SEARCH = 0,
    EXCEPTION_EXECUTE_HANDLER = 1,
};

/* What a language-specific handler says. */
typedef enum _EXCEPTION_DISPOSITION {
    ExceptionContinueExecution,
    ExceptionContinueSearch,
    ExceptionNestedException,
    ExceptionCollidedUnwind,
} EXCEPTION_DISPOSITION;

/* Of .pdata; all three are relative to the image's base. */
typedef struct _RUNTIME_FUNCTION {
    ULONG BeginAddress;
    ULONG EndAddress;
    ULONG UnwindData;
} RUNTIME_FUNCTION, *PRUNTIME_FUNCTION;

typedef struct _DISPATCHER_CONTEXT {
    ULONG64 ControlPc;
    ULONG64 ImageBase;
    PRUNTIME_FUNCTION FunctionEntry;
    ULONG64 EstablisherFrame;
    ULONG64 TargetIp;
    PCONTEXT ContextRecord;
    PVOID LanguageHandler;
    PVOID HandlerData;
    PVOID HistoryTable;
    ULONG ScopeIndex;
    ULONG Fill0;
} DISPATCHER_CONTEXT, *PDISPATCHER_CONTEXT;

#endif
