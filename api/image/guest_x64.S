/* guest_x64.S - crossing between the kernel's code (System V convention, the
 * strand's stack) and a driver's (Microsoft's convention, the guest stack).
 * Offsets are struct guest_frame's, checked in guest.c. */
#if defined(__x86_64__)
    .intel_syntax noprefix
    .text

    .set RIP_AT, 128
    .set RFLAGS_AT, 136
    .set FX_AT, 160
    .set XMM6_AT, 160 + 0xA0 + 6 * 16
    .set HOST_SP_AT, 672

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

/* The driver's function has returned. */
    .globl guest_return_entry
    .type guest_return_entry, @function
guest_return_entry:
    mov r10, [rip + guest_running]
    mov qword ptr [rip + guest_running], 0
    mov rsp, [r10 + HOST_SP_AT]
    cld
    ldmxcsr [rsp]
    add rsp, 8
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbx
    pop rbp
    ret

/* A thunk has put the routine's number in EAX. The home space is stored to, so
 * that all arguments lie in one row on the guest's stack. */
    .globl guest_import_entry
    .type guest_import_entry, @function
guest_import_entry:
    mov [rsp + 8], rcx
    mov [rsp + 16], rdx
    mov [rsp + 24], r8
    mov [rsp + 32], r9
    mov r10, [rip + guest_running]
    mov r11, [rsp]
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
    lea rdx, [rsp + 8]
    mov esi, eax
    mov rdi, r10
    mov rbx, r10
    mov rsp, [r10 + HOST_SP_AT]
    and rsp, -16
    cld
    call guest_import
    mov r10, rbx
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
    iretq

    .globl guest_asm_end
guest_asm_end:
#endif
    .section .note.GNU-stack, "", @progbits
