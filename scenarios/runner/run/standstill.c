/* standstill.c - finds a run that hangs in an endless loop of ntpmu's own,
 * where no step begins and no virtual time passes, and ends it. */
#define _GNU_SOURCE
#include "scenarios/runner/run/standstill.h"

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/time.h>

#include "scenarios/runner/run/crash_report.h"
#include "sim/machine/machine.h"

enum { MICROSECONDS = 1000000 };

static const struct machine *watched;
static uint32_t interval_us;

/* At the last look. */
static struct {
    uint64_t steps;
    bool timed; /* it was the second one or a later one in that step */
    uint64_t time;
} last;

/* Of all processors. */
static uint64_t time_passed(void)
{
    uint64_t time = 0;

    for (uint32_t i = 0; i < watched->config.processors; i++) {
        time += watched->cpu[i].time;
    }
    return time;
}

/* The machine is looked at within a step alone, where it is whole. */
static void look(int number)
{
    uint64_t steps = crash_report_steps(), time;
    char text[CRASH_TEXT_BYTES];

    (void)number;
    if (steps != last.steps) {
        last.steps = steps;
        last.timed = false;
        return;
    }
    time = time_passed();
    if (last.timed && time == last.time) {
        snprintf(text, sizeof(text),
            "nothing has gone on for %.1f s of the host's processor time",
            (double)interval_us / MICROSECONDS);
        crash_report_fail(text);
    }
    last.timed = true;
    last.time = time;
}

void standstill_watch(const struct machine *machine, uint32_t us)
{
    struct sigaction action = {.sa_handler = look,
        .sa_flags = SA_RESTART | SA_ONSTACK}; /* a strand's stack is small */
    const struct timeval interval = {
        .tv_sec = us / MICROSECONDS, .tv_usec = us % MICROSECONDS};
    const struct itimerval timer = {
        .it_interval = interval, .it_value = interval};
    int error;

    assert(us > 0);
    watched = machine;
    interval_us = us;
    last.steps = crash_report_steps();
    last.timed = false;
    sigemptyset(&action.sa_mask);
    error = sigaction(SIGPROF, &action, NULL);
    error = error != 0 ? error : setitimer(ITIMER_PROF, &timer, NULL);
    assert(error == 0);
}
