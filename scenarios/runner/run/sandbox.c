/* sandbox.c - what a process that runs a driver's machine code may still do:
 * limits, then the filter of system calls, after which none of them could be
 * set. */
#define _GNU_SOURCE
#include "scenarios/runner/run/sandbox.h"

#include <assert.h>
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "scenarios/runner/run/syscall_filter.h"
#include "scenarios/runner/run/syscall_policy.h"
#include "sim/base/asan_fiber.h"

enum {
    SANDBOX_DESCRIPTORS = 3,       /* below this number */
    SANDBOX_WORDS_BYTES = 1 << 20, /* that a file may get as error output */
    SECOND_US = 1000000,
};

/* AddressSanitizer's shadow counts as data and is larger than any limit. Its
 * reports need what cannot be read later. */
#ifdef ASAN_FIBER
static rlim_t data_limit(uint64_t bytes)
{
    (void)bytes;
    return RLIM_INFINITY;
}

static void tell_sanitizer(void)
{
    __sanitizer_sandbox_on_notify(NULL);
}
#else
static rlim_t data_limit(uint64_t bytes)
{
    return bytes;
}

static void tell_sanitizer(void)
{
}
#endif

/* The signals that end the process are not to be somebody's. */
static bool signals_end(void)
{
    static const int signals[] = {SIGSYS, SIGPROF, SIGXCPU, SIGXFSZ};
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    bool done = true;

    sigemptyset(&action.sa_mask);
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        sigaddset(&set, signals[i]);
        done = sigaction(signals[i], &action, NULL) == 0 && done;
    }
    return sigprocmask(SIG_UNBLOCK, &set, NULL) == 0 && done;
}

/* No file grows, but for one that takes the error output: what an assertion or
 * a sanitizer says has to arrive. */
static rlim_t file_limit(void)
{
    struct stat status;

    if (fstat(STDERR_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) {
        return 0;
    }
    return (rlim_t)status.st_size + SANDBOX_WORDS_BYTES;
}

/* Never raises what the host allows. */
static bool lower(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0) {
        return false;
    }
    limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

bool sandbox_bound_memory(uint64_t bytes)
{
    rlim_t data = data_limit(bytes);

    return lower(RLIMIT_DATA, data, data);
}

static bool lower_all(const struct sandbox_limits *limits)
{
    rlim_t data = data_limit(limits->memory_bytes);
    rlim_t file = file_limit();
    /* Whole seconds, and behind the timer. */
    rlim_t cpu = limits->cpu_us / SECOND_US + 2;

    return lower(RLIMIT_CPU, cpu, cpu + 1) && lower(RLIMIT_DATA, data, data) &&
           lower(RLIMIT_CORE, 0, 0) && lower(RLIMIT_FSIZE, file, file) &&
           lower(RLIMIT_NOFILE, SANDBOX_DESCRIPTORS, SANDBOX_DESCRIPTORS);
}

/* All of them: an administrator's process has some that no limit bounds. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {
        .version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    return syscall(SYS_capset, &header, none) == 0;
}

static bool start_timer(uint64_t cpu_us)
{
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)(cpu_us / SECOND_US),
            .tv_usec = (suseconds_t)(cpu_us % SECOND_US)},
    };

    return setitimer(ITIMER_PROF, &timer, NULL) == 0;
}

static bool end_with(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
        return false;
    }
    errno = ESRCH;
    return getppid() == parent; /* it may have ended before */
}

const char *sandbox_apply(const struct sandbox_limits *limits, pid_t parent)
{
    assert(limits->cpu_us > 0);
    tell_sanitizer(); /* opens files */
    if (limits->debugged) {
        /* Where hosts let nobody but a parent do so; others know no such call.
         */
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    }
    if (!syscall_policy_make()) { /* which the limits are too narrow for */
        return "a filter of system calls";
    }
    if (!end_with(parent)) {
        return "to end with its parent";
    }
    if (!signals_end()) {
        return "default signals";
    }
    if (!lower_all(limits)) {
        return "limits of resources";
    }
    if (prctl(PR_SET_DUMPABLE, limits->debugged, 0, 0, 0) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !drop_capabilities()) {
        return "to give up privileges";
    }
    if (!start_timer(limits->cpu_us)) {
        return "a timer";
    }
    if (!syscall_filter_install(&limits->guest)) {
        return "a filter of system calls";
    }
    return NULL;
}
