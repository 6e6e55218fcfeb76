/* device_request.c - files that programs open, closed and asked by their
 * handles. No handle is given twice, so one of another program, or of a file
 * that is closed, is known as such. */
#include "scenarios/runner/steps/device_request.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/io/cancel.h"
#include "api/io/control.h"
#include "api/io/driver.h"
#include "api/io/file.h"
#include "api/io/irp.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

enum { HANDLE_STEP = 4 };

struct device_file {
    struct device_file *next; /* opened later */
    struct io_file *file;
    uint64_t handle;
};

/* A request of a program's, and the memory that it has given for it. */
struct device_control {
    struct device_control *next; /* made later, and pending as well */
    uint32_t code;
    uint32_t size;            /* bytes of both of these */
    uint8_t *before, *output; /* what was in the output, and what there is */
    struct io_request *pending;
};

void device_request_refuse(
    struct run *run, struct outcome *outcome, const char *message)
{
    run_fail(run, RESULT_ERROR, outcome, outcome->step->key, "%s", message);
    outcome->failed = true;
}

static uint64_t next_handle(struct run *run)
{
    static const char owner;
    uint64_t *last = run_memory(run, &owner, sizeof(*last));

    *last += HANDLE_STEP;
    return *last;
}

static void add_file(struct device_program *program, struct device_file *made)
{
    struct device_file **last = &program->files;

    while (*last != NULL) {
        last = &(*last)->next;
    }
    made->next = NULL;
    *last = made;
}

static void take_file(
    struct device_program *program, const struct device_file *file)
{
    struct device_file **at = &program->files;

    while (*at != file) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = file->next;
}

/* The file that a step means. NULL: it has none such, and the outcome says so:
 * as a status where it has named a handle, for others may have closed that. */
static struct device_file *find_file(
    struct run *run, struct outcome *outcome, struct device_program *program)
{
    const struct device_request *request = outcome->step->data;
    struct device_file *file = program->files;
    uint64_t handle;

    if (request->file == NULL && file == NULL) {
        device_request_refuse(run, outcome,
            "it has no device open: a step driver: open, or driver: {open: "
            "NAME}, comes before");
        return NULL;
    }
    if (request->file == NULL && file->next != NULL) {
        device_request_refuse(run, outcome,
            "it has several files open; save the handle when one is opened, "
            "save: {f: out.FileHandle}, and say which by file: $f");
        return NULL;
    }
    if (request->file == NULL) {
        return file;
    }
    if (!value_scalar(&run->scope, request->file, NT_HANDLE, &handle)) {
        run_fail_value(run, outcome, request->file);
        return NULL;
    }
    while (file != NULL && file->handle != handle) {
        file = file->next;
    }
    if (file == NULL) {
        outcome->returns = (uint32_t)STATUS_INVALID_HANDLE;
    }
    return file;
}

/* The handle, 0 when there is none, is the step's output. */
static void show_handle(struct outcome *outcome, uint64_t handle)
{
    static const uint64_t nothing = 0;
    uint64_t *shown = talloc(outcome, uint64_t);

    assert(shown != NULL);
    *shown = handle;
    outcome->out[0] = (struct out_block){.at = (uint8_t *)shown,
        .size = sizeof(*shown),
        .before = (const uint8_t *)&nothing};
}

void device_request_open(struct run *run, struct outcome *outcome,
    const struct io_driver *driver, struct device_program *program)
{
    const struct device_request *request = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;
    struct device_file *made;
    struct io_file *file = NULL;
    uint32_t access =
        request->asked_access ? request->access : GENERIC_READ | GENERIC_WRITE;

    outcome->returns = (uint32_t)io_open(
        kernel, driver, request->name, request->user, access, &file);
    if (file == NULL) {
        show_handle(outcome, 0);
        return;
    }
    made = talloc(run->context, struct device_file);
    assert(made != NULL);
    *made = (struct device_file){.file = file, .handle = next_handle(run)};
    add_file(program, made);
    show_handle(outcome, made->handle);
}

/* The handle is gone at once, whoever else is about to use it. */
void device_request_close(
    struct run *run, struct outcome *outcome, struct device_program *program)
{
    struct device_file *file = find_file(run, outcome, program);

    if (file == NULL) {
        return;
    }
    take_file(program, file);
    io_close(&run->session->kernel, file->file);
    outcome->returns = (uint32_t)STATUS_SUCCESS;
}

void device_request_close_all(struct run *run, struct device_program *program)
{
    struct device_file *file = program->files;

    while (file != NULL) {
        io_close(&run->session->kernel, file->file);
        take_file(program, file);
        file = program->files;
    }
}

/* The bytes of a request's input. */
static bool make_input(struct run *run, struct outcome *outcome,
    const struct node *node, struct value_block *input)
{
    return value_is_layout(node)
               ? value_layout(&run->scope, outcome, node, input)
               : value_block(&run->scope, outcome, node, NT_UCHAR, true, input);
}

static struct device_control *make_control(
    struct run *run, const struct device_request *request)
{
    struct device_control *control =
        talloc_zero(run->context, struct device_control);

    assert(control != NULL);
    *control = (struct device_control){.code = request->code,
        .size = request->output,
        .before = talloc_array(control, uint8_t, request->output + 1),
        .output = talloc_array(control, uint8_t, request->output + 1)};
    assert(control->before != NULL && control->output != NULL);
    memset(control->before, VALUE_FILL, request->output + 1);
    memcpy(control->output, control->before, request->output);
    return control;
}

/* What came of it; `size` bytes of its output are looked at. */
static void show_control(struct outcome *outcome,
    const struct device_control *control, const struct io_result *result,
    uint32_t size)
{
    static const uint64_t nothing = 0;
    uint64_t *information = talloc_zero(control, uint64_t);

    assert(information != NULL && size <= control->size);
    outcome->returns = (uint32_t)result->status;
    *information = result->information;
    outcome->out[0] = (struct out_block){.at = (uint8_t *)information,
        .size = sizeof(*information),
        .before = (const uint8_t *)&nothing};
    outcome->out[1] = (struct out_block){.at = control->output,
        .size = size,
        .before = control->before,
        .array = true};
}

void device_request_control(
    struct run *run, struct outcome *outcome, struct device_program *program)
{
    const struct device_request *request = outcome->step->data;
    struct value_block input = {.size = 0};
    struct device_control *control = make_control(run, request);
    struct device_control **last = &program->pending;
    struct io_result result = {.status = STATUS_INVALID_HANDLE};
    struct device_file *file;

    if (request->input != NULL &&
        !make_input(run, outcome, request->input, &input)) {
        run_fail_value(run, outcome, request->input);
        return;
    }
    file = find_file(run, outcome, program);
    if (outcome->failed) {
        return;
    }
    if (file != NULL) {
        control->pending = io_control_start(&run->session->kernel, file->file,
            request->code, input.bytes, (ULONG)input.size, control->output,
            request->output, &result);
    }
    if (control->pending != NULL && !request->no_wait) {
        result = io_request_wait(&run->session->kernel, control->pending);
    } else if (control->pending != NULL) {
        while (*last != NULL) {
            last = &(*last)->next;
        }
        *last = control;
    }
    show_control(outcome, control, &result, request->output);
}

/* The oldest of that code that no step has awaited. NULL: there is none, and
 * the outcome says so. */
static struct device_control **find_pending(
    struct run *run, struct outcome *outcome, struct device_program *program)
{
    const struct device_request *request = outcome->step->data;
    struct device_control **at = &program->pending;

    while (*at != NULL && (*at)->code != request->code) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        device_request_refuse(run, outcome,
            "no request of this code was left pending by wait: false");
        return NULL;
    }
    return at;
}

/* What is over is cancelled no more. */
void device_request_cancel(
    struct run *run, struct outcome *outcome, struct device_program *program)
{
    struct device_control **at = find_pending(run, outcome, program);

    if (at == NULL) {
        return;
    }
    outcome->returns = (uint32_t)STATUS_SUCCESS;
    if ((*at)->pending->done) {
        outcome->returns = (uint32_t)STATUS_UNSUCCESSFUL;
    } else {
        io_request_cancel(&run->session->kernel, (*at)->pending);
    }
    show_control(outcome, *at,
        &(struct io_result){.status = (NTSTATUS)(uint32_t)outcome->returns}, 0);
}

void device_request_transfer(struct run *run, struct outcome *outcome,
    struct device_program *program, bool reads)
{
    const struct device_request *request = outcome->step->data;
    struct value_block input = {.size = 0};
    struct device_control *control = make_control(run, request);
    struct io_result result = {.status = STATUS_INVALID_HANDLE};
    struct device_file *file;

    if (request->input != NULL &&
        !make_input(run, outcome, request->input, &input)) {
        run_fail_value(run, outcome, request->input);
        return;
    }
    file = find_file(run, outcome, program);
    if (outcome->failed) {
        return;
    }
    if (file != NULL) {
        io_transfer(&run->session->kernel, file->file,
            reads ? IRP_MJ_READ : IRP_MJ_WRITE,
            reads ? control->output : input.bytes,
            reads ? request->output : (ULONG)input.size, request->offset,
            &result);
    }
    show_control(outcome, control, &result, request->output);
}

/* Whoever completes it: it may be over long ago, and its file closed. */
void device_request_await(
    struct run *run, struct outcome *outcome, struct device_program *program)
{
    const struct device_request *request = outcome->step->data;
    struct device_control **at = find_pending(run, outcome, program);
    struct device_control *control;
    struct io_result result;

    if (at == NULL) {
        return;
    }
    control = *at;
    if (request->output > control->size) {
        device_request_refuse(run, outcome, "the request has a shorter output");
        return;
    }
    *at = control->next;
    result = io_request_wait(&run->session->kernel, control->pending);
    show_control(outcome, control, &result, request->output);
}
