/* stack_probe.c - __chkstk, which clang calls before it takes a frame of more
 * than a page: RAX bytes are touched page by page, so that the guard page below
 * a kernel stack is not stepped over. And _fltused, the mark of code that uses
 * floating point. */
int _fltused = 0x9875;

/* Keeps every register but R10, R11 and the flags; RAX too. */
__asm__(".text\n"
        ".globl __chkstk\n"
        "__chkstk:\n"
        "    leaq 8(%rsp), %r10\n" /* the caller's stack pointer */
        "    movq %rax, %r11\n"
        "1:  cmpq $4096, %r11\n"
        "    jbe 2f\n"
        "    subq $4096, %r10\n"
        "    testb %al, (%r10)\n"
        "    subq $4096, %r11\n"
        "    jmp 1b\n"
        "2:  subq %r11, %r10\n"
        "    testb %al, (%r10)\n"
        "    ret\n");
