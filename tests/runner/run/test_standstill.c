/* test_standstill.c - which processes are found to go round in circles. */
#define _GNU_SOURCE
#include "scenarios/runner/run/standstill.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scenarios/runner/run/crash_report.h"
#include "sim/machine/machine.h"
#include "tests/rows.h"

enum { INTERVAL_US = 20000, INTERVALS = 12, PROCESSORS = 3 };

/* What goes on all the while, and whether that is found too little. */
static struct row {
    const char *name;
    bool steps, first_time, last_time, fails;
} rows[] = {
    {"nothing_goes_on", false, false, false, true},
    {"steps_begin", true, false, false, false},
    {"time_of_the_first_processor_passes", false, true, false, false},
    {"time_of_the_last_processor_passes", false, false, true, false},
};

/* So many times what is looked at once. */
static _Noreturn void live(const struct row *row, struct crash_note *note)
{
    static struct cpu cpu[PROCESSORS];
    static struct machine machine = {
        .config = {.processors = PROCESSORS}, .cpu = cpu};
    clock_t end =
        clock() + (clock_t)INTERVALS * INTERVAL_US * (CLOCKS_PER_SEC / 1000000);

    crash_report_to(note);
    standstill_watch(&machine, INTERVAL_US);
    while (clock() < end) {
        if (row->steps) {
            crash_report_step("1");
        }
        cpu[0].time += row->first_time;
        cpu[PROCESSORS - 1].time += row->last_time;
    }
    _exit(EXIT_SUCCESS);
}

static void standstill_row(void **state)
{
    const struct row *row = *state;
    struct crash_note *note = crash_note_new();
    int status;
    pid_t pid;

    assert_non_null(note);
    pid = fork();
    if (pid == 0) {
        live(row, note);
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (row->fails) {
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
        assert_string_equal(note->text,
            "nothing has gone on for 0.0 s of the host's processor time");
    } else {
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), EXIT_SUCCESS);
        assert_string_equal(note->text, "");
    }
    crash_note_free(note);
}

TEST_FILE(test_standstill)
{
    TEST_ADD_ROWS(list, standstill_row, rows);
}
