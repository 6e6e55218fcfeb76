/* test_guest.c - what belongs to native code that runs: its stack, the bytes of
 * its next instruction, and the page through which it leaves. */
#include "api/image/gate.h"
#include "api/image/guest.h"
#include "tests/api/image/native_scene.h"

enum { PAGE = MEMORY_PAGE_BYTES };

/* Of the stack of the strand that asks, which has STRAND_GUEST_STACK_BYTES. */
static struct stack_row {
    const char *name;
    int64_t at; /* from its lowest byte on */
    uint64_t size;
    bool want;
} stack_rows[] = {
    {"lowest_byte", 0, 1, true},
    {"byte_below", -1, 1, false},
    {"nothing_below", -1, 0, false},
    {"all_of_it", 0, STRAND_GUEST_STACK_BYTES, true},
    {"more_than_all_of_it", 0, STRAND_GUEST_STACK_BYTES + 1, false},
    {"highest_byte", STRAND_GUEST_STACK_BYTES - 1, 1, true},
    {"across_its_end", STRAND_GUEST_STACK_BYTES - 1, 2, false},
    {"nothing_at_its_end", STRAND_GUEST_STACK_BYTES, 0, true},
    {"byte_at_its_end", STRAND_GUEST_STACK_BYTES, 1, false},
    {"nothing_behind_its_end", STRAND_GUEST_STACK_BYTES + 1, 0, false},
    {"size_that_no_memory_has", 8, UINT64_MAX, false},
};

struct asked {
    const struct stack_row *row;
    bool answer;
};

static void ask_of_stack(void *argument)
{
    struct asked *asked = argument;
    struct kernel *kernel = kernel_current();
    uint64_t bottom = (uintptr_t)strand_guest_stack(kernel->machine);

    asked->answer = guest_on_stack(
        kernel, bottom + (uint64_t)asked->row->at, asked->row->size);
}

static void stack_row(void **state)
{
    struct asked asked = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, ask_of_stack, &asked);
    assert_int_equal(asked.answer, asked.row->want);
    booted_release(&booted);
}

/* An instruction 5 bytes before the end of a page. The next one is pageable,
 * and nobody has touched it yet. */
static struct code_row {
    const char *name;
    bool pageable; /* the first page, too */
    size_t want;   /* bytes that can be read */
} code_rows[] = {
    {"pageable_code_behind_other_code_stays_closed", false, 5},
    {"pageable_code_goes_on_behind_its_page", true, 15},
};

static void code_row(void **state)
{
    const struct code_row *row = *state;
    struct booted_kernel booted;
    struct memory *memory = &booted.machine.memory;
    uint8_t *code;

    booted_init_usual(&booted);
    code = memory_alloc(memory, 2 * PAGE, 0x90);
    assert_non_null(code);
    assert_true(memory_set(
        memory, code, 1, MEMORY_READ | MEMORY_EXECUTE, row->pageable));
    assert_true(
        memory_set(memory, code + PAGE, 1, MEMORY_READ | MEMORY_EXECUTE, true));
    assert_int_equal(
        guest_code_bytes(&booted.kernel, code + PAGE - 5), row->want);
    booted_release(&booted);
}

/* Of 4096 bytes. */
static struct gate_row {
    const char *name;
    int64_t at;
    bool want;
} gate_rows[] = {
    {"gate_s_first_byte", 0, true},
    {"gate_s_last_byte", 4095, true},
    {"byte_before_the_gate", -1, false},
    {"byte_behind_the_gate", 4096, false},
};

static void gate_row(void **state)
{
    const struct gate_row *row = *state;
    uint64_t address = GATE_ADDRESS + (uint64_t)row->at;

    gate_close();
    assert_false(gate_holds(address));
    assert_true(gate_open());
    assert_int_equal(gate_holds(address), row->want);
    gate_close();
    assert_false(gate_holds(address));
}

TEST_FILE(test_guest)
{
    TEST_ADD_ROWS(list, stack_row, stack_rows);
    TEST_ADD_ROWS(list, code_row, code_rows);
    TEST_ADD_ROWS(list, gate_row, gate_rows);
}
