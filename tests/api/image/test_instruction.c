/* test_instruction.c - decoding: every row of instructions.def, prefixes, and
 * what only looks like one. The bytes are an assembler's. */
#include <string.h>

#include "api/image/instruction.h"
#include "tests/rows.h"

#define NONE INSTRUCTION_NO_REGISTER

static struct kind_row {
    const char *name;
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
    uint8_t length;
    enum instruction_kind want;
} kind_rows[] = {
    {"rdmsr", {0x0F, 0x32}, 2, INSTRUCTION_RDMSR},
    {"wrmsr", {0x0F, 0x30}, 2, INSTRUCTION_WRMSR},
    {"rdpmc", {0x0F, 0x33}, 2, INSTRUCTION_RDPMC},
    {"clts", {0x0F, 0x06}, 2, INSTRUCTION_CLTS},
    {"lmsw_ax", {0x0F, 0x01, 0xF0}, 3, INSTRUCTION_LMSW},
    {"lmsw_word_ptr_rsp", {0x0F, 0x01, 0x34, 0x24}, 4, INSTRUCTION_LMSW},
    {"cli", {0xFA}, 1, INSTRUCTION_CLI},
    {"sti", {0xFB}, 1, INSTRUCTION_STI},
    {"hlt", {0xF4}, 1, INSTRUCTION_HLT},
    {"insb", {0x6C}, 1, INSTRUCTION_INSB},
    {"insw", {0x66, 0x6D}, 2, INSTRUCTION_INSW},
    {"insd", {0x6D}, 1, INSTRUCTION_INSD},
    {"outsb", {0x6E}, 1, INSTRUCTION_OUTSB},
    {"outsw", {0x66, 0x6F}, 2, INSTRUCTION_OUTSW},
    {"outsd", {0x6F}, 1, INSTRUCTION_OUTSD},
    {"rep_outsd", {0xF3, 0x6F}, 2, INSTRUCTION_OUTSD},
    {"swapgs", {0x0F, 0x01, 0xF8}, 3, INSTRUCTION_SWAPGS},
    {"invlpg_rcx", {0x0F, 0x01, 0x39}, 3, INSTRUCTION_INVLPG},
    {"invpcid_rax_rcx", {0x66, 0x0F, 0x38, 0x82, 0x01}, 5, INSTRUCTION_INVPCID},
    {"wbinvd", {0x0F, 0x09}, 2, INSTRUCTION_WBINVD},
    {"wbnoinvd", {0xF3, 0x0F, 0x09}, 3, INSTRUCTION_WBINVD},
    {"invd", {0x0F, 0x08}, 2, INSTRUCTION_INVD},
    {"lgdt_rcx", {0x0F, 0x01, 0x11}, 3, INSTRUCTION_LGDT},
    {"lidt_rsp_0x20", {0x0F, 0x01, 0x5C, 0x24, 0x20}, 5, INSTRUCTION_LIDT},
    {"lldt_ax", {0x0F, 0x00, 0xD0}, 3, INSTRUCTION_LLDT},
    {"ltr_ax", {0x0F, 0x00, 0xD8}, 3, INSTRUCTION_LTR},
    {"xsetbv", {0x0F, 0x01, 0xD1}, 3, INSTRUCTION_XSETBV},
    {"xsaves_rcx", {0x0F, 0xC7, 0x29}, 3, INSTRUCTION_XSAVES},
    {"xsaves64_rcx", {0x48, 0x0F, 0xC7, 0x29}, 4, INSTRUCTION_XSAVES64},
    {"xrstors_rcx", {0x0F, 0xC7, 0x19}, 3, INSTRUCTION_XRSTORS},
    {"xrstors64_rcx", {0x48, 0x0F, 0xC7, 0x19}, 4, INSTRUCTION_XRSTORS64},
    {"sysretq", {0x48, 0x0F, 0x07}, 3, INSTRUCTION_SYSRET},
    {"sysret", {0x0F, 0x07}, 2, INSTRUCTION_SYSRET},
    {"sysexit", {0x0F, 0x35}, 2, INSTRUCTION_SYSEXIT},
    {"clac", {0x0F, 0x01, 0xCA}, 3, INSTRUCTION_CLAC},
    {"stac", {0x0F, 0x01, 0xCB}, 3, INSTRUCTION_STAC},
    {"monitor", {0x0F, 0x01, 0xC8}, 3, INSTRUCTION_MONITOR},
    {"mwait", {0x0F, 0x01, 0xC9}, 3, INSTRUCTION_MWAIT},
    {"int1", {0xF1}, 1, INSTRUCTION_INT1},
    {"int3", {0xCC}, 1, INSTRUCTION_INT3},
    {"ud2", {0x0F, 0x0B}, 2, INSTRUCTION_UD2},
    {"ud1_eax_ecx", {0x0F, 0xB9, 0xC1}, 3, INSTRUCTION_UD1},
    {"ud0", {0x0F, 0xFF, 0xC1}, 3, INSTRUCTION_UD0},
    {"rsm", {0x0F, 0xAA}, 2, INSTRUCTION_RSM},
    {"getsec", {0x0F, 0x37}, 2, INSTRUCTION_GETSEC},
    {"vmxon_rcx", {0xF3, 0x0F, 0xC7, 0x31}, 4, INSTRUCTION_VMXON},
    {"vmxoff", {0x0F, 0x01, 0xC4}, 3, INSTRUCTION_VMXOFF},
    {"vmclear_rcx", {0x66, 0x0F, 0xC7, 0x31}, 4, INSTRUCTION_VMCLEAR},
    {"vmptrld_rcx", {0x0F, 0xC7, 0x31}, 3, INSTRUCTION_VMPTRLD},
    {"vmptrst_rcx", {0x0F, 0xC7, 0x39}, 3, INSTRUCTION_VMPTRST},
    {"vmread_rax_rcx", {0x0F, 0x78, 0xC8}, 3, INSTRUCTION_VMREAD},
    {"vmwrite_rax_rcx", {0x0F, 0x79, 0xC1}, 3, INSTRUCTION_VMWRITE},
    {"vmlaunch", {0x0F, 0x01, 0xC2}, 3, INSTRUCTION_VMLAUNCH},
    {"vmresume", {0x0F, 0x01, 0xC3}, 3, INSTRUCTION_VMRESUME},
    {"invept_rax_rcx", {0x66, 0x0F, 0x38, 0x80, 0x01}, 5, INSTRUCTION_INVEPT},
    {"invvpid_rax_rcx", {0x66, 0x0F, 0x38, 0x81, 0x01}, 5, INSTRUCTION_INVVPID},
    {"vmrun_rax", {0x0F, 0x01, 0xD8}, 3, INSTRUCTION_VMRUN},
    {"vmload_rax", {0x0F, 0x01, 0xDA}, 3, INSTRUCTION_VMLOAD},
    {"vmsave_rax", {0x0F, 0x01, 0xDB}, 3, INSTRUCTION_VMSAVE},
    {"stgi", {0x0F, 0x01, 0xDC}, 3, INSTRUCTION_STGI},
    {"clgi", {0x0F, 0x01, 0xDD}, 3, INSTRUCTION_CLGI},
    {"skinit_eax", {0x0F, 0x01, 0xDE}, 3, INSTRUCTION_SKINIT},
    {"invlpga_rax_ecx", {0x0F, 0x01, 0xDF}, 3, INSTRUCTION_INVLPGA},
    {"cpuid", {0x0F, 0xA2}, 2, INSTRUCTION_CPUID},
    {"rdtsc", {0x0F, 0x31}, 2, INSTRUCTION_RDTSC},
    {"pause", {0xF3, 0x90}, 2, INSTRUCTION_PAUSE},
    {"rdtscp", {0x0F, 0x01, 0xF9}, 3, INSTRUCTION_RDTSCP},
    {"xgetbv", {0x0F, 0x01, 0xD0}, 3, INSTRUCTION_XGETBV},
    {"pushfq", {0x9C}, 1, INSTRUCTION_PUSHFQ},
    {"pushf", {0x66, 0x9C}, 2, INSTRUCTION_PUSHF},
    {"popfq", {0x9D}, 1, INSTRUCTION_POPFQ},
    {"popf", {0x66, 0x9D}, 2, INSTRUCTION_POPF},
    {"sgdt_rcx", {0x0F, 0x01, 0x01}, 3, INSTRUCTION_SGDT},
    {"sidt_rsp_0x20", {0x0F, 0x01, 0x4C, 0x24, 0x20}, 5, INSTRUCTION_SIDT},
    {"sldt_ax", {0x66, 0x0F, 0x00, 0xC0}, 4, INSTRUCTION_SLDT},
    {"str_rax", {0x48, 0x0F, 0x00, 0xC8}, 4, INSTRUCTION_STR},
    {"smsw_eax", {0x0F, 0x01, 0xE0}, 3, INSTRUCTION_SMSW},
    {"smsw_word_ptr_rcx", {0x0F, 0x01, 0x21}, 3, INSTRUCTION_SMSW},
    {"lar_eax_cx", {0x0F, 0x02, 0xC1}, 3, INSTRUCTION_LAR},
    {"lsl_eax_cx", {0x0F, 0x03, 0xC1}, 3, INSTRUCTION_LSL},
    {"verr_ax", {0x0F, 0x00, 0xE0}, 3, INSTRUCTION_VERR},
    {"verw_ax", {0x0F, 0x00, 0xE8}, 3, INSTRUCTION_VERW},
    {"rdfsbase_rax", {0xF3, 0x48, 0x0F, 0xAE, 0xC0}, 5, INSTRUCTION_RDFSBASE},
    {"wrfsbase_rax", {0xF3, 0x48, 0x0F, 0xAE, 0xD0}, 5, INSTRUCTION_WRFSBASE},
    {"rdgsbase_rax", {0xF3, 0x48, 0x0F, 0xAE, 0xC8}, 5, INSTRUCTION_RDGSBASE},
    {"wrgsbase_r9", {0xF3, 0x49, 0x0F, 0xAE, 0xD9}, 5, INSTRUCTION_WRGSBASE},
    {"iret", {0x66, 0xCF}, 2, INSTRUCTION_IRET},
    {"iretd", {0xCF}, 1, INSTRUCTION_IRETD},
    {"iretq", {0x48, 0xCF}, 2, INSTRUCTION_IRETQ},
    {"syscall", {0x0F, 0x05}, 2, INSTRUCTION_SYSCALL},
    {"sysenter", {0x0F, 0x34}, 2, INSTRUCTION_SYSENTER},
    {"int_0x80", {0xCD, 0x80}, 2, INSTRUCTION_INT_80},
    {"vmcall", {0x0F, 0x01, 0xC1}, 3, INSTRUCTION_VMCALL},
    {"vmmcall", {0x0F, 0x01, 0xD9}, 3, INSTRUCTION_VMMCALL},
    {"vmfunc", {0x0F, 0x01, 0xD4}, 3, INSTRUCTION_VMFUNC},
    {"rdpkru", {0x0F, 0x01, 0xEE}, 3, INSTRUCTION_RDPKRU},
    {"wrpkru", {0x0F, 0x01, 0xEF}, 3, INSTRUCTION_WRPKRU},
    {"rdpru", {0x0F, 0x01, 0xFD}, 3, INSTRUCTION_RDPRU},
    {"umonitor_rax", {0xF3, 0x0F, 0xAE, 0xF0}, 4, INSTRUCTION_UMONITOR},
    {"umwait_eax", {0xF2, 0x0F, 0xAE, 0xF0}, 4, INSTRUCTION_UMWAIT},
    {"tpause_eax", {0x66, 0x0F, 0xAE, 0xF0}, 4, INSTRUCTION_TPAUSE},
    {"monitorx", {0x0F, 0x01, 0xFA}, 3, INSTRUCTION_MONITORX},
    {"mwaitx", {0x0F, 0x01, 0xFB}, 3, INSTRUCTION_MWAITX},
    {"rex64_cpuid", {0x48, 0x0F, 0xA2}, 3, INSTRUCTION_CPUID},
    {"data16_rdtsc", {0x66, 0x0F, 0x31}, 3, INSTRUCTION_RDTSC},
    {"data16_pause", {0x66, 0xF3, 0x90}, 3, INSTRUCTION_PAUSE},
    {"rep_cpuid", {0xF3, 0x0F, 0xA2}, 3, INSTRUCTION_CPUID},
    {"rex64_pushf", {0x48, 0x9C}, 2, INSTRUCTION_PUSHFQ},
    {"pause_with_rex_b_is_the_hosts", {0xF3, 0x41, 0x90}, 3, INSTRUCTION_OTHER},
    {"nop_is_the_hosts", {0x90}, 1, INSTRUCTION_OTHER},
    {"nop_dword_ptr_rax_is_the_hosts", {0x0F, 0x1F, 0x00}, 3,
        INSTRUCTION_OTHER},
    {"xchg_r8_rax_is_the_hosts", {0x49, 0x90}, 2, INSTRUCTION_OTHER},
    {"mov_rax_rcx_is_the_hosts", {0x48, 0x89, 0xC8}, 3, INSTRUCTION_OTHER},
    {"immediate_of_opcodes_is_the_hosts",
        {0x48, 0xB8, 0x0F, 0xF3, 0x20, 0xFA, 0x20, 0xF3, 0x10, 0x03}, 10,
        INSTRUCTION_OTHER},
    {"displacement_of_an_opcode_is_the_hosts",
        {0x48, 0x8D, 0x05, 0x0F, 0x31, 0x00, 0x00}, 7, INSTRUCTION_OTHER},
    {"xbegin_is_the_hosts", {0xC7, 0xF8, 0x01, 0x02, 0x03, 0x04}, 6,
        INSTRUCTION_OTHER},
    {"prefetchw_rax_is_the_hosts", {0x0F, 0x0D, 0x08}, 3, INSTRUCTION_OTHER},
    {"sfence_is_the_hosts", {0x0F, 0xAE, 0xF8}, 3, INSTRUCTION_OTHER},
    {"endbr64_is_the_hosts", {0xF3, 0x0F, 0x1E, 0xFA}, 4, INSTRUCTION_OTHER},
    {"rdsspq_rax_is_the_hosts", {0xF3, 0x48, 0x0F, 0x1E, 0xC8}, 5,
        INSTRUCTION_OTHER},
};

static void kind_row(void **state)
{
    const struct kind_row *row = *state;
    struct instruction got;

    assert_true(instruction_decode(row->bytes, row->length, &got));
    assert_int_equal(got.kind, row->want);
    assert_int_equal(got.length, row->length);
}

static void no_byte_may_be_missing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(kind_rows) / sizeof(kind_rows[0]); i++) {
        const struct kind_row *row = &kind_rows[i];
        struct instruction got;

        for (size_t available = 0; available < row->length; available++) {
            if (instruction_decode(row->bytes, available, &got)) {
                fail_msg("%s, cut to %zu bytes", row->name, available);
            }
        }
    }
}

static struct operand_row {
    const char *name;
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
    uint8_t length;
    enum instruction_kind want;
    uint8_t want_reg, want_number, want_bytes;
    bool want_to_special, want_dx;
} operand_rows[] = {
    {"mov_rax_cr8", {0x44, 0x0F, 0x20, 0xC0}, 4, INSTRUCTION_MOV_CR8, 0, 8, 8,
        false, false},
    {"mov_r8_cr8", {0x45, 0x0F, 0x20, 0xC0}, 4, INSTRUCTION_MOV_CR8, 8, 8, 8,
        false, false},
    {"mov_r15_cr8", {0x45, 0x0F, 0x20, 0xC7}, 4, INSTRUCTION_MOV_CR8, 15, 8, 8,
        false, false},
    {"mov_rsp_cr8", {0x44, 0x0F, 0x20, 0xC4}, 4, INSTRUCTION_MOV_CR8, 4, 8, 8,
        false, false},
    {"mov_cr8_rcx", {0x44, 0x0F, 0x22, 0xC1}, 4, INSTRUCTION_MOV_CR8, 1, 8, 8,
        true, false},
    {"mov_cr8_r12", {0x45, 0x0F, 0x22, 0xC4}, 4, INSTRUCTION_MOV_CR8, 12, 8, 8,
        true, false},
    {"mov_rax_cr0", {0x0F, 0x20, 0xC0}, 3, INSTRUCTION_MOV_CR, 0, 0, 8, false,
        false},
    {"mov_r9_cr2", {0x41, 0x0F, 0x20, 0xD1}, 4, INSTRUCTION_MOV_CR, 9, 2, 8,
        false, false},
    {"mov_rdx_cr3", {0x0F, 0x20, 0xDA}, 3, INSTRUCTION_MOV_CR, 2, 3, 8, false,
        false},
    {"mov_rbx_cr4", {0x0F, 0x20, 0xE3}, 3, INSTRUCTION_MOV_CR, 3, 4, 8, false,
        false},
    {"mov_cr0_rax", {0x0F, 0x22, 0xC0}, 3, INSTRUCTION_MOV_CR, 0, 0, 8, true,
        false},
    {"mov_cr4_r15", {0x41, 0x0F, 0x22, 0xE7}, 4, INSTRUCTION_MOV_CR, 15, 4, 8,
        true, false},
    {"mov_rax_dr7", {0x0F, 0x21, 0xF8}, 3, INSTRUCTION_MOV_DR, 0, 7, 8, false,
        false},
    {"mov_dr7_rax", {0x0F, 0x23, 0xF8}, 3, INSTRUCTION_MOV_DR, 0, 7, 8, true,
        false},
    {"mov_r10_dr0", {0x41, 0x0F, 0x21, 0xC2}, 4, INSTRUCTION_MOV_DR, 10, 0, 8,
        false, false},
    {"mov_eax_cs", {0x8C, 0xC8}, 2, INSTRUCTION_MOV_FROM_SEGMENT, 0, 1, 4,
        false, false},
    {"mov_r9w_gs", {0x66, 0x41, 0x8C, 0xE9}, 4, INSTRUCTION_MOV_FROM_SEGMENT, 9,
        5, 2, false, false},
    {"mov_rdi_ss", {0x48, 0x8C, 0xD7}, 3, INSTRUCTION_MOV_FROM_SEGMENT, 7, 2, 8,
        false, false},
    {"mov_word_ptr_rax_cs", {0x8C, 0x08}, 2, INSTRUCTION_MOV_FROM_SEGMENT, NONE,
        1, 4, false, false},
    {"int_0x29", {0xCD, 0x29}, 2, INSTRUCTION_INT, NONE, 0x29, 4, false, false},
    {"int_0x2c", {0xCD, 0x2C}, 2, INSTRUCTION_INT, NONE, 0x2c, 4, false, false},
    {"int_0x2d", {0xCD, 0x2D}, 2, INSTRUCTION_INT, NONE, 0x2d, 4, false, false},
    {"int_3_in_two_bytes", {0xCD, 0x03}, 2, INSTRUCTION_INT, NONE, 3, 4, false,
        false},
    {"int_0xff", {0xCD, 0xFF}, 2, INSTRUCTION_INT, NONE, 0xff, 4, false, false},
    {"rdrand_eax", {0x0F, 0xC7, 0xF0}, 3, INSTRUCTION_RDRAND, 0, 0, 4, false,
        false},
    {"rdrand_ax", {0x66, 0x0F, 0xC7, 0xF0}, 4, INSTRUCTION_RDRAND, 0, 0, 2,
        false, false},
    {"rdrand_r11", {0x49, 0x0F, 0xC7, 0xF3}, 4, INSTRUCTION_RDRAND, 11, 0, 8,
        false, false},
    {"rdseed_rdx", {0x48, 0x0F, 0xC7, 0xFA}, 4, INSTRUCTION_RDSEED, 2, 0, 8,
        false, false},
    {"rdseed_r8d", {0x41, 0x0F, 0xC7, 0xF8}, 4, INSTRUCTION_RDSEED, 8, 0, 4,
        false, false},
    {"rdpid_rax", {0xF3, 0x0F, 0xC7, 0xF8}, 4, INSTRUCTION_RDPID, 0, 0, 8,
        false, false},
    {"rdpid_r13", {0xF3, 0x41, 0x0F, 0xC7, 0xFD}, 5, INSTRUCTION_RDPID, 13, 0,
        8, false, false},
    {"in_al_0x71", {0xE4, 0x71}, 2, INSTRUCTION_IN, NONE, 0x71, 1, false,
        false},
    {"in_ax_0x71", {0x66, 0xE5, 0x71}, 3, INSTRUCTION_IN, NONE, 0x71, 2, false,
        false},
    {"in_eax_dx", {0xED}, 1, INSTRUCTION_IN, NONE, 0, 4, false, true},
    {"in_al_dx", {0xEC}, 1, INSTRUCTION_IN, NONE, 0, 1, false, true},
    {"out_0x70_al", {0xE6, 0x70}, 2, INSTRUCTION_OUT, NONE, 0x70, 1, false,
        false},
    {"out_dx_eax", {0xEF}, 1, INSTRUCTION_OUT, NONE, 0, 4, false, true},
    {"out_dx_ax", {0x66, 0xEF}, 2, INSTRUCTION_OUT, NONE, 0, 2, false, true},
};

static void operand_row(void **state)
{
    const struct operand_row *row = *state;
    struct instruction got;

    assert_true(instruction_decode(row->bytes, row->length, &got));
    assert_int_equal(got.kind, row->want);
    assert_int_equal(got.length, row->length);
    assert_int_equal(got.reg, row->want_reg);
    assert_int_equal(got.number, row->want_number);
    assert_int_equal(got.operand_bytes, row->want_bytes);
    assert_int_equal(got.to_special, row->want_to_special);
    assert_int_equal(got.port_in_dx, row->want_dx);
}

static struct flow_row {
    const char *name;
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
    bool want_ends, want_branches;
    int32_t want_relative;
} flow_rows[] = {
    {"ret_ends", {0xC3}, true, false, 0},
    {"ret_with_a_count_ends", {0xC2, 0x08, 0x00}, true, false, 0},
    {"short_jump_ends_and_branches", {0xEB, 0xFE}, true, true, -2},
    {"near_jump_ends_and_branches", {0xE9, 0x00, 0x01}, true, true, 256},
    {"jump_by_register_ends", {0xFF, 0xE0}, true, false, 0},
    {"jump_by_memory_ends", {0xFF, 0x25}, true, false, 0},
    {"call_branches", {0xE8, 0x10}, false, true, 16},
    {"short_condition_branches", {0x74, 0x80}, false, true, -128},
    {"near_condition_branches", {0x0F, 0x85, 0xFF, 0xFF, 0xFF, 0xFF}, false,
        true, -1},
    {"fast_fail_ends", {0xCD, 0x29}, true, false, 0},
    {"assert_goes_on", {0xCD, 0x2C}, false, false, 0},
    {"ud2_ends", {0x0F, 0x0B}, true, false, 0},
    {"int3_goes_on", {0xCC}, false, false, 0},
    {"iretq_ends", {0x48, 0xCF}, true, false, 0},
    {"sysret_ends", {0x48, 0x0F, 0x07}, true, false, 0},
    {"syscall_goes_on", {0x0F, 0x05}, false, false, 0},
    {"lea_is_no_branch", {0x48, 0x8D, 0x05, 0x10}, false, false, 0},
};

static void flow_row(void **state)
{
    const struct flow_row *row = *state;
    struct instruction got;

    assert_true(instruction_decode(row->bytes, sizeof(row->bytes), &got));
    assert_int_equal(got.ends, row->want_ends);
    assert_int_equal(got.branches, row->want_branches);
    assert_int_equal(got.relative, row->want_relative);
}

static struct invalid_row {
    const char *name;
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
} invalid_rows[] = {
    {"push_es_is_invalid", {0x06}},
    {"into_is_invalid", {0xCE}},
    {"control_register_1_is_invalid", {0x0F, 0x20, 0xC8}},
    {"segment_register_6_is_invalid", {0x8C, 0xF0}},
    {"prefixes_alone_are_invalid",
        {0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
            0x66, 0x66, 0x66}},
};

static void invalid_row(void **state)
{
    const struct invalid_row *row = *state;
    struct instruction got = {.length = 99};

    assert_false(instruction_decode(row->bytes, sizeof(row->bytes), &got));
    assert_int_equal(got.length, 99);
}

static void every_row_is_decoded_by_a_test(void **state)
{
    bool seen[INSTRUCTION_KINDS] = {true};

    (void)state;
    for (size_t i = 0; i < sizeof(kind_rows) / sizeof(kind_rows[0]); i++) {
        seen[kind_rows[i].want] = true;
    }
    for (size_t i = 0; i < sizeof(operand_rows) / sizeof(operand_rows[0]);
         i++) {
        seen[operand_rows[i].want] = true;
    }
    for (unsigned kind = 0; kind < INSTRUCTION_KINDS; kind++) {
        if (!seen[kind]) {
            fail_msg("no test of %s", instruction_rows[kind].name);
        }
    }
}

static void every_patch_has_a_vector_of_its_own(void **state)
{
    bool used[256] = {false};

    (void)state;
    for (unsigned kind = 1; kind < INSTRUCTION_KINDS; kind++) {
        const struct instruction_row *row = &instruction_rows[kind];

        assert_int_equal(row->vector != 0, row->host != INSTRUCTION_TRAPS);
        if (row->vector != 0) {
            assert_in_range(row->vector, 0x40, 0x7F);
            assert_false(used[row->vector]);
            used[row->vector] = true;
        }
    }
}

TEST_FILE(test_instruction)
{
    TEST_ADD_ROWS(list, kind_row, kind_rows);
    TEST_ADD_ROWS(list, operand_row, operand_rows);
    TEST_ADD_ROWS(list, flow_row, flow_rows);
    TEST_ADD_ROWS(list, invalid_row, invalid_rows);
    test_add(list, "no_byte_may_be_missing", no_byte_may_be_missing, NULL);
    test_add(list, "every_row_is_decoded_by_a_test",
        every_row_is_decoded_by_a_test, NULL);
    test_add(list, "every_patch_has_a_vector_of_its_own",
        every_patch_has_a_vector_of_its_own, NULL);
}
