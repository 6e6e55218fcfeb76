/* bench_driver.c - the family driver: native code on the machine. */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "api/image/image.h"
#include "api/image/image_driver.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/driver_scene.h"
#include "tests/bench/stopwatch.h"

enum {
    CALLS = 400000,
    SIGNALS = 5000,
    RDMSR_BYTES = 2,
    GLOBAL_CTRL = 0x38F, /* IA32_PERF_GLOBAL_CTRL */
};

double driver_kernel_call(void)
{
    return driver_scene_time("calls.sys", "call_kernel", CALLS, 0);
}

double driver_system_call(void)
{
    double start = stopwatch_ns();

    for (int i = 0; i < CALLS; i++) {
        syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0);
    }
    return (stopwatch_ns() - start) / CALLS;
}

double driver_rdmsr(void)
{
    return driver_scene_time("calls.sys", "read_msr", SIGNALS, GLOBAL_CTRL);
}

static void step_over(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;

    (void)signal;
    (void)info;
    uc->uc_mcontext.gregs[REG_RIP] += RDMSR_BYTES;
}

/* The least that an instruction can cost that traps. */
double driver_empty_signal(void)
{
    struct sigaction action = {
        .sa_sigaction = step_over, .sa_flags = SA_SIGINFO};
    struct sigaction before;
    double start, end;

    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
    start = stopwatch_ns();
    for (int i = 0; i < SIGNALS; i++) {
        __asm__ volatile("rdmsr" : : "c"(GLOBAL_CTRL) : "eax", "edx");
    }
    end = stopwatch_ns();
    sigaction(SIGSEGV, &before, NULL);
    return (end - start) / SIGNALS;
}

/* What is timed of a driver's whole life. */
struct timed_life {
    struct driver_scene *scene;
    double ns;
    size_t image_size;
};

static void run_life(void *argument)
{
    struct timed_life *life = argument;
    struct kernel *kernel = &life->scene->kernel;
    double start = stopwatch_ns();
    struct image *image = driver_scene_load(life->scene);
    NTSTATUS entry = image_driver_start(kernel, image);
    NTSTATUS unload = image_driver_stop(kernel, image);

    life->ns = stopwatch_ns() - start;
    life->image_size = image->pe.image_size;
    assert(entry == STATUS_SUCCESS && unload == STATUS_SUCCESS);
    (void)entry;
    (void)unload;
}

static struct timed_life live(void)
{
    struct driver_scene scene;
    struct timed_life life = {.scene = &scene};

    driver_scene_init(&scene, "large.sys");
    driver_scene_run(&scene, run_life, &life);
    driver_scene_release(&scene);
    return life;
}

double driver_load(void)
{
    return live().ns;
}

static void run_load(void *argument)
{
    struct timed_life *life = argument;
    double start = stopwatch_ns();

    driver_scene_load(life->scene);
    life->ns = stopwatch_ns() - start;
}

/* Without what the driver does itself. */
double driver_load_100k(void)
{
    struct driver_scene scene;
    struct timed_life life = {.scene = &scene};

    driver_scene_init(&scene, "large.sys");
    driver_scene_run(&scene, run_load, &life);
    driver_scene_release(&scene);
    return life.ns;
}

/* What the host needs for the image's memory alone. */
double driver_map(void)
{
    size_t size = live().image_size;
    double start = stopwatch_ns();
    void *at = mmap(
        NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert(at != MAP_FAILED);
    memset(at, 0xCC, size);
    munmap(at, size);
    return stopwatch_ns() - start;
}
