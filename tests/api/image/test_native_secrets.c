/* test_native_secrets.c - no register shows a driver where anything of ours
 * lies, whatever our own code has left in it. */
#include "tests/api/image/native_scene.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "api/image/gate.h"
#include "api/image/host.h"

/* As tests/drivers/registers.c keeps it. */
struct seen {
    uint64_t general[16];
    uint64_t fs, gs;
    uint8_t fx[512];
    uint8_t upper[16][16];
};

enum {
    HAS_AVX = 1,
    HAS_FSGSBASE = 2,
    FX_FIP = 8, /* FXSAVE64's: the last instruction of the x87 unit, its data */
    FX_FDP = 16,
    FX_ST = 32,
    FX_END = 416,
};

static const uint64_t ours = UINT64_C(0x7A5A5A5A5A5A);
static int poisoned;

/* Our own address in every vector register, and in the x87 unit those of an
 * instruction and of its operand. */
static void poison(void)
{
    poisoned++;
    if (__builtin_cpu_supports("avx512f")) {
        __asm__ volatile("vpbroadcastq %0, %%zmm0\n"
                         "vmovdqa64 %%zmm0, %%zmm16\n"
                         "vmovdqa64 %%zmm0, %%zmm31\n"
                         :
                         : "m"(ours));
    }
    if (__builtin_cpu_supports("avx")) {
        __asm__ volatile("vbroadcastsd %0, %%ymm0\n"
                         "vmovapd %%ymm0, %%ymm5\n"
                         "vmovapd %%ymm0, %%ymm6\n"
                         "vmovapd %%ymm0, %%ymm15\n"
                         :
                         : "m"(ours));
    }
    __asm__ volatile("movq %0, %%xmm1\n"
                     "movq %0, %%xmm4\n"
                     "fld1\n"
                     "movq %0, %%mm2\n"
                     "movq %0, %%mm7\n"
                     :
                     : "m"(ours));
}

/* The linker's --wrap: what C leaves behind is what comes from here. */
uint64_t __real_guest_import(
    struct guest_frame *frame, uint32_t routine, uint64_t argument);
uint64_t __wrap_guest_import(
    struct guest_frame *frame, uint32_t routine, uint64_t argument);
uint64_t __wrap_guest_import(
    struct guest_frame *frame, uint32_t routine, uint64_t argument)
{
    uint64_t result = __real_guest_import(frame, routine, argument);

    poison();
    return result;
}

uint64_t __real_guest_enter(struct guest_frame *frame, uint64_t address,
    const uint64_t *argument, uint64_t sp, uint64_t return_address);
uint64_t __wrap_guest_enter(struct guest_frame *frame, uint64_t address,
    const uint64_t *argument, uint64_t sp, uint64_t return_address);
uint64_t __wrap_guest_enter(struct guest_frame *frame, uint64_t address,
    const uint64_t *argument, uint64_t sp, uint64_t return_address)
{
    poison();
    return __real_guest_enter(frame, address, argument, sp, return_address);
}

_Noreturn void __real_guest_resume(struct guest_frame *frame);
_Noreturn void __wrap_guest_resume(struct guest_frame *frame);
_Noreturn void __wrap_guest_resume(struct guest_frame *frame)
{
    poison();
    __real_guest_resume(frame);
}

/* A host that keeps no number for the gate. */
static bool forgets;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long first, long second, long third,
    long fourth, long fifth, long sixth);
long __wrap_syscall(long number, long first, long second, long third,
    long fourth, long fifth, long sixth)
{
    return forgets && number == SYS_prctl
               ? -1
               : __real_syscall(
                     number, first, second, third, fourth, fifth, sixth);
}

/* A guest's own, or no address at all. */
static bool is_fine(uint64_t value)
{
    return value < UINT64_C(0x10000) || value >> 47 != 0 ||
           value - UINT64_C(0x180200000000) <=
               GATE_ADDRESS + GATE_BYTES - UINT64_C(0x180200000000);
}

static void check_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t value;

    for (size_t i = 0; i < size; i += sizeof(value)) {
        memcpy(&value, bytes + i, sizeof(value));
        assert_true(is_fine(value));
    }
}

static uint64_t host_features(void)
{
    return (__builtin_cpu_supports("avx") ? HAS_AVX : 0) |
           (host_has_fsgsbase() ? HAS_FSGSBASE : 0);
}

/* What the host may lack, and the kernel does without. */
enum lack { NOTHING, SLACK, WRFSBASE };

static struct way_row {
    const char *name;
    const char *function;
    int want_poisoned; /* crossings */
    enum lack lack;
} way_rows[] = {
    {"at_an_entry", "see_entry", 1, NOTHING},
    {"after_a_call", "see_call", 2, NOTHING},
    {"after_a_trap", "see_trap", 2, NOTHING},
    {"in_a_filter", "see_filter", 2, NOTHING},
    {"at_an_entry_without_slack", "see_entry", 1, SLACK},
    {"after_a_call_without_slack", "see_call", 2, SLACK},
    {"in_a_filter_without_slack", "see_filter", 2, SLACK},
    {"at_an_entry_without_wrfsbase", "see_entry", 1, WRFSBASE},
    {"after_a_call_without_wrfsbase", "see_call", 2, WRFSBASE},
    {"after_a_trap_without_wrfsbase", "see_trap", 2, WRFSBASE},
    {"in_a_filter_without_wrfsbase", "see_filter", 2, WRFSBASE},
};

static void way_row(void **state)
{
    const struct way_row *row = *state;
    struct native_scene scene = {.size = 0};
    struct seen seen;

    forgets = row->lack == SLACK;
    native_init(&scene, "registers.sys");
    forgets = false;
    assert_int_equal(gate_knocks(gate_system_call()), row->lack == SLACK);
    if (row->lack == WRFSBASE) {
        guest_has_wrfsbase = 0;
    }
    poisoned = 0;
    memcpy(&seen,
        (const void *)(uintptr_t)native_call(
            &scene, row->function, host_features(), 0),
        sizeof(seen));
    assert_true(poisoned >= row->want_poisoned);
    check_bytes((const uint8_t *)seen.general, sizeof(seen.general));
    assert_int_equal(seen.fs, 0);
    assert_true(is_fine(seen.gs));
    check_bytes(seen.fx + FX_FIP, FX_END - FX_FIP);
    check_bytes(seen.upper[0], sizeof(seen.upper));
    native_release(&scene);
}

/* Where the way back is kept meanwhile. */
static void timers_of_the_host_are_as_before(void **state)
{
    struct native_scene scene = {.size = 0};
    int before;

    (void)state;
    assert_int_equal(prctl(PR_SET_TIMERSLACK, 0UL), 0); /* the default */
    before = prctl(PR_GET_TIMERSLACK);
    native_init(&scene, "registers.sys");
    native_release(&scene);
    assert_int_equal(prctl(PR_GET_TIMERSLACK), before);
}

TEST_FILE(test_native_secrets)
{
    test_add(list, "timers_of_the_host_are_as_before",
        timers_of_the_host_are_as_before, NULL);
    TEST_ADD_ROWS(list, way_row, way_rows);
}
