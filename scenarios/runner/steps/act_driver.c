/* act_driver.c - a native driver is loaded, asked and unloaded. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/image/image.h"
#include "api/image/image_driver.h"
#include "api/io/control.h"
#include "api/io/driver.h"
#include "api/io/file.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

static struct native_run *native_of(struct run *run, const struct step *step)
{
    return &run->native[step->actor];
}

/* The step cannot be done at all. */
static void refuse(
    struct run *run, struct outcome *outcome, const char *message)
{
    run_fail(run, RESULT_ERROR, outcome, outcome->step->key, "%s", message);
    outcome->failed = true;
}

static void load(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct actor *actor = &run->scenario->actor[outcome->step->actor];
    struct native_run *native = native_of(run, outcome->step);
    struct pe_problems problems = {.count = 0};
    const struct driver_file *file =
        driver_files_find(run->session->drivers, actor->image);
    struct image *image;

    if (native->image != NULL) {
        refuse(run, outcome, "the driver is loaded already");
        return;
    }
    assert(file != NULL && file->bytes != NULL); /* or it would be no run */
    image = image_load(
        kernel, file->name, &actor->driver, file->bytes, file->size, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        refuse(run, outcome,
            talloc_asprintf(
                run->context, "%s: %s", file->name, problems.item[i].text));
    }
    if (image == NULL) {
        return;
    }
    outcome->returns = (uint32_t)image_driver_start(kernel, image);
    if (NT_SUCCESS((NTSTATUS)(uint32_t)outcome->returns)) {
        native->image = image;
    }
}

static void unload(struct run *run, struct outcome *outcome)
{
    struct native_run *native = native_of(run, outcome->step);

    if (native->image->io->guest->DriverUnload == NULL) {
        outcome->call = "unload of a driver that has set no DriverUnload";
    }
    outcome->returns =
        (uint32_t)image_driver_stop(&run->session->kernel, native->image);
    if (NT_SUCCESS((NTSTATUS)(uint32_t)outcome->returns)) {
        native->image = NULL;
    }
}

static void open_device(struct run *run, struct outcome *outcome)
{
    struct native_run *native = native_of(run, outcome->step);

    if (native->file != NULL) {
        refuse(run, outcome, "the driver's device is open already");
        return;
    }
    outcome->returns = (uint32_t)io_open(
        &run->session->kernel, native->image->io, NULL, &native->file);
}

static void close_device(struct run *run, struct outcome *outcome)
{
    struct native_run *native = native_of(run, outcome->step);

    outcome->returns = (uint32_t)io_close(&run->session->kernel, native->file);
    if (NT_SUCCESS((NTSTATUS)(uint32_t)outcome->returns)) {
        native->file = NULL;
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

static void control(struct run *run, struct outcome *outcome)
{
    const struct step_driver *driver = &outcome->step->u.driver;
    struct value_block input = {.size = 0};
    uint8_t *before = talloc_array(run->context, uint8_t, driver->output + 1);
    uint8_t *output = talloc_array(run->context, uint8_t, driver->output + 1);
    uint64_t *information = talloc_zero(run->context, uint64_t);
    struct io_result result;

    assert(before != NULL && output != NULL && information != NULL);
    if (driver->input != NULL &&
        !make_input(run, outcome, driver->input, &input)) {
        run_fail_value(run, outcome, driver->input);
        return;
    }
    memset(before, VALUE_FILL, driver->output + 1);
    memcpy(output, before, driver->output);
    io_control(&run->session->kernel, native_of(run, outcome->step)->file,
        driver->code, input.bytes, (ULONG)input.size, output, driver->output,
        &result);
    outcome->returns = (uint32_t)result.status;
    *information = result.information;
    outcome->out[0] = (struct out_block){.at = (uint8_t *)information,
        .size = sizeof(*information),
        .before = before};
    outcome->out[1] = (struct out_block){
        .at = output, .size = driver->output, .before = before, .array = true};
}

/* What the action needs to be there. */
static const char *missing(
    const struct native_run *native, enum driver_action action)
{
    if (action != DRIVER_LOAD && native->image == NULL) {
        return "the driver is not loaded";
    }
    if ((action == DRIVER_CLOSE || action == DRIVER_IOCTL) &&
        native->file == NULL) {
        return "the driver's device is not open";
    }
    if (action == DRIVER_UNLOAD && native->file != NULL) {
        return "the driver's device is open; close it first";
    }
    return NULL;
}

/* Whoever has raised the processor that requests come from, it was not the
 * driver. */
static const char *raised(struct run *run)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t irql = irql_current(kernel, cpu);

    return irql == irql_number(kernel, LEVEL_PASSIVE_LEVEL)
               ? NULL
               : talloc_asprintf(run->context,
                     "cpu %u is at IRQL %u; requests come at PASSIVE_LEVEL",
                     (unsigned)cpu->index, (unsigned)irql);
}

static void driver_now(struct run *run, struct outcome *outcome)
{
    static void (*const actions[])(struct run *, struct outcome *) = {
        [DRIVER_LOAD] = load,
        [DRIVER_UNLOAD] = unload,
        [DRIVER_OPEN] = open_device,
        [DRIVER_CLOSE] = close_device,
        [DRIVER_IOCTL] = control,
    };
    const struct step *step = outcome->step;
    const char *why = missing(native_of(run, step), step->u.driver.action);

    if (step->u.driver.action == DRIVER_IOCTL) {
        outcome->call = talloc_asprintf(
            outcome, "device control 0x%X", (unsigned)step->u.driver.code);
    }
    why = why != NULL ? why : raised(run);
    if (why != NULL) {
        refuse(run, outcome, why);
        return;
    }
    actions[step->u.driver.action](run, outcome);
}

void act_driver(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, driver_now);
}
