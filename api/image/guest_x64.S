/* guest_x64.S - crossing between the kernel's code (System V convention, the
 * strand's stack) and a driver's (Microsoft's convention, the guest stack).
 * Offsets are struct guest_frame's, checked in guest.c.
 *
 * Nothing that a driver can read has an address of ours: FS is 0 while it runs,
 * all registers are its own, and the code by which it leaves, the gate, which
 * lies in guest memory, is told by the host's kernel where to go (gate.h). */
#if defined(__x86_64__)
    .intel_syntax noprefix
    .text

    .set RIP_AT, 128
    .set RFLAGS_AT, 136
    .set FX_AT, 160
    .set MXCSR_AT, 160 + 24
    .set XMM6_AT, 160 + 0xA0 + 6 * 16
    .set HOST_SP_AT, 672

    .set FLAG_TF, 0x100
    .set FLAG_NT, 0x4000
    .set FLAG_AC, 0x40000
    .set MXCSR_CONTROL, 0xFFC0  /* without what has happened */
    .set MXCSR_DEFAULT, 0x1F80
    .set CONTROL_WORD, 0x37F    /* of the x87 unit */
    .set RETURNS, -1            /* no routine's number */

    .set SYS_PRCTL, 157
    .set GET_TIMERSLACK, 30
    .set SYS_ARCH_PRCTL, 158
    .set SET_FS, 0x1002
    .set GET_FS, 0x1003

    .data
    .balign 8
    .local host_fs              /* where the host's thread data is */
host_fs:
    .quad 0
host_mxcsr:
    .long MXCSR_DEFAULT
    .globl guest_has_wrfsbase
guest_has_wrfsbase:
    .byte 0
    .globl guest_vectors
guest_vectors:
    .byte 0
    .globl guest_steps
guest_steps:
    .byte 0

/* FS becomes `base`, a register. It may change RAX, RCX, R11, RDI and RSI. */
    .macro SET_FS_TO base
    cmp byte ptr [rip + guest_has_wrfsbase], 0
    je 7f
    wrfsbase \base
    jmp 8f
7:  mov rsi, \base
    mov edi, SET_FS
    mov eax, SYS_ARCH_PRCTL
    syscall
8:
    .endm

/* The host's processor stops behind the first instruction of the driver, which
 * the next one here leads to. */
    .macro STEP_IF_ASKED
    cmp byte ptr [rip + guest_steps], 0
    je 9f
    pushfq
    or dword ptr [rsp], FLAG_TF
    popfq
9:
    .endm

    .section .rodata
/* The gate's code, which gate.c copies to guest memory. A thunk has put the
 * routine's number in EAX. The home space is stored to, so that all arguments
 * lie in one row on the guest's stack. */
    .globl gate_code, gate_code_return, gate_code_knock, gate_code_end
gate_code:
    mov [rsp + 8], rcx
    mov [rsp + 16], rdx
    mov [rsp + 24], r8
    mov [rsp + 32], r9
    mov r9d, eax
    btr r9d, 31                 /* whoever jumps here does not return */
.Lgate_cross:
    mov r8, rdi
    mov edi, GET_TIMERSLACK
    mov eax, SYS_PRCTL
gate_code_knock:
    syscall                     /* or UD2 */
    jmp rax                     /* to guest_cross_entry */
/* The driver's function has returned. */
gate_code_return:
    mov r10, rax
    mov r9d, RETURNS
    jmp .Lgate_cross
gate_code_end:
    .text

    .globl guest_asm_begin
guest_asm_begin:

/* Leaves nothing of ours in the vector registers and the x87 unit. */
clear_extended:
    cmp byte ptr [rip + guest_vectors], 1
    jb .Lclear_sse
    je .Lclear_avx
    .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vpxord zmm\n, zmm\n, zmm\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kxorw k\n, k\n, k\n
    .endr
.Lclear_avx:
    vzeroall
    jmp .Lclear_x87
.Lclear_sse:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    pxor xmm\n, xmm\n
    .endr
.Lclear_x87:
    fninit                      /* which leaves the registers' contents */
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    pxor mm\n, mm\n
    .endr
    emms
    ret

/* guest_enter(frame, address, argument, sp, return_address). */
    .globl guest_enter
    .type guest_enter, @function
guest_enter:
    push rbp
    push rbx
    push r12
    push r13
    push r14
    push r15
    sub rsp, 8
    stmxcsr [rsp]
    mov rax, fs:[0]             /* which is its own address there */
    mov [rip + host_fs], rax
    mov [rdi + HOST_SP_AT], rsp
    call clear_extended
    mov rbx, rsi
    mov rbp, rcx
    mov r12, r8
    mov r13, rdx
    mov [rip + guest_running], rdi
    xor r10d, r10d
    SET_FS_TO r10
    lea rsp, [rbp - 32]         /* home space of the four arguments */
    push r12                    /* return address */
    mov rax, rbx
    mov rcx, [r13]
    mov rdx, [r13 + 8]
    mov r8, [r13 + 16]
    mov r9, [r13 + 24]
    xor ebx, ebx
    xor ebp, ebp
    xor esi, esi
    xor edi, edi
    xor r10d, r10d
    xor r11d, r11d
    xor r12d, r12d
    xor r13d, r13d
    xor r14d, r14d
    xor r15d, r15d
    STEP_IF_ASKED
    jmp rax

/* Out of the gate: R8 has the driver's RDI, R9D what it wants, R10 what its
 * function returned. Whatever it did to FS, to the flags and to the
 * floating-point units, the kernel has its own from here on. */
    .globl guest_cross_entry
    .type guest_cross_entry, @function
guest_cross_entry:
    mov rdx, rsi
    mov rcx, [rip + host_fs]
    SET_FS_TO rcx
    mov rsi, rdx
    mov rdi, r8
    cmp r9d, RETURNS
    jne .Limport
    mov rax, r10
    mov r10, [rip + guest_running]
    mov qword ptr [rip + guest_running], 0
    mov rsp, [r10 + HOST_SP_AT]
    pushfq
    and dword ptr [rsp], ~(FLAG_NT | FLAG_AC)
    popfq
    cld
    fninit
    ldmxcsr [rsp]
    add rsp, 8
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbx
    pop rbp
    ret

.Limport:
    mov r10, [rip + guest_running]
    mov qword ptr [rip + guest_running], 0
    mov r11, [rsp]
    mov [r10 + RIP_AT], r11
    mov [r10 + 24], rbx
    mov [r10 + 32], rsp
    mov [r10 + 40], rbp
    mov [r10 + 48], rsi
    mov [r10 + 56], rdi
    mov [r10 + 96], r12
    mov [r10 + 104], r13
    mov [r10 + 112], r14
    mov [r10 + 120], r15
    movaps [r10 + XMM6_AT], xmm6
    movaps [r10 + XMM6_AT + 16], xmm7
    movaps [r10 + XMM6_AT + 32], xmm8
    movaps [r10 + XMM6_AT + 48], xmm9
    movaps [r10 + XMM6_AT + 64], xmm10
    movaps [r10 + XMM6_AT + 80], xmm11
    movaps [r10 + XMM6_AT + 96], xmm12
    movaps [r10 + XMM6_AT + 112], xmm13
    movaps [r10 + XMM6_AT + 128], xmm14
    movaps [r10 + XMM6_AT + 144], xmm15
    fnstcw [r10 + FX_AT]
    fninit
    stmxcsr [r10 + MXCSR_AT]
    mov ecx, [r10 + MXCSR_AT]
    and ecx, MXCSR_CONTROL
    cmp ecx, MXCSR_DEFAULT
    je .Limport_masked
    ldmxcsr [rip + host_mxcsr]
.Limport_masked:
    lea rdx, [rsp + 8]
    mov esi, r9d
    mov rdi, r10
    mov rbx, r10
    mov rsp, [r10 + HOST_SP_AT]
    and rsp, -16
    pushfq
    test dword ptr [rsp], FLAG_NT | FLAG_AC
    jnz .Limport_flags
.Limport_call:
    add rsp, 8
    cld
    call guest_import
    mov r12, rax
    call clear_extended
    cmp word ptr [rbx + FX_AT], CONTROL_WORD
    je .Limport_control_word
    fldcw [rbx + FX_AT]
.Limport_control_word:
    mov [rip + guest_running], rbx
    xor r10d, r10d
    SET_FS_TO r10
    mov rax, r12
    mov r10, rbx
    mov ecx, [r10 + MXCSR_AT]
    and ecx, MXCSR_CONTROL
    cmp ecx, MXCSR_DEFAULT
    je .Limport_same
    ldmxcsr [r10 + MXCSR_AT]
.Limport_same:
    movaps xmm6, [r10 + XMM6_AT]
    movaps xmm7, [r10 + XMM6_AT + 16]
    movaps xmm8, [r10 + XMM6_AT + 32]
    movaps xmm9, [r10 + XMM6_AT + 48]
    movaps xmm10, [r10 + XMM6_AT + 64]
    movaps xmm11, [r10 + XMM6_AT + 80]
    movaps xmm12, [r10 + XMM6_AT + 96]
    movaps xmm13, [r10 + XMM6_AT + 112]
    movaps xmm14, [r10 + XMM6_AT + 128]
    movaps xmm15, [r10 + XMM6_AT + 144]
    mov rbx, [r10 + 24]
    mov rsp, [r10 + 32]
    mov rbp, [r10 + 40]
    mov rsi, [r10 + 48]
    mov rdi, [r10 + 56]
    mov r12, [r10 + 96]
    mov r13, [r10 + 104]
    mov r14, [r10 + 112]
    mov r15, [r10 + 120]
    xor ecx, ecx
    xor edx, edx
    xor r8d, r8d
    xor r9d, r9d
    xor r10d, r10d
    xor r11d, r11d
    STEP_IF_ASKED
    ret
.Limport_flags:
    and dword ptr [rsp], ~(FLAG_NT | FLAG_AC)
    popfq
    push rax
    jmp .Limport_call

/* guest_resume(frame): every register as frame->registers has it. */
    .globl guest_resume
    .type guest_resume, @function
guest_resume:
    mov rbx, rdi
    mov rsp, [rbx + HOST_SP_AT]
    and rsp, -16
    call clear_extended
    mov [rip + guest_running], rbx
    xor r10d, r10d
    SET_FS_TO r10
    fxrstor64 [rbx + FX_AT]
    mov eax, ss
    push rax
    push qword ptr [rbx + 32]
    push qword ptr [rbx + RFLAGS_AT]
    mov eax, cs
    push rax
    push qword ptr [rbx + RIP_AT]
    mov rax, [rbx]
    mov rcx, [rbx + 8]
    mov rdx, [rbx + 16]
    mov rbp, [rbx + 40]
    mov rsi, [rbx + 48]
    mov rdi, [rbx + 56]
    mov r8, [rbx + 64]
    mov r9, [rbx + 72]
    mov r10, [rbx + 80]
    mov r11, [rbx + 88]
    mov r12, [rbx + 96]
    mov r13, [rbx + 104]
    mov r14, [rbx + 112]
    mov r15, [rbx + 120]
    mov rbx, [rbx + 24]
    .globl guest_iretq
guest_iretq:
    iretq

    .globl guest_asm_end
guest_asm_end:

/* The handler of a signal. The host's kernel leaves FS and the flags as the
 * driver had them, and C needs both. FS goes back to what it was where the
 * interrupted code goes on. */
    .globl guest_signal_entry
    .type guest_signal_entry, @function
guest_signal_entry:
    cmp qword ptr [rip + guest_running], 0
    je .Lsignal_ours
    push rbx
    pushfq
    and dword ptr [rsp], ~(FLAG_NT | FLAG_AC)
    popfq
    cmp byte ptr [rip + guest_has_wrfsbase], 0
    je .Lsignal_slow
    mov rcx, [rip + host_fs]
    rdfsbase rbx
    wrfsbase rcx
    call trap_on_signal
    test al, al
    je .Lsignal_lands
    wrfsbase rbx
.Lsignal_lands:
    pop rbx
    ret
.Lsignal_ours:
    jmp trap_on_signal
.Lsignal_slow:
    push rdi
    push rsi
    push rdx
    sub rsp, 8
    mov rsi, rsp
    mov edi, GET_FS
    mov eax, SYS_ARCH_PRCTL
    syscall
    mov rbx, [rsp]
    mov rsi, [rip + host_fs]
    mov edi, SET_FS
    mov eax, SYS_ARCH_PRCTL
    syscall
    add rsp, 8
    pop rdx
    pop rsi
    pop rdi
    call trap_on_signal
    test al, al
    je .Lsignal_lands
    mov rsi, rbx
    mov edi, SET_FS
    mov eax, SYS_ARCH_PRCTL
    syscall
    pop rbx
    ret
#endif
    .section .note.GNU-stack, "", @progbits
