/* registers.c - functions that keep all registers as they find them, at an
 * entry and after each way back from the kernel. For clang only. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;

ULONG64 see_entry(ULONG64 features);
ULONG64 see_call(ULONG64 features);
ULONG64 see_trap(ULONG64 features);
ULONG64 see_filter(ULONG64 features);

/* What the host's processor has: bits of `features`. */
enum { HAS_AVX = 1, HAS_FSGSBASE = 2 };

/* As tests/api/image/test_native_secrets.c reads it. */
struct seen {
    ULONG64 general[16];  /* in the order of their encoding */
    ULONG64 fs, gs;       /* bases */
    UCHAR fx[512];        /* FXSAVE64's: x87, SSE */
    UCHAR upper[16 * 16]; /* halves of YMM0 to YMM15 */
};

/* A compiler would not know of its alignment in an assembly. */
__attribute__((aligned(64))) struct seen seen;
ULONG64 seen_features;

/* RDFSBASE RAX and RDGSBASE RAX, where a decoder of the image sees an immediate
 * operand. */
#define HIDDEN(bytes)                                                          \
    "lea 9f+2(%%rip), %%rcx\n"                                                 \
    "jmp *%%rcx\n"                                                             \
    "9: .byte 0x49, 0xBA, " bytes ", 0x90, 0x90, 0x90\n"

#define UPPER(n) "vextractf128 $1, %%ymm" #n ", 656+16*" #n "(%%rax)\n"

/* RAX and RCX are the last to be lost. */
#define SEE                                                                    \
    "mov %%rax, seen(%%rip)\n"                                                 \
    "lea seen(%%rip), %%rax\n"                                                 \
    "mov %%rcx, 8(%%rax)\n"                                                    \
    "mov %%rdx, 16(%%rax)\n"                                                   \
    "mov %%rbx, 24(%%rax)\n"                                                   \
    "mov %%rsp, 32(%%rax)\n"                                                   \
    "mov %%rbp, 40(%%rax)\n"                                                   \
    "mov %%rsi, 48(%%rax)\n"                                                   \
    "mov %%rdi, 56(%%rax)\n"                                                   \
    "mov %%r8, 64(%%rax)\n"                                                    \
    "mov %%r9, 72(%%rax)\n"                                                    \
    "mov %%r10, 80(%%rax)\n"                                                   \
    "mov %%r11, 88(%%rax)\n"                                                   \
    "mov %%r12, 96(%%rax)\n"                                                   \
    "mov %%r13, 104(%%rax)\n"                                                  \
    "mov %%r14, 112(%%rax)\n"                                                  \
    "mov %%r15, 120(%%rax)\n"                                                  \
    "fxsave64 144(%%rax)\n"                                                    \
    "testb $1, seen_features(%%rip)\n"                                         \
    "jz 1f\n" UPPER(0) UPPER(1) UPPER(2) UPPER(3) UPPER(4) UPPER(5) UPPER(6)   \
        UPPER(7) UPPER(8) UPPER(9) UPPER(10) UPPER(11) UPPER(12) UPPER(13)     \
            UPPER(14) UPPER(15) "1:\n"                                         \
                                "testb $2, seen_features(%%rip)\n"             \
                                "jz 2f\n" HIDDEN(                              \
                                    "0xF3, 0x48, 0x0F, 0xAE, "                 \
                                    "0xC0") "mov %%rax, "                      \
                                            "seen+128(%%rip)"                  \
                                            "\n" HIDDEN("0xF3, 0x48, "         \
                                                        "0x0F, 0xAE, "         \
                                                        "0xC8") "mov "         \
                                                                "%%rax, "      \
                                                                "seen+"        \
                                                                "136(%%"       \
                                                                "rip)\n"       \
                                                                "2:\n"

C_ASSERT(FIELD_OFFSET(struct seen, fs) == 128);
C_ASSERT(FIELD_OFFSET(struct seen, fx) == 144);
C_ASSERT(FIELD_OFFSET(struct seen, upper) == 656);

ULONG64 see_entry(ULONG64 features)
{
    seen_features = features;
    __asm__ volatile(SEE
                     :
                     :
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory");
    return (ULONG64)(ULONG_PTR)&seen;
}

ULONG64 see_call(ULONG64 features)
{
    DbgPrint("%d %s\n", 5, "crossing");
    return see_entry(features);
}

ULONG64 see_trap(ULONG64 features)
{
    __readmsr(0xC1);
    return see_entry(features);
}

ULONG64 see_filter(ULONG64 features)
{
    __try {
        return __readmsr(0x12345);
    } __except (see_entry(features), EXCEPTION_EXECUTE_HANDLER) {
        return (ULONG64)(ULONG_PTR)&seen;
    }
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    (void)driver;
    (void)path;
    return STATUS_SUCCESS;
}
