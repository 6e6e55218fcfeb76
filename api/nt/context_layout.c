/* context_layout.c - sizes and offsets of context.h as x64 Windows has them,
 * checked by the compiler. */
#include <stddef.h>

#include "api/nt/context.h"

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define AT(type, member, offset)                                               \
    _Static_assert(offsetof(type, member) == (offset), #type "." #member)

SIZE(M128A, 16);
_Static_assert(_Alignof(M128A) == 16, "M128A is aligned");

SIZE(XMM_SAVE_AREA32, 512);
AT(XMM_SAVE_AREA32, MxCsr, 24);
AT(XMM_SAVE_AREA32, FloatRegisters, 32);
AT(XMM_SAVE_AREA32, XmmRegisters, 160);

SIZE(CONTEXT, 1232);
_Static_assert(_Alignof(CONTEXT) == 16, "CONTEXT is aligned");
AT(CONTEXT, P1Home, 0x00);
AT(CONTEXT, ContextFlags, 0x30);
AT(CONTEXT, MxCsr, 0x34);
AT(CONTEXT, SegCs, 0x38);
AT(CONTEXT, SegSs, 0x42);
AT(CONTEXT, EFlags, 0x44);
AT(CONTEXT, Dr0, 0x48);
AT(CONTEXT, Dr6, 0x68);
AT(CONTEXT, Dr7, 0x70);
AT(CONTEXT, Rax, 0x78);
AT(CONTEXT, Rcx, 0x80);
AT(CONTEXT, Rdx, 0x88);
AT(CONTEXT, Rbx, 0x90);
AT(CONTEXT, Rsp, 0x98);
AT(CONTEXT, Rbp, 0xA0);
AT(CONTEXT, Rsi, 0xA8);
AT(CONTEXT, Rdi, 0xB0);
AT(CONTEXT, R8, 0xB8);
AT(CONTEXT, R15, 0xF0);
AT(CONTEXT, Integer, 0x78);
AT(CONTEXT, Rip, 0xF8);
AT(CONTEXT, FltSave, 0x100);
AT(CONTEXT, Xmm0, 0x1A0);
AT(CONTEXT, Xmm6, 0x200);
AT(CONTEXT, Xmm15, 0x290);
AT(CONTEXT, VectorRegister, 0x300);
AT(CONTEXT, VectorControl, 0x4A0);
AT(CONTEXT, DebugControl, 0x4A8);
AT(CONTEXT, LastExceptionFromRip, 0x4C8);

SIZE(EXCEPTION_RECORD, 152);
AT(EXCEPTION_RECORD, ExceptionCode, 0);
AT(EXCEPTION_RECORD, ExceptionFlags, 4);
AT(EXCEPTION_RECORD, ExceptionRecord, 8);
AT(EXCEPTION_RECORD, ExceptionAddress, 16);
AT(EXCEPTION_RECORD, NumberParameters, 24);
AT(EXCEPTION_RECORD, ExceptionInformation, 32);

SIZE(EXCEPTION_POINTERS, 16);
AT(EXCEPTION_POINTERS, ContextRecord, 8);

SIZE(RUNTIME_FUNCTION, 12);
AT(RUNTIME_FUNCTION, EndAddress, 4);
AT(RUNTIME_FUNCTION, UnwindData, 8);

SIZE(DISPATCHER_CONTEXT, 80);
AT(DISPATCHER_CONTEXT, ControlPc, 0);
AT(DISPATCHER_CONTEXT, ImageBase, 8);
AT(DISPATCHER_CONTEXT, FunctionEntry, 16);
AT(DISPATCHER_CONTEXT, EstablisherFrame, 24);
AT(DISPATCHER_CONTEXT, TargetIp, 32);
AT(DISPATCHER_CONTEXT, ContextRecord, 40);
AT(DISPATCHER_CONTEXT, LanguageHandler, 48);
AT(DISPATCHER_CONTEXT, HandlerData, 56);
AT(DISPATCHER_CONTEXT, HistoryTable, 64);
AT(DISPATCHER_CONTEXT, ScopeIndex, 72);
