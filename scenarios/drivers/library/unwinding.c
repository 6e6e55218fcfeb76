/* unwinding.c - RtlUnwindEx called by a language handler of a driver's own. */
#include "scenarios/drivers/library/unwinding.h"

NTSYSAPI VOID NTAPI RtlUnwindEx(PVOID TargetFrame, PVOID TargetIp,
    PVOID ExceptionRecord, PVOID ReturnValue, PVOID ContextRecord,
    PVOID HistoryTable);

/* As far as the handler needs it (x64 exception handling). */
struct dispatcher {
    ULONG64 control_pc, image_base, function_entry, establisher_frame,
        target_ip;
    PVOID context, language_handler, handler_data, history;
};

enum { CONTINUE_SEARCH = 1, UNWINDING = 2, TARGET_UNWIND = 0x20 };

static struct {
    int finals, own;
    BOOLEAN nowhere;
} unwinding;

/* Calls what it is given, and is where an exception of that ends. */
int guarded(void (*code)(void));
extern char guarded_landing[];

__asm__(".text\n"
        ".def guarded\n"
        ".scl 2\n"
        ".type 32\n"
        ".endef\n"
        ".globl guarded\n"
        "guarded:\n"
        ".seh_proc guarded\n"
        "    subq $40, %rsp\n"
        "    .seh_stackalloc 40\n"
        "    .seh_endprologue\n"
        "    .seh_handler unwinding_handler, @unwind, @except\n"
        "    callq *%rcx\n"
        "    xorl %eax, %eax\n"
        ".globl guarded_landing\n"
        "guarded_landing:\n"
        "    addq $40, %rsp\n"
        "    retq\n"
        ".seh_endproc\n");

ULONG NTAPI unwinding_handler(PEXCEPTION_RECORD record, PVOID frame,
    PVOID context, struct dispatcher *dispatcher)
{
    ULONG_PTR target = (ULONG_PTR)frame;

    UNREFERENCED_PARAMETER(context);
    if ((record->ExceptionFlags & UNWINDING) != 0) {
        unwinding.own += (record->ExceptionFlags & TARGET_UNWIND) != 0;
        return CONTINUE_SEARCH;
    }
    if (record->ExceptionCode != STATUS_DEVICE_BUSY) {
        return CONTINUE_SEARCH; /* what the unwind itself has raised */
    }
    RtlUnwindEx((PVOID)(unwinding.nowhere ? target + 8 : target),
        guarded_landing, record, (PVOID)(ULONG_PTR)(ULONG)record->ExceptionCode,
        dispatcher->context, dispatcher->history);
    return CONTINUE_SEARCH;
}

static void raise(void)
{
    __try {
        ExRaiseStatus(STATUS_DEVICE_BUSY);
    } __finally {
        unwinding.finals++;
    }
}

int unwinding_run(unsigned char *to, BOOLEAN nowhere)
{
    int code;

    unwinding.finals = 0;
    unwinding.own = 0;
    unwinding.nowhere = nowhere;
    code = guarded(raise);
    to[0] = (unsigned char)unwinding.finals;
    to[1] = (unsigned char)unwinding.own;
    return code;
}
