/* test_kuser.c - reads of the shared page: what is planned for an instruction,
 * and, on x86-64, that the instruction executed so gives what it should. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "api/image/kuser.h"
#include "tests/rows.h"

#define COPY UINT64_C(0x1A0000000000)
#define PAGE KUSER_ADDRESS
#define FILL UINT64_C(0x1111111111111111)

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9 };

static struct plan_row {
    const char *name;
    uint8_t bytes[15];
    uint8_t reg; /* which holds `value` */
    uint64_t value, fault;
    enum kuser_plan want;
} plan_rows[] = {
    {"read_is_stepped", {0x48, 0x8B, 0x01}, RCX, PAGE + 8, PAGE + 8,
        KUSER_STEP},
    {"absolute_read_is_loaded",
        {0x48, 0xA1, 0x20, 0x03, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, RCX, 0,
        PAGE + 0x320, KUSER_LOAD},
    {"write_is_refused", {0x48, 0x89, 0x01}, RCX, PAGE, PAGE, KUSER_WRITE},
    {"absolute_write_is_refused",
        {0x48, 0xA3, 0x20, 0x03, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, RCX, 0,
        PAGE + 0x320, KUSER_WRITE},
    {"read_and_write_is_refused", {0x48, 0xFF, 0x01}, RCX, PAGE, PAGE,
        KUSER_WRITE},
    {"compare_and_exchange_is_refused", {0xF0, 0x48, 0x0F, 0xB1, 0x11}, RCX,
        PAGE, PAGE, KUSER_WRITE},
    {"another_page_is_elsewhere", {0x48, 0x8B, 0x01}, RCX, PAGE + 0x1000,
        PAGE + 0x1000, KUSER_ELSEWHERE},
    {"read_across_the_end_is_elsewhere", {0x48, 0x8B, 0x01}, RCX, PAGE + 0xFFC,
        PAGE + 0xFFC, KUSER_ELSEWHERE},
    {"read_across_the_begin_is_elsewhere", {0x48, 0x8B, 0x01}, RCX, PAGE - 4,
        PAGE, KUSER_ELSEWHERE},
    {"last_eight_bytes_are_read", {0x48, 0x8B, 0x01}, RCX, PAGE + 0xFF8,
        PAGE + 0xFF8, KUSER_STEP},
    {"gs_is_not_ours", {0x65, 0x48, 0x8B, 0x01}, RCX, PAGE, PAGE,
        KUSER_UNREADABLE},
    {"stack_pointer_stays", {0x48, 0x8B, 0x04, 0x24}, RSP, PAGE, PAGE,
        KUSER_UNREADABLE},
    {"register_that_is_also_read", {0x48, 0x3B, 0x09}, RCX, PAGE, PAGE,
        KUSER_UNREADABLE},
    {"register_that_is_perhaps_written", {0x48, 0x0F, 0x44, 0x09}, RCX, PAGE,
        PAGE, KUSER_UNREADABLE},
    {"lea_reads_nothing", {0x48, 0x8D, 0x01}, RCX, PAGE, PAGE,
        KUSER_UNREADABLE},
    {"another_address_than_the_fault", {0x48, 0x8B, 0x01}, RCX, PAGE + 16,
        PAGE + 8, KUSER_UNREADABLE},
    {"no_instruction", {0x06}, RCX, PAGE, PAGE, KUSER_UNREADABLE},
};

static void plan_row(void **state)
{
    const struct plan_row *row = *state;
    uint64_t registers[INSTRUCTION_REGISTERS] = {0};
    struct kuser_read read;

    registers[row->reg] = row->value;
    assert_int_equal(kuser_plan(&read, row->bytes, sizeof(row->bytes),
                         registers, row->fault, COPY),
        row->want);
}

#if defined(__x86_64__)

static const int gregs[INSTRUCTION_REGISTERS] = {REG_RAX, REG_RCX, REG_RDX,
    REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10,
    REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

enum { FLAG_TRAP = 0x100, CODE_BYTES = 4096, STACK_BYTES = 64 * 1024 };

/* One instruction and an INT3 behind it, executed with these registers. */
static struct {
    uint8_t *code, *copy;
    uint64_t registers[INSTRUCTION_REGISTERS];
    mcontext_t back;
    stack_t host_stack;
    struct kuser_read read;
    enum kuser_plan plan;
    unsigned faults;
    bool started, stepping;
} machine;

static void get(const mcontext_t *context)
{
    for (unsigned i = 0; i < INSTRUCTION_REGISTERS; i++) {
        machine.registers[i] = (uint64_t)context->gregs[gregs[i]];
    }
}

static void put(mcontext_t *context)
{
    for (unsigned i = 0; i < INSTRUCTION_REGISTERS; i++) {
        context->gregs[gregs[i]] = (greg_t)machine.registers[i];
    }
}

static void on_trap(int signal, siginfo_t *info, void *argument)
{
    mcontext_t *context = &((ucontext_t *)argument)->uc_mcontext;

    (void)signal;
    (void)info;
    if (!machine.started) {
        machine.started = true;
        machine.back = *context;
        machine.registers[RSP] = (uint64_t)context->gregs[REG_RSP];
        put(context);
        context->gregs[REG_RIP] = (greg_t)(uintptr_t)machine.code;
        return;
    }
    get(context);
    if (machine.stepping) {
        machine.stepping = false;
        kuser_end(&machine.read, machine.registers);
        put(context);
        context->gregs[REG_EFL] &= ~FLAG_TRAP;
        return;
    }
    memcpy(context->gregs, machine.back.gregs, sizeof(context->gregs));
}

static void on_fault(int signal, siginfo_t *info, void *argument)
{
    mcontext_t *context = &((ucontext_t *)argument)->uc_mcontext;

    (void)signal;
    machine.faults++;
    get(context);
    machine.plan = kuser_plan(&machine.read, machine.code, 15,
        machine.registers, (uint64_t)(uintptr_t)info->si_addr, COPY);
    if (machine.plan == KUSER_LOAD) {
        kuser_load(&machine.read, machine.copy, machine.registers);
        context->gregs[REG_RIP] += machine.read.memory.length;
    } else if (machine.plan == KUSER_STEP) {
        kuser_begin(&machine.read, machine.registers);
        context->gregs[REG_EFL] |= FLAG_TRAP;
        machine.stepping = true;
    } else {
        memcpy(context->gregs, machine.back.gregs, sizeof(context->gregs));
        return;
    }
    put(context);
}

/* Byte n of the copy is n * 7 + 1. */
static struct run_row {
    const char *name;
    uint8_t bytes[15];
    uint8_t length;
    uint8_t reg, reg2;
    uint64_t value, value2;
    unsigned want_faults;
    uint64_t want_rax, want_reg, want_reg2;
} run_rows[] = {
    {"base_is_put_back", {0x48, 0x8B, 0x01}, 3, RCX, R8, PAGE + 8, 0, 1,
        UINT64_C(0x6A635C554E474039), PAGE + 8, 0},
    {"base_with_displacement", {0x8B, 0x81, 0x08, 0, 0, 0}, 6, RCX, R8, PAGE, 0,
        1, 0x4E474039, PAGE, 0},
    {"extended_register", {0x49, 0x8B, 0x41, 0x08}, 4, R9, R8, PAGE, 0, 1,
        UINT64_C(0x6A635C554E474039), PAGE, 0},
    {"overwritten_base_is_kept", {0x48, 0x8B, 0x00}, 3, RAX, R8, PAGE + 8, 0, 1,
        UINT64_C(0x6A635C554E474039), UINT64_C(0x6A635C554E474039), 0},
    {"overwritten_by_32_bits", {0x8B, 0x00}, 2, RAX, R8, PAGE + 8, 0, 1,
        0x4E474039, 0x4E474039, 0},
    {"zero_extension_overwrites", {0x0F, 0xB6, 0x00}, 3, RAX, R8, PAGE + 9, 0,
        1, 0x40, 0x40, 0},
    {"sixteen_bits_are_merged", {0x66, 0x8B, 0x00}, 3, RAX, R8, PAGE + 8, 0, 1,
        PAGE + 0x4039, PAGE + 0x4039, 0},
    {"low_byte_is_merged", {0x8A, 0x00}, 2, RAX, R8, PAGE + 0x108, 0, 1,
        PAGE + 0x139, PAGE + 0x139, 0},
    {"high_byte_is_merged", {0x8A, 0x20}, 2, RAX, R8, PAGE + 8, 0, 1,
        PAGE + 0x3908, PAGE + 0x3908, 0},
    {"base_beside_a_scaled_index", {0x48, 0x8B, 0x04, 0xD1}, 4, RCX, RDX, PAGE,
        1, 1, UINT64_C(0x6A635C554E474039), PAGE, 1},
    {"index_where_the_base_is_read", {0x48, 0x03, 0x04, 0x08}, 4, RCX, RAX,
        PAGE, 8, 1, UINT64_C(0x6A635C554E474041), PAGE,
        UINT64_C(0x6A635C554E474041)},
    {"compare_puts_back", {0x83, 0x79, 0x08, 0x00}, 4, RCX, R8, PAGE, 0, 1,
        FILL, PAGE, 0},
    {"exchange_of_bytes", {0x0F, 0x38, 0xF0, 0x01}, 4, RCX, R8, PAGE + 8, 0, 1,
        0x3940474E, PAGE + 8, 0},
    {"lods_advances", {0x48, 0xAD}, 2, RSI, R8, PAGE + 8, 0, 1,
        UINT64_C(0x6A635C554E474039), PAGE + 16, 0},
    {"scas_advances", {0x48, 0xAF}, 2, RDI, R8, PAGE + 8, 0, 1, FILL, PAGE + 16,
        0},
    {"first_of_cmps_advances", {0xA6}, 1, RSI, RDI, PAGE + 8, COPY, 1, FILL,
        PAGE + 9, COPY + 1},
    {"second_of_cmps_advances", {0xA6}, 1, RDI, RSI, PAGE + 8, COPY, 1, FILL,
        PAGE + 9, COPY + 1},
    {"moffs_eight_bytes", {0x48, 0xA1, 0x08, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF},
        10, RCX, R8, 0, 0, 1, UINT64_C(0x6A635C554E474039), 0, 0},
    {"moffs_four_bytes", {0xA1, 0x08, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, 9, RCX,
        R8, 0, 0, 1, 0x4E474039, 0, 0},
    {"moffs_two_bytes", {0x66, 0xA1, 0x08, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, 10,
        RCX, R8, 0, 0, 1, UINT64_C(0x1111111111114039), 0, 0},
    {"moffs_one_byte", {0xA0, 0x08, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, 9, RCX,
        R8, 0, 0, 1, UINT64_C(0x1111111111111139), 0, 0},
};

static int set_up(void **state)
{
    stack_t stack = {.ss_size = STACK_BYTES};

    (void)state;
    machine.code = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    machine.copy = mmap((void *)COPY, KUSER_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    stack.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(machine.code != MAP_FAILED);
    assert_true(machine.copy == (void *)COPY);
    assert_true(stack.ss_sp != MAP_FAILED);
    for (unsigned i = 0; i < KUSER_BYTES; i++) {
        machine.copy[i] = (uint8_t)(i * 7 + 1);
    }
    mprotect(machine.copy, KUSER_BYTES, PROT_READ);
    sigaltstack(&stack, &machine.host_stack);
    return 0;
}

static int tear_down(void **state)
{
    stack_t stack;

    (void)state;
    sigaltstack(&machine.host_stack, &stack);
    munmap(stack.ss_sp, STACK_BYTES);
    munmap(machine.copy, KUSER_BYTES);
    munmap(machine.code, CODE_BYTES);
    return 0;
}

/* The test framework has handlers of its own between the calls. */
static void execute(const uint8_t *bytes, size_t length)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction old_fault, old_trap;

    memset(machine.code, 0xCC, 32);
    memcpy(machine.code, bytes, length);
    machine.faults = 0;
    machine.started = false;
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, &old_fault);
    action.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &action, &old_trap);
    raise(SIGTRAP);
    sigaction(SIGSEGV, &old_fault, NULL);
    sigaction(SIGTRAP, &old_trap, NULL);
}

static void run_row(void **state)
{
    const struct run_row *row = *state;

    for (unsigned i = 0; i < INSTRUCTION_REGISTERS; i++) {
        machine.registers[i] = FILL;
    }
    machine.registers[row->reg] = row->value;
    machine.registers[row->reg2] = row->value2;
    execute(row->bytes, row->length);
    assert_int_equal(machine.faults, row->want_faults);
    assert_int_equal(machine.registers[RAX], row->want_rax);
    assert_int_equal(machine.registers[row->reg], row->want_reg);
    assert_int_equal(machine.registers[row->reg2], row->want_reg2);
}

/* REP MOVSQ of three. */
static void repeated_moves_step_one_by_one(void **state)
{
    static const uint8_t bytes[] = {0xF3, 0x48, 0xA5};
    static const uint8_t want[4] = {0x39, 0x40, 0x47, 0x4E};
    uint8_t target[32] = {0};

    (void)state;
    machine.registers[RSI] = PAGE + 8;
    machine.registers[RDI] = (uintptr_t)target;
    machine.registers[RCX] = 3;
    execute(bytes, sizeof(bytes));
    assert_int_equal(machine.faults, 3);
    assert_int_equal(machine.registers[RSI], PAGE + 32);
    assert_int_equal(machine.registers[RDI], (uintptr_t)(target + 24));
    assert_int_equal(machine.registers[RCX], 0);
    assert_memory_equal(target, want, 4);
    assert_int_equal(target[23], 0xDA);
    assert_int_equal(target[24], 0);
}

static void add_runs(struct test_list *list)
{
    test_fixture(list, set_up, tear_down);
    TEST_ADD_ROWS(list, run_row, run_rows);
    test_add(list, "repeated_moves_step_one_by_one",
        repeated_moves_step_one_by_one, NULL);
}

#else

static void add_runs(struct test_list *list)
{
    (void)list;
}

#endif

TEST_FILE(test_kuser)
{
    TEST_ADD_ROWS(list, plan_row, plan_rows);
    add_runs(list);
}
