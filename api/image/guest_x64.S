/* guest_x64.S - crossing between the kernel's code (System V convention, the
 * strand's stack) and a driver's (Microsoft's convention, the guest stack).
 * Offsets are struct guest_frame's, checked in guest.c. */
#if defined(__x86_64__)
    .intel_syntax noprefix
    .text

    .set RIP_AT, 128
    .set RFLAGS_AT, 136
    .set FX_AT, 160
    .set MXCSR_AT, 160 + 24
    .set XMM6_AT, 160 + 0xA0 + 6 * 16
    .set HOST_SP_AT, 672

    .set FLAG_NT, 0x4000
    .set FLAG_AC, 0x40000
    .set MXCSR_CONTROL, 0xFFC0  /* without what has happened */
    .set MXCSR_DEFAULT, 0x1F80

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
    .text

    .globl guest_asm_begin
guest_asm_begin:

/* guest_enter(frame, address, argument, sp, return_address): no register shows
 * the driver anything of ours. */
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
    lea rsp, [rcx - 32]         /* home space of the four arguments */
    push r8                     /* return address */
    mov rax, rsi
    mov rcx, [rdx]
    mov r8, [rdx + 16]
    mov r9, [rdx + 24]
    mov rdx, [rdx + 8]
    mov [rip + guest_running], rdi
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
    jmp rax

/* The driver's function has returned. Whatever it did to FS, to the flags and
 * to the floating-point units, the kernel has its own here and below. Where FS
 * leads nowhere, its signal has put it right, and the instruction goes on. */
    .globl guest_return_entry
    .type guest_return_entry, @function
guest_return_entry:
    .globl guest_return_fs
guest_return_fs:
    mov r10, fs:[0]
    cmp r10, [rip + host_fs]
    jne .Lreturn_fs
.Lreturn:
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
.Lreturn_fs:
    mov r10, [rip + host_fs]
    wrfsbase r10                /* or a fault, which does it likewise */
    jmp .Lreturn

/* A thunk has put the routine's number in EAX. The home space is stored to, so
 * that all arguments lie in one row on the guest's stack. */
    .globl guest_import_entry
    .type guest_import_entry, @function
guest_import_entry:
    mov [rsp + 8], rcx
    mov [rsp + 16], rdx
    mov [rsp + 24], r8
    mov [rsp + 32], r9
    mov r11, [rsp]
    .globl guest_import_fs
guest_import_fs:
    mov rcx, fs:[0]
    cmp rcx, [rip + host_fs]
    jne .Limport_fs
.Limport:
    mov r10, [rip + guest_running]
    mov qword ptr [rip + guest_running], 0
    mov [r10 + 24], rbx
    mov [r10 + 32], rsp
    mov [r10 + 40], rbp
    mov [r10 + 48], rsi
    mov [r10 + 56], rdi
    mov [r10 + 96], r12
    mov [r10 + 104], r13
    mov [r10 + 112], r14
    mov [r10 + 120], r15
    mov [r10 + RIP_AT], r11
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
    stmxcsr [r10 + MXCSR_AT]
    mov ecx, [r10 + MXCSR_AT]
    and ecx, MXCSR_CONTROL
    cmp ecx, MXCSR_DEFAULT
    je .Limport_masked
    ldmxcsr [rip + host_mxcsr]
.Limport_masked:
    lea rdx, [rsp + 8]
    mov esi, eax
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
    mov [rip + guest_running], r10
    xor ecx, ecx
    xor edx, edx
    xor r8d, r8d
    xor r9d, r9d
    xor r10d, r10d
    xor r11d, r11d
    ret
.Limport_fs:
    mov rcx, [rip + host_fs]
    wrfsbase rcx
    jmp .Limport
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
    fxrstor64 [rbx + FX_AT]
    mov rsp, [rbx + HOST_SP_AT]
    and rsp, -16
    mov eax, ss
    push rax
    push qword ptr [rbx + 32]
    push qword ptr [rbx + RFLAGS_AT]
    mov eax, cs
    push rax
    push qword ptr [rbx + RIP_AT]
    mov [rip + guest_running], rbx
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
 * driver had them, and C needs both: it is made fit before C begins. */
    .globl guest_signal_entry
    .type guest_signal_entry, @function
guest_signal_entry:
    cmp qword ptr [rip + guest_running], 0
    je .Lsignal
    pushfq
    and dword ptr [rsp], ~(FLAG_NT | FLAG_AC)
    popfq
    mov rcx, [rip + host_fs]
    cmp byte ptr [rip + guest_has_wrfsbase], 0
    je .Lsignal_call
    rdfsbase rax
    cmp rax, rcx
    je .Lsignal
    wrfsbase rcx
.Lsignal:
    jmp trap_on_signal
.Lsignal_call:
    push rdi
    push rsi
    push rdx
    mov edi, 0x1002             /* ARCH_SET_FS */
    mov rsi, rcx
    mov eax, 158                /* arch_prctl */
    syscall
    pop rdx
    pop rsi
    pop rdi
    jmp trap_on_signal
#endif
    .section .note.GNU-stack, "", @progbits
