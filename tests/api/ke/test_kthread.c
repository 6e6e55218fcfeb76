/* test_kthread.c - how long a thread has run, asked from another processor
 * (PRI-04). */
#include "api/ke/kthread.h"

#include "sim/machine/strand.h"
#include "tests/api/booted_kernel.h"

enum { NOW = 1000 };

/* Of a thread that was put on processor 1, where it had run for 50 cycles. */
static struct ran_row {
    const char *name;
    bool has_strand, is_current;
    uint64_t since, want;
} ran_rows[] = {
    {"runs_there_until_now", true, true, 900, 150},
    {"has_just_come", true, true, NOW, 50},
    {"comes_a_little_later", true, true, NOW + 1, 50},
    {"somebody_else_runs", true, false, 900, 50},
    {"does_nothing", false, false, 900, 50},
};

struct ran_question {
    const struct ran_row *row;
    uint64_t ran;
};

static void ask_ran(void *argument)
{
    struct ran_question *question = argument;
    const struct ran_row *row = question->row;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = machine_cpu(kernel->machine, 1);
    struct strand *before = cpu->current;
    struct strand strand = {.cpu = cpu};
    struct kthread thread = {.ran = 50, .since = row->since};

    cpu_spin(kernel_cpu(kernel), NOW - kernel_cpu(kernel)->time);
    thread.strand = row->has_strand ? &strand : NULL;
    cpu->current = row->is_current ? &strand : before;
    question->ran = kthread_ran(kernel, &thread);
    cpu->current = before;
}

static void ran_row(void **state)
{
    struct ran_question question = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, ask_ran, &question);
    assert_int_equal(question.ran, question.row->want);
    booted_release(&booted);
}

TEST_FILE(test_kthread)
{
    TEST_ADD_ROWS(list, ran_row, ran_rows);
}
