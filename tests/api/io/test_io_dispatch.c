/* test_io_dispatch.c - what a dispatch routine may do with its request:
 * complete it, keep it, and the rules that it can break (pages
 * IoCompleteRequest, IoMarkIrpPending, DRIVER_DISPATCH). */
#include "api/boot/exports.h"
#include "api/io/io.h"
#include "tests/api/io/io_request.h"

static struct judge_row {
    const char *name;
    struct io_plan plan;
    uint32_t want_status;
    const char *want_rule;
} judge_rows[] = {
    {"other_status_than_completed",
        {.completes = STATUS_SUCCESS, .returns = STATUS_UNSUCCESSFUL},
        0xC0000001, "io.dispatch.status"},
    {"neither_completed_nor_pending",
        {.leave = true, .returns = STATUS_UNSUCCESSFUL}, 0xC0000001,
        "io.dispatch.lost"},
    {"pending_without_mark",
        {.completes = STATUS_SUCCESS, .returns = STATUS_PENDING}, 0,
        "io.dispatch.pending"},
    {"mark_without_pending",
        {.completes = STATUS_SUCCESS,
            .mark_pending = true,
            .returns = STATUS_SUCCESS},
        0, "io.dispatch.pending"},
    {"pending_and_completed_at_once",
        {.completes = STATUS_BUFFER_TOO_SMALL,
            .mark_pending = true,
            .returns = STATUS_PENDING},
        0xC0000023, NULL},
};

static void completing_with_a_cancel_routine_breaks_a_rule(void **state)
{
    const struct io_plan plan = {.cancel = true};
    struct request request;
    const struct rule_log *rules = &request.scene.booted.kernel.rules;

    (void)state;
    request_init(&request, &plan);
    request_run(&request);
    assert_int_equal(request.scene.result.status, STATUS_SUCCESS);
    assert_int_equal(rules->count, 1);
    assert_string_equal(
        rule_rows[rules->event[0].rule].id, "io.complete.cancel");
    scene_release(&request.scene);
}

static void judge_row(void **state)
{
    const struct judge_row *row = *state;
    struct request request;
    const struct rule_log *rules = &request.scene.booted.kernel.rules;
    code_function *dispatch = scene_dispatch;

    request_init(&request, &row->plan);
    request_run(&request);
    assert_int_equal((uint32_t)request.scene.result.status, row->want_status);
    if (row->want_rule == NULL) {
        assert_int_equal(rules->count, 0);
    } else {
        assert_int_equal(rules->count, 1);
        assert_string_equal(rule_rows[rules->event[0].rule].id, row->want_rule);
        assert_int_equal(rules->event[0].place, (uint64_t)(uintptr_t)dispatch);
    }
    scene_release(&request.scene);
}

static void complete_kept(void *argument)
{
    struct request *request = argument;

    request->scene.kept->IoStatus.Status = STATUS_SUCCESS;
    request->scene.kept->IoStatus.Information = 3;
    memcpy(request->scene.kept->AssociatedIrp.SystemBuffer, "xyz", 3);
    IofCompleteRequest(request->scene.kept, 0);
}

/* Another thread of the driver: starts when the request waits. */
static void complete_later(void *argument)
{
    cpu_spend(kernel_cpu(kernel_current()), 1000000, 1);
    cpu_checkpoint(kernel_cpu(kernel_current()));
    complete_kept(argument);
}

static void pending_request_waits_until_it_is_completed(void **state)
{
    const struct io_plan plan = {
        .leave = true, .mark_pending = true, .returns = STATUS_PENDING};
    struct request request;
    struct booted_kernel *booted = &request.scene.booted;

    (void)state;
    request_init(&request, &plan);
    request.output_size = 4;
    booted_spawn(booted, 0, control_now, &request);
    booted_spawn(booted, 1, complete_later, &request);
    assert_int_equal(machine_run(&booted->machine), MACHINE_IDLE);
    assert_int_equal(request.scene.result.status, 0);
    assert_int_equal(request.scene.result.information, 3);
    assert_memory_equal(request.output, "xyz.", 4);
    assert_int_equal(booted->kernel.rules.count, 0);
    scene_release(&request.scene);
}

struct at_apc_level {
    struct request request;
    KIRQL level_there, level_after;
};

static void control_at_apc_level(void *argument)
{
    struct at_apc_level *scene = argument;
    KIRQL old = KfRaiseIrql(1);

    control_now(&scene->request);
    scene->level_after = KeGetCurrentIrql();
    KeLowerIrql(old);
}

static void complete_at_its_own_level(void *argument)
{
    struct at_apc_level *scene = argument;

    scene->level_there = KeGetCurrentIrql();
    complete_kept(&scene->request);
}

/* Who comes to its processor meanwhile is at PASSIVE_LEVEL there. */
static void thread_that_waits_takes_its_level_along(void **state)
{
    const struct io_plan plan = {
        .leave = true, .mark_pending = true, .returns = STATUS_PENDING};
    struct at_apc_level scene = {.level_there = 99};
    struct booted_kernel *booted = &scene.request.scene.booted;

    (void)state;
    request_init(&scene.request, &plan);
    scene.request.output_size = 4;
    booted_spawn(booted, 0, control_at_apc_level, &scene);
    booted_spawn(booted, 0, complete_at_its_own_level, &scene);
    assert_int_equal(machine_run(&booted->machine), MACHINE_IDLE);
    assert_int_equal(scene.request.scene.result.status, 0);
    assert_int_equal(scene.level_there, 0);
    assert_int_equal(scene.level_after, 1);
    scene_release(&scene.request.scene);
}

static void pending_request_that_nobody_completes_is_a_deadlock(void **state)
{
    const struct io_plan plan = {
        .leave = true, .mark_pending = true, .returns = STATUS_PENDING};
    struct request request;
    struct booted_kernel *booted = &request.scene.booted;

    (void)state;
    request_init(&request, &plan);
    booted_spawn(booted, 0, control_now, &request);
    assert_int_equal(machine_run(&booted->machine), MACHINE_DEADLOCK);
    scene_release(&request.scene);
}

static void lost_request_can_be_completed_later(void **state)
{
    const struct io_plan plan = {.leave = true, .returns = STATUS_SUCCESS};
    struct request request;

    (void)state;
    request_init(&request, &plan);
    request.output_size = 4;
    request_run(&request);
    booted_run(&request.scene.booted, 0, complete_kept, &request);
    assert_memory_equal(request.output, "....", 4);
    assert_null(request.scene.booted.kernel.io->requests);
    assert_non_null(request.scene.booted.kernel.io->request_pool.first);
    scene_release(&request.scene);
}

static void complete_a_completed_one(void *argument)
{
    struct request *request = argument;

    control_now(request);
    IofCompleteRequest(request->scene.kept, 0);
}

static void complete_what_is_none(void *argument)
{
    struct request *request = argument;

    IofCompleteRequest((PIRP)(void *)request->scene.device_out, 0);
}

static void complete_null(void *argument)
{
    (void)argument;
    IofCompleteRequest(NULL, 0);
}

static void start_power_of_what_is_none(void *argument)
{
    struct request *request = argument;

    PoStartNextPowerIrp((PIRP)(void *)request->scene.device_out);
}

static struct stop_row {
    const char *name;
    struct io_plan plan;
    void (*code)(void *argument);
    uint32_t want_code;
    const char *want_rule;
    const char *want_name; /* of the first parameter */
} stop_rows[] = {
    {"second_completion", {.information = 0}, complete_a_completed_one, 0x44,
        "io.complete.twice", "request"},
    {"completion_of_something_else", {.information = 0}, complete_what_is_none,
        0xC9, "io.not_object", "request"},
    {"completion_of_null", {.information = 0}, complete_null, 0xC9,
        "io.not_object", "request"},
    {"power_of_something_else", {.information = 0}, start_power_of_what_is_none,
        0xC9, "io.not_object", "request"},
    {"completion_as_pending", {.completes = STATUS_PENDING}, control_now, 0xC9,
        "io.complete.pending", "STATUS_PENDING"},
    {"completion_as_minus_1", {.completes = -1}, control_now, 0xC9,
        "io.complete.pending", "-1"},
    {"dispatch_that_returns_raised", {.raise = true}, control_now, 0xC8,
        "io.dispatch.irql", "IRP_MJ_DEVICE_CONTROL"},
};

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct request request;
    const struct kernel *kernel = &request.scene.booted.kernel;

    request_init(&request, &row->plan);
    booted_run_to_stop(&request.scene.booted, 0, row->code, &request);
    assert_int_equal(kernel->bugcheck.code, row->want_code);
    assert_string_equal(
        rule_rows[kernel->rules.event[kernel->rules.count - 1].rule].id,
        row->want_rule);
    assert_string_equal(kernel->bugcheck.parameter[0].name, row->want_name);
    scene_release(&request.scene);
}

struct sending {
    struct io_scene scene;
    IO_STATUS_BLOCK *block;
    PVOID event; /* which nobody has initialised */
    NTSTATUS returned;
};

/* The driver has no routine for such a request. */
static void send_internal(void *argument)
{
    struct sending *sending = argument;
    PVOID device = sending->scene.notes.device[0];
    PIRP irp = IoBuildDeviceIoControlRequest(
        CODE, device, NULL, 0, NULL, 0, 1, sending->event, sending->block);

    sending->returned = IofCallDriver(device, irp);
}

/* Where EXE-GEN-02 is flipped: only the event is not set. */
static void event_that_cannot_be_used_ends_no_completion(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct sending sending;
    struct booted_kernel *booted = &sending.scene.booted;
    const struct rule_log *rules = &booted->kernel.rules;

    (void)state;
    scene_init(&sending.scene, &plan);
    scene_load(&sending.scene);
    booted->kernel.rulings.value[RULING_EXE_GEN_02] = RULED_EXE_GEN_02_event;
    sending.block = booted_block(booted, sizeof(*sending.block), 0);
    sending.event = booted_block(booted, sizeof(KEVENT), 0);
    booted_run(booted, 0, send_internal, &sending);
    assert_int_equal(sending.returned, STATUS_INVALID_DEVICE_REQUEST);
    assert_int_equal(sending.block->Status, STATUS_INVALID_DEVICE_REQUEST);
    assert_int_equal(rules->count, 1);
    assert_string_equal(
        rule_rows[rules->event[0].rule].id, "object.uninitialized");
    scene_release(&sending.scene);
}

TEST_FILE(test_io_dispatch)
{
    TEST_ADD_ROWS(list, judge_row, judge_rows);
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    test_add(list, "completing_with_a_cancel_routine_breaks_a_rule",
        completing_with_a_cancel_routine_breaks_a_rule, NULL);
    test_add(list, "pending_request_waits_until_it_is_completed",
        pending_request_waits_until_it_is_completed, NULL);
    test_add(list, "thread_that_waits_takes_its_level_along",
        thread_that_waits_takes_its_level_along, NULL);
    test_add(list, "pending_request_that_nobody_completes_is_a_deadlock",
        pending_request_that_nobody_completes_is_a_deadlock, NULL);
    test_add(list, "lost_request_can_be_completed_later",
        lost_request_can_be_completed_later, NULL);
    test_add(list, "event_that_cannot_be_used_ends_no_completion",
        event_that_cannot_be_used_ends_no_completion, NULL);
}
