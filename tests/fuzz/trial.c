/* trial.c - DriverEntry, a file on the first device, a few device controls,
 * DriverUnload: what a scenario would do. Without a device its functions are
 * called instead. */
#define _GNU_SOURCE
#include "tests/fuzz/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/boot/kernel_boot.h"
#include "api/core/place.h"
#include "api/image/gate.h"
#include "api/image/image.h"
#include "api/image/image_driver.h"
#include "api/image/imports.h"
#include "api/image/native.h"
#include "api/image/trap.h"
#include "api/ke/code.h"
#include "scenarios/runner/run/sandbox.h"
#include "sim/machine/strand.h"
#include "tests/api/io/program_file.h"

enum {
    CPU_US = 100000,    /* of the processor's time */
    CLOCK_SECONDS = 20, /* for a process of ours that hangs */
    BUDGET = 20000,     /* preemption points */
    BUFFER_BYTES = 64,
    CALLS = 3,
    HELD_BYTES = 32 << 20, /* of blocks: to fill more takes longer than that */
    LIVE_BLOCKS = 4096,
};

const char *const trial_end_names[TRIAL_ENDS] = {
    [TRIAL_NONE] = "crashed",
    [TRIAL_REFUSED] = "refused",
    [TRIAL_ENDED] = "ended",
    [TRIAL_STOPPED] = "stopped",
    [TRIAL_UNMODELLED] = "not_modelled",
    [TRIAL_TIMEOUT] = "time_out",
    [TRIAL_DEADLOCK] = "deadlock",
};

/* Codes of FILE_DEVICE_UNKNOWN for any access, METHOD_BUFFERED. */
static const ULONG codes[] = {0x222000, 0x222004, 0x222008};

/* One life of a driver, as code of a strand. */
struct life {
    struct kernel *kernel;
    struct image *image;
    NTSTATUS entry, open, unload;
};

static code_function *no_code(uint64_t address)
{
    (void)address;
    return NULL;
}

bool trial_open(struct trial *trial)
{
    struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    *trial = (struct trial){
        .report = mmap(NULL, sizeof(*trial->report), PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    if (trial->report == MAP_FAILED || !machine_reserve(&trial->machine)) {
        return false;
    }
    machine_reset(&trial->machine, &config);
    memory_bound(&trial->machine.memory, HELD_BYTES, LIVE_BLOCKS);
    trial->machine.budget = BUDGET;
    kernel_boot(&trial->kernel, &trial->machine, OS_WIN11, ARCH_X64);
    trial->kernel.code_at = no_code;
    memory_discard(&trial->machine.memory);
    return true;
}

void trial_close(struct trial *trial)
{
    kernel_release(&trial->kernel);
    machine_release(&trial->machine);
    munmap(trial->report, sizeof(*trial->report));
}

static void note(
    struct trial_report *report, enum trial_end end, const char *text)
{
    snprintf(report->text, sizeof(report->text), "%s", text);
    report->end = end;
}

bool trial_can_load(struct trial *trial, const uint8_t *bytes, size_t size)
{
    struct pe_problems problems;
    struct image image = {.name = "trial.sys"};
    bool can;

    if (pe_read(&image.pe, bytes, size, &problems)) {
        imports_check(&trial->kernel, &image, &problems);
        pe_release(&image.pe);
    }
    if (problems.count > 0) {
        note(trial->report, TRIAL_REFUSED, problems.item[0].text);
    }
    can = problems.count == 0;
    pe_problems_release(&problems);
    return can;
}

static void use_device(struct life *life)
{
    uint8_t input[BUFFER_BYTES], output[BUFFER_BYTES];
    struct io_result result;
    struct io_file *file;

    life->open = program_open(life->kernel, life->image->io, NULL, &file);
    if (!NT_SUCCESS(life->open)) {
        return;
    }
    memset(input, 0x5A, sizeof(input));
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        program_control(life->kernel, file, codes[i], input, sizeof(input),
            output, sizeof(output), &result);
    }
    io_close(life->kernel, file);
}

/* A few of the image's functions, which its bytes choose. */
static void call_functions(struct life *life)
{
    static const uint64_t argument[CODE_ARGUMENTS] = {0x12345, 2, 3, 4};
    const struct pe *pe = &life->image->pe;
    size_t first = 0;

    for (size_t i = 0; i < pe->size; i++) {
        first += pe->bytes[i];
    }
    for (size_t i = 0; i < CALLS && pe->function_count > 0; i++) {
        uint64_t address = (uintptr_t)life->image->base +
                           pe->function[(first + i) % pe->function_count].begin;

        if (code_is_at(life->kernel, address)) {
            code_call(life->kernel, address, argument);
        }
    }
}

static void live(void *argument)
{
    struct life *life = argument;

    life->entry = image_driver_start(life->kernel, life->image);
    if (NT_SUCCESS(life->entry)) {
        use_device(life);
        if (life->open == STATUS_NO_SUCH_DEVICE) {
            call_functions(life);
        }
        life->unload = image_driver_stop(life->kernel, life->image);
    }
}

static void note_stop(struct trial_report *report, struct kernel *kernel)
{
    static const enum trial_end ends[] = {
        [RUN_GOES_ON] = TRIAL_STOPPED,
        [RUN_NOT_MODELLED] = TRIAL_UNMODELLED,
        [RUN_TIMEOUT] = TRIAL_TIMEOUT,
    };
    const struct rule_log *log = &kernel->rules;
    const struct rule_event *event =
        log->count == 0 ? NULL : &log->event[log->count - 1];
    char text[TRIAL_TEXT_BYTES], place[PLACE_BYTES];

    if (kernel->end.kind == RUN_GOES_ON && event != NULL) {
        place_name(kernel, event->place, place, sizeof(place));
        snprintf(
            text, sizeof(text), "%s at %s", rule_rows[event->rule].id, place);
    } else {
        snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1,
            kernel->end.reason);
    }
    note(report, ends[kernel->end.kind], text);
}

static void note_end(
    struct trial_report *report, const struct life *life, enum machine_end end)
{
    char text[TRIAL_TEXT_BYTES];

    switch (end) {
    case MACHINE_IDLE:
        snprintf(text, sizeof(text),
            "DriverEntry 0x%08" PRIx32 ", open 0x%08" PRIx32
            ", DriverUnload 0x%08" PRIx32 ", %zu rules",
            (uint32_t)life->entry, (uint32_t)life->open, (uint32_t)life->unload,
            life->kernel->rules.count);
        note(report, TRIAL_ENDED, text);
        break;
    case MACHINE_STOPPED:
        note_stop(report, life->kernel);
        break;
    case MACHINE_DEADLOCK:
        note(report, TRIAL_DEADLOCK, "nobody can go on");
        break;
    case MACHINE_BUDGET:
        note(report, TRIAL_TIMEOUT, "out of preemption points");
        break;
    }
}

static void run_image(struct trial *trial, const uint8_t *bytes, size_t size)
{
    static struct driver driver = {.name = "mutant"};
    struct life life = {.kernel = &trial->kernel};
    struct pe_problems problems;

    life.image = image_load(
        &trial->kernel, "mutant.sys", &driver, bytes, size, NULL, &problems);
    if (life.image == NULL) {
        note(trial->report, TRIAL_REFUSED, problems.item[0].text);
        pe_problems_release(&problems);
        return;
    }
    if (strand_spawn(machine_cpu(&trial->machine, 0), live, &life, &driver) ==
        NULL) {
        return; /* no report */
    }
    note_end(trial->report, &life, machine_run(&trial->machine));
}

/* The process's whole life. */
static _Noreturn void run_confined(
    struct trial *trial, pid_t parent, const uint8_t *bytes, size_t size)
{
    const struct memory *memory = &trial->machine.memory;
    const struct sandbox_limits limits = {.cpu_us = CPU_US,
        .memory_bytes = UINT64_C(2) << 30,
        .guest = {.low = (uintptr_t)memory->base,
            .high = (uintptr_t)memory->base +
                    memory->page_count * MEMORY_PAGE_BYTES,
            .gate = gate_system_call()}};
    const struct itimerval clock = {.it_value = {.tv_sec = CLOCK_SECONDS}};

    if (setitimer(ITIMER_REAL, &clock, NULL) == 0 &&
        sandbox_apply(&limits, parent) == NULL && trap_install()) {
        run_image(trial, bytes, size);
        _exit(EXIT_SUCCESS);
    }
    _exit(EXIT_FAILURE);
}

void trial_run(struct trial *trial, const uint8_t *bytes, size_t size)
{
    struct trial_report *report = trial->report;
    pid_t parent = getpid(), pid, ended;
    int status = 0;

    *report = (struct trial_report){.end = TRIAL_NONE};
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        run_confined(trial, parent, bytes, size);
    }
    if (pid < 0) {
        snprintf(report->text, sizeof(report->text), "no process: %s",
            strerror(errno));
        return;
    }
    do {
        ended = waitpid(pid, &status, 0);
    } while (ended < 0 && errno == EINTR);
    if (WIFSIGNALED(status)) {
        report->end = TRIAL_NONE;
        snprintf(
            report->text, sizeof(report->text), "signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != EXIT_SUCCESS) {
        report->end = TRIAL_NONE;
        snprintf(report->text, sizeof(report->text), "exit status %d",
            WEXITSTATUS(status));
    }
}
