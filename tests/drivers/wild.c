/* wild.c - functions that leave to the kernel what no compiler's code does:
 * registers, flags, stacks and contexts of any value. For clang only; the
 * assembly is what a jump into the middle of an instruction executes. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;

ULONG64 fs_base(ULONG64 base, ULONG64 crossing);
ULONG64 fs_selector(ULONG64 selector, ULONG64 crossing);
ULONG64 flags(ULONG64 value, ULONG64 crossing);
ULONG64 single_step(void);
ULONG64 mxcsr(ULONG64 value, ULONG64 crossing);
ULONG64 x87(ULONG64 control, ULONG64 crossing);
ULONG64 stack_off(ULONG64 bytes);
ULONG64 stack_at(ULONG64 address, ULONG64 crossing);
ULONG64 call_by_rax(void);
ULONG64 call_by_r9(void);
ULONG64 call_by_memory(void);
ULONG64 call_by_offset(void);
ULONG64 call_behind_ff(void);
ULONG64 read_at_end(ULONG64 index);
ULONG64 read_time_across(ULONG64 rounds);
ULONG64 middle_of_thunk(ULONG64 number);
ULONG64 narrow_code(ULONG64 address);
ULONG64 resume_at(ULONG64 address);
ULONG64 resume_with(ULONG64 eflags, ULONG64 mxcsr);
ULONG64 raise_again(ULONG64 times);
ULONG64 stray(ULONG64 times);

extern UCHAR *__imp_DbgPrint; /* the import's slot */

/* How control gets to the kernel and back. */
enum crossing { BY_RETURN, BY_CALL, BY_TRAP };

/* Executes up to 8 bytes where a decoder of the image sees the immediate
 * operand of MOV R10, imm64. */
#define HIDDEN(bytes)                                                          \
    "lea 1f+2(%%rip), %%r11\n"                                                 \
    "jmp *%%r11\n"                                                             \
    "1: .byte 0x49, 0xBA, " bytes "\n"

static __attribute__((noinline)) ULONG64 cross(ULONG64 crossing)
{
    switch (crossing) {
    case BY_CALL:
        DbgPrint("%d %s\n", 5, "crossing");
        return 2;
    case BY_TRAP:
        return __readmsr(0xC1) + 3;
    default:
        return 1;
    }
}

ULONG64 fs_base(ULONG64 base, ULONG64 crossing)
{
    /* wrfsbase rcx */
    __asm__ volatile(HIDDEN("0xF3, 0x48, 0x0F, 0xAE, 0xD1, 0x90, 0x90, 0x90")
                     :
                     : "c"(base)
                     : "r10", "r11");
    return cross(crossing);
}

ULONG64 fs_selector(ULONG64 selector, ULONG64 crossing)
{
    /* mov fs, ecx */
    __asm__ volatile(HIDDEN("0x8E, 0xE1, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90")
                     :
                     : "c"(selector)
                     : "r10", "r11");
    return cross(crossing);
}

ULONG64 flags(ULONG64 value, ULONG64 crossing)
{
    /* popfq */
    __asm__ volatile(
        "push %%rcx\n" HIDDEN("0x9D, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90")
        :
        : "c"(value)
        : "r10", "r11", "cc", "memory");
    return cross(crossing);
}

ULONG64 single_step(void)
{
    __try {
        flags(0x302, BY_CALL);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return 0;
}

/* Returns what is there after the crossing, without what has happened. */
ULONG64 mxcsr(ULONG64 value, ULONG64 crossing)
{
    unsigned word = (unsigned)value;

    __asm__ volatile("ldmxcsr %0" : : "m"(word));
    cross(crossing);
    __asm__ volatile("stmxcsr %0" : "=m"(word));
    return word & 0xFFC0;
}

/* 1 / 0, whose exception is due at the next instruction of the unit. */
ULONG64 x87(ULONG64 control, ULONG64 crossing)
{
    USHORT word = (USHORT)control;

    __asm__ volatile("fldcw %0\n"
                     "fld1\n"
                     "fldz\n"
                     "fdivrp\n"
                     :
                     : "m"(word));
    return cross(crossing);
}

/* A call with a stack pointer of any alignment. */
ULONG64 stack_off(ULONG64 bytes)
{
    ULONG64 result;

    __asm__ volatile("mov %%rsp, %%rbx\n"
                     "sub $64, %%rsp\n"
                     "sub %%rcx, %%rsp\n"
                     "mov $0xFFFF, %%ecx\n"
                     "call *%2\n"
                     "mov %%rbx, %%rsp\n"
                     : "=a"(result), "+c"(bytes)
                     : "r"(KeQueryActiveProcessorCountEx)
                     : "rbx", "rdx", "r8", "r9", "r10", "r11", "memory");
    return result;
}

/* A stack elsewhere. */
ULONG64 stack_at(ULONG64 address, ULONG64 crossing)
{
    ULONG64 result;

    __asm__ volatile("mov %%rsp, %%rbx\n"
                     "mov %%rdx, %%rsp\n"
                     "call *%1\n"
                     "mov %%rbx, %%rsp\n"
                     : "=a"(result)
                     : "r"(cross), "c"(crossing), "d"(address)
                     : "rbx", "r8", "r9", "r10", "r11", "memory");
    return result;
}

/* Calls of a routine that is to read at 10H; its address is in RAX, R9 and at
 * two places of the stack. */
#define CALL_BAD_ARRAY(how)                                                    \
    ULONG64 result = (ULONG64)KeSetHardwareCounterConfiguration;               \
    __asm__ volatile("mov %%rsp, %%rbx\n"                                      \
                     "and $-16, %%rsp\n"                                       \
                     "sub $48, %%rsp\n"                                        \
                     "mov %%rax, %%r9\n"                                       \
                     "mov %%rax, 32(%%rsp)\n"                                  \
                     "mov %%rax, -48(%%rbx)\n" how "\n"                        \
                     "mov %%rbx, %%rsp\n"                                      \
                     : "+a"(result)                                            \
                     : "c"(0x10), "d"(1)                                       \
                     : "rbx", "r8", "r9", "r10", "r11", "memory");             \
    return result

ULONG64 call_by_rax(void)
{
    CALL_BAD_ARRAY("call *%%rax");
}

ULONG64 call_by_r9(void)
{
    CALL_BAD_ARRAY("call *%%r9");
}

ULONG64 call_by_memory(void)
{
    CALL_BAD_ARRAY("call *32(%%rsp)");
}

/* Its last byte is D0, as that of CALL RAX is. */
ULONG64 call_by_offset(void)
{
    CALL_BAD_ARRAY("call *-48(%%rbx)");
}

/* Before it stands FF, with which a longer call begins. */
ULONG64 call_behind_ff(void)
{
    CALL_BAD_ARRAY("mov $0xFF000000, %%eax\n"
                   "call KeSetHardwareCounterConfiguration");
}

/* RDMSR before the end of a page of pageable code, and more of it behind. */
__asm__(".section PAGE,\"xr\"\n"
        ".p2align 12\n"
        ".skip 4093, 0xCC\n"
        ".globl read_at_end\n"
        "read_at_end:\n"
        "rdmsr\n"
        "ret\n"
        ".skip 4096, 0xCC\n"
        ".text\n");

/* It reads KUSER_SHARED_DATA so often by an instruction across two pages. */
__asm__(".section PAGE,\"xr\"\n"
        ".p2align 12\n"
        ".skip 4084, 0xCC\n"
        ".globl read_time_across\n"
        "read_time_across:\n"
        "movabsq $0xFFFFF78000000008, %rdx\n"
        "1:\n"
        "movq (%rdx), %rax\n"
        "decq %rcx\n"
        "jnz 1b\n"
        "movl $1, %eax\n"
        "ret\n"
        ".skip 4096, 0xCC\n"
        ".text\n");

/* Behind the instruction that says which routine it is. */
ULONG64 middle_of_thunk(ULONG64 number)
{
    ULONG64 result = number;

    __try {
        DbgPrint("not so\n"); /* room for a call's arguments */
        __asm__ volatile("call *%1\n"
                         : "+a"(result)
                         : "r"(__imp_DbgPrint + 5)
                         : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory");
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return result;
}

/* A far return to the host's selector of 32-bit code. */
ULONG64 narrow_code(ULONG64 address)
{
    __try {
        __asm__ volatile("push $0x23\n"
                         "push %%rcx\n"
                         "lretq\n"
                         :
                         : "c"(address)
                         : "memory");
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG)GetExceptionCode();
    }
    return 0;
}

static LONG move(PEXCEPTION_POINTERS pointers, ULONG64 address)
{
    if (pointers->ContextRecord->Rip == address) {
        return EXCEPTION_CONTINUE_SEARCH; /* it is there already */
    }
    pointers->ContextRecord->Rip = address;
    return EXCEPTION_CONTINUE_EXECUTION;
}

/* Returns how often an address that is nobody's was touched, and caught. */
ULONG64 stray(ULONG64 times)
{
    ULONG64 caught = 0;

    for (ULONG64 i = 0; i < times; i++) {
        __try {
            *(volatile UCHAR *)(ULONG_PTR)(0x110000000000 + i * 0x10000) = 0;
        } __except (EXCEPTION_EXECUTE_HANDLER) {
            caught++;
        }
    }
    return caught;
}

ULONG64 resume_at(ULONG64 address)
{
    __try {
        return __readmsr(0x12345);
    } __except (move(GetExceptionInformation(), address)) {
        return 0;
    }
}

static LONG change(
    PEXCEPTION_POINTERS pointers, ULONG64 eflags, ULONG64 control)
{
    pointers->ContextRecord->Rcx = 0xC1;
    pointers->ContextRecord->EFlags = (ULONG)eflags;
    pointers->ContextRecord->FltSave.MxCsr = (ULONG)control;
    return EXCEPTION_CONTINUE_EXECUTION;
}

ULONG64 resume_with(ULONG64 eflags, ULONG64 control)
{
    __try {
        return __readmsr(0x12345) + cross(BY_CALL);
    } __except (change(GetExceptionInformation(), eflags, control)) {
        return 0;
    }
}

/* A filter whose own exception has a filter, and so on. */
static LONG again(ULONG64 times)
{
    return times == 0 || raise_again(times - 1) == 0
               ? EXCEPTION_EXECUTE_HANDLER
               : EXCEPTION_CONTINUE_SEARCH;
}

ULONG64 raise_again(ULONG64 times)
{
    __try {
        return __readmsr(0x12345);
    } __except (again(times)) {
        return 0;
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    return STATUS_SUCCESS;
}
