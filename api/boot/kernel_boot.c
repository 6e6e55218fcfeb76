/* kernel_boot.c - a kernel is put together: what each room keeps, what rooms
 * have to say to those below them, and the first steps of the HAL. */
#include "api/boot/kernel_boot.h"

#include <assert.h>
#include <stdlib.h>

#include "api/boot/exports.h"
#include "api/bug/bug_check_callback.h"
#include "api/bug/bug_check_dump.h"
#include "api/cm/open_key.h"
#include "api/core/missing.h"
#include "api/ex/ex_timer.h"
#include "api/ex/float_state.h"
#include "api/ex/lookaside.h"
#include "api/ex/pool.h"
#include "api/ex/timer_resolution.h"
#include "api/ex/work_queue.h"
#include "api/fs/open_file.h"
#include "api/hal/arbiter.h"
#include "api/hal/event_buffer.h"
#include "api/hal/hal_counters.h"
#include "api/hal/pci.h"
#include "api/hal/pmi.h"
#include "api/hal/pmu.h"
#include "api/hal/profile.h"
#include "api/hal/usage.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/native.h"
#include "api/io/callback_object.h"
#include "api/io/device.h"
#include "api/io/interrupt_object.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/io/irp_block.h"
#include "api/io/link.h"
#include "api/io/safe_completion.h"
#include "api/ke/clock.h"
#include "api/ke/code.h"
#include "api/ke/cross_call.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dispatcher.h"
#include "api/ke/dpc.h"
#include "api/ke/interrupt.h"
#include "api/ke/ipi.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"
#include "api/ke/lock_left.h"
#include "api/ke/nmi.h"
#include "api/ke/processor_change.h"
#include "api/ke/spinlock.h"
#include "api/ke/timer.h"
#include "api/mm/claim.h"
#include "api/mm/given_memory.h"
#include "api/mm/mdl.h"
#include "api/mm/mdl_user.h"
#include "api/ob/handle.h"
#include "api/pcw/callback.h"
#include "api/pcw/instance.h"
#include "api/pcw/pcw.h"
#include "api/ps/apc.h"
#include "api/ps/counter_config.h"
#include "api/ps/notify.h"
#include "api/ps/process.h"
#include "api/ps/profiling.h"
#include "api/ps/thread.h"
#include "api/se/subject.h"

/* The orders that can be seen are those of traces: of handles, of addresses, of
 * what a driver has left behind. */
static const struct show_namer *const namers[] = {
    &image_namer, &hal_namer, &pcw_namer, NULL};

static const struct leak_source *const leaks[] = {&hal_set_leaks,
    &hal_profile_leaks, &nmi_leaks, &pcw_registration_leaks,
    &pcw_instance_leaks, &lookaside_leaks, &float_state_leaks, &pool_leaks,
    &spinlock_leaks, &lock_leaks, &io_device_leaks, &io_request_leaks,
    &safe_completion_leaks, &io_link_leaks, &usage_lvtpc_leaks,
    &usage_pebs_leaks, &callback_leaks, &bug_check_callback_leaks,
    &ps_thread_leaks, &handle_leaks, &reference_leaks, &notify_leaks,
    &dpc_leaks, &timer_leaks, &ex_timer_leaks, &work_leaks,
    &timer_resolution_leaks, &interrupt_leaks, &profiling_leaks, &mdl_leaks,
    &mdl_mapping_leaks, &mdl_lock_leaks, &mdl_page_leaks, &claim_io_space_leaks,
    &claim_contiguous_leaks, &claim_noncached_leaks, &claim_secured_leaks,
    &claim_view_leaks, &claim_allocated_leaks, &claim_user_mapping_leaks,
    &claim_reserved_leaks, &subject_leaks, NULL};

static bool (*const keepers[])(const struct kernel *kernel,
    const struct driver *driver) = {ps_thread_keeps, work_keeps, NULL};

static const struct gate_observer *const observers[] = {
    &pcw_callback_observer, NULL};

static const struct block_watcher *const block_watchers[] = {&pcw_block_watcher,
    &dispatch_block_watcher, &dpc_block_watcher, &work_block_watcher,
    &lock_block_watcher, &lookaside_block_watcher, &io_irp_block_watcher,
    &mdl_block_watcher, &bug_check_callback_block_watcher, NULL};

static const struct interrupt_source *const interrupts[] = {&pmi_interrupt,
    &ipi_interrupt, &cross_call_interrupt, &clock_interrupt,
    &dispatcher_interrupt, NULL};

static const struct switch_watcher *const switches[] = {
    &profiling_switches, NULL};

static const struct dispatch_work *const dispatch_work[] = {
    &clock_work, &dpc_work, NULL};

/* What a program's end gives back, in order. */
static void (*const process_ends[])(
    struct kernel *kernel, const struct driver *program) = {
    handle_close_all, profiling_process_ends, mdl_user_process_ends, NULL};

static const struct kernel_hooks hooks = {
    .entries = export_entries,
    .native_code = &guest_code,
    .places = &image_places,
    .observers = observers,
    .namers = namers,
    .leaks = leaks,
    .keepers = keepers,
    .block_watchers = block_watchers,
    .interrupts = interrupts,
    .device_interrupt = interrupt_object_service,
    .dispatch_work = dispatch_work,
    .switches = switches,
    .self_object = ps_self_object,
    .program_of = ps_program_of,
    .run_apcs = apc_run,
    .bug_check = bug_check_dump,
    .process_ends = process_ends,
};

struct boot_states {
    struct counter_config config;
    struct ipi ipi;
    struct cross_call cross_call;
    struct nmi nmi;
    struct bug_check_callbacks bug_check_callbacks;
    struct processor_change processor_change;
    struct spinlock_log spinlocks;
    struct lock_table locks;
    struct dispatch_table dispatch_table;
    struct kthreads threads;
    struct ps_processes processes;
    struct dpcs dpcs;
    struct timers timers;
    struct ex_timers ex_timers;
    struct works works;
    struct lookasides lookasides;
    struct registry registry;
    struct open_keys open_keys;
    struct volume volume;
    struct open_files open_files;
    struct clock clock;
    struct timer_resolution timer_resolution;
    struct io_interrupts interrupts;
    struct handles handles;
    struct profiling profiling;
    struct pool pool;
    struct mdls mdls;
    struct claims claims;
    struct subjects subjects;
    struct given_state given_memory;
    struct io io;
    struct arbiter arbiter;
    struct pci pci;
    struct event_buffers event_buffers;
    struct usage usage;
    struct profile profile;
    struct pcw pcw;
    struct native native;
    struct missing_imports missing;
};

/* What the states hold on the host; what they hold of the machine is gone with
 * it. */
static void release_states(struct kernel *kernel)
{
    image_release_all(kernel);
    missing_release(kernel->missing);
    spinlock_log_release(kernel->spinlocks);
    clock_release(kernel->clock);
    handles_release(kernel->handles);
    pcw_release(kernel->pcw);
}

static struct boot_states *new_states(struct kernel *kernel)
{
    struct boot_states *states = kernel->states;

    if (states == NULL) {
        states = malloc(sizeof(*states));
        assert(states != NULL);
    } else {
        release_states(kernel);
    }
    *states = (struct boot_states){.pool = {.first = NULL}};
    return states;
}

/* What each room below keeps for each of them. */
static void make_processors(struct kernel *kernel)
{
    struct machine *machine = kernel->machine;
    uint32_t processors = machine->config.processors;

    kernel->processor =
        arena_alloc(&machine->arena, processors * sizeof(*kernel->processor));
    kernel->pmu =
        arena_alloc(&machine->arena, processors * sizeof(*kernel->pmu));
    assert(kernel->processor != NULL && kernel->pmu != NULL);
    for (uint32_t i = 0; i < processors; i++) {
        machine_cpu(machine, i)->local = &kernel->processor[i];
    }
}

static void start(struct kernel *kernel)
{
    make_processors(kernel);
    kernel_enter(kernel);
    irql_start(kernel);
    usage_start(kernel);
    machine_set_efer(kernel->machine, kernel->arch->efer);
    if (kernel->arch->model != MODEL_NONE) {
        pmi_start(kernel);
    }
    interrupt_start(kernel);
    dispatcher_start(kernel);
    assert(kernel_check(kernel));
}

/* Its memory is kept from one boot to the next. */
static struct rule_log emptied(struct rule_log rules)
{
    rules.count = 0;
    return rules;
}

void kernel_boot(
    struct kernel *kernel, struct machine *machine, enum os os, enum arch arch)
{
    struct boot_states *states = new_states(kernel);

    assert(profile_exists(os, arch));
    assert(machine->running == NULL && machine->now == 0); /* just reset */
    *kernel = (struct kernel){
        .machine = machine,
        .os = &os_rows[os],
        .arch = &arch_rows[arch],
        .arch_id = arch,
        .rulings = rulings_default(),
        .rules = emptied(kernel->rules),
        .bugcheck = {.code = BUGCHECK_NONE},
        .hooks = &hooks,
        .states = states,
        .config = &states->config,
        .ipi = &states->ipi,
        .cross_call = &states->cross_call,
        .nmi = &states->nmi,
        .bug_check_callbacks = &states->bug_check_callbacks,
        .processor_change = &states->processor_change,
        .spinlocks = &states->spinlocks,
        .locks = &states->locks,
        .dispatch_table = &states->dispatch_table,
        .threads = &states->threads,
        .processes = &states->processes,
        .dpcs = &states->dpcs,
        .timers = &states->timers,
        .ex_timers = &states->ex_timers,
        .works = &states->works,
        .lookasides = &states->lookasides,
        .registry = &states->registry,
        .open_keys = &states->open_keys,
        .volume = &states->volume,
        .open_files = &states->open_files,
        .clock = &states->clock,
        .timer_resolution = &states->timer_resolution,
        .interrupts = &states->interrupts,
        .handles = &states->handles,
        .profiling = &states->profiling,
        .pool = &states->pool,
        .mdls = &states->mdls,
        .claims = &states->claims,
        .subjects = &states->subjects,
        .given_memory = &states->given_memory,
        .io = &states->io,
        .arbiter = &states->arbiter,
        .pci = &states->pci,
        .event_buffers = &states->event_buffers,
        .usage = &states->usage,
        .profile = &states->profile,
        .pcw = &states->pcw,
        .native = &states->native,
        .missing = &states->missing,
    };
    start(kernel);
}

void kernel_release(struct kernel *kernel)
{
    assert(kernel->machine == NULL || kernel->machine->running == NULL);
    rule_log_release(&kernel->rules);
    if (kernel->states != NULL) {
        release_states(kernel);
        free(kernel->states);
        kernel->states = NULL;
    }
    kernel_leave(kernel);
}
