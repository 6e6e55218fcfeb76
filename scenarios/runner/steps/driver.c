/* driver.c - driver: a native driver is loaded, asked and unloaded. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/missing.h"
#include "api/image/image.h"
#include "api/image/image_driver.h"
#include "api/io/driver.h"
#include "api/ke/kthread.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/held.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/debugger.h"
#include "scenarios/runner/steps/device_request.h"
#include "scenarios/runner/steps/driver_step.h"
#include "scenarios/runner/steps/steps.h"

/* A device control, and an open, as if they were routines. */
static const struct parameter control_parameters[] = {
    {"Information", "PULONG_PTR", PARAMETER_OUT, NT_ULONG_PTR, "one"},
    {"Output", "PUCHAR", PARAMETER_OUT, NT_UCHAR, "bytes"},
};
static const struct parameter open_parameters[] = {
    {"FileHandle", "PHANDLE", PARAMETER_OUT, NT_HANDLE, "one"},
};

static struct signature signature_of(enum driver_action action)
{
    struct signature signature = {
        .name = "a device control", .returns = NT_NTSTATUS};

    if (action == DRIVER_OPEN) {
        signature.name = "an open";
        signature.parameter = open_parameters;
        signature.parameter_count = 1;
    } else if (action >= DRIVER_IOCTL) {
        signature.parameter = control_parameters;
        signature.parameter_count = 2;
    }
    return signature;
}

/* A word, or the key of a mapping. */
static const struct {
    enum driver_action action;
    const char *key; /* NULL: a word */
} variants[] = {
    {DRIVER_LOAD, NULL},
    {DRIVER_UNLOAD, NULL},
    {DRIVER_CLOSE, NULL},
    {DRIVER_CLOSE, "close"},
    {DRIVER_OPEN, NULL},
    {DRIVER_OPEN, "open"},
    {DRIVER_IOCTL, "ioctl"},
    {DRIVER_AWAIT, "await"},
    {DRIVER_CANCEL, "cancel"},
    {DRIVER_READ, "read"},
    {DRIVER_WRITE, "write"},
};

static bool driver_variant(size_t n, struct step_variant *variant)
{
    enum driver_action action;

    if (n >= sizeof(variants) / sizeof(variants[0])) {
        return false;
    }
    action = variants[n].action;
    *variant = (struct step_variant){
        .word = variants[n].key == NULL ? name_of_driver_action(action, NULL)
                                        : NULL,
        .key = variants[n].key,
        .name = action == DRIVER_OPEN     ? "open"
                : action == DRIVER_IOCTL  ? "ioctl"
                : action == DRIVER_AWAIT  ? "await"
                : action == DRIVER_CANCEL ? "cancel"
                : action == DRIVER_READ   ? "read"
                : action == DRIVER_WRITE  ? "write"
                                          : "driver",
        .signature = signature_of(action)};
    return true;
}

/* The mapping, and what comes of it. */
static void read_asked(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct driver_step *driver = step->data;

    driver_step_read(reader, node, step);
    step->signature = signature_of(driver->action);
    if (driver->action == DRIVER_READ) {
        step->signature.output = driver->request.output;
    } else if (driver->action >= DRIVER_IOCTL) {
        driver_step_read_output(reader, node, step);
    }
}

/* What a program can be asked to do by one word: a driver's own program knows
 * what its first device is. */
static void check_word(
    struct reader *reader, const struct node *node, const struct step *step)
{
    const struct driver_step *driver = step->data;
    const struct driver *program =
        scenario_driver(reader->scenario, step->actor);

    if (!program->user || driver->action == DRIVER_CLOSE) {
        return;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
        driver->action == DRIVER_OPEN
            ? "'%s' is a process, which opens a device by its name"
            : "'%s' is a process, and a driver is loaded and unloaded by "
              "steps of its own",
        program->name);
    diagnostics_hint(reader->scope.schema.diagnostics,
        driver->action == DRIVER_OPEN ? "write driver: {open: '\\\\.\\NAME'}"
                                      : "as: names the driver");
}

/* Requests of a driver's own program come from there unless they say otherwise.
 */
static const struct cpu_list first_processor = {
    .range = &(const struct cpu_range){0, 0}, .range_count = 1};

/* Whether the step is one of a driver's, or of a program that could ask one. */
static bool check_actor(struct reader *reader, const struct step *step)
{
    const struct scenario *scenario = reader->scenario;

    if (scenario->actor[step->actor].image != NULL ||
        (scenario_driver(scenario, step->actor)->user && scenario->native)) {
        return true;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, step->key,
        scenario->native ? "this step's actor is no driver with an image"
                         : "the scenario has no driver");
    diagnostics_hint(reader->scope.schema.diagnostics,
        "the scenario's key driver: {image: NAME.sys} names one");
    return false;
}

static void read_driver(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct driver_step *driver = step->data;
    size_t action;

    step->signature = signature_of(driver->action);
    if (!check_actor(reader, step)) {
        return;
    }
    if (!scenario_driver(reader->scenario, step->actor)->user) {
        step->cpus = first_processor;
    }
    if (node->kind == NODE_MAPPING) {
        driver->action = DRIVER_IOCTL;
        step->signature = signature_of(DRIVER_IOCTL);
        if (schema_mapping(
                &reader->scope.schema, node, MAPPING_IOCTL, step->key) &&
            schema_kind(&reader->scope.schema, node, MAPPING_IOCTL, false) !=
                NULL) {
            read_asked(reader, node, step);
        }
    } else if (schema_name(&reader->scope.schema, node, "driver action",
                   name_of_driver_action, NULL, &action)) {
        driver->action = (enum driver_action)action;
        step->signature = signature_of(driver->action);
        check_word(reader, node, step);
    }
}

/* A driver with an image, while it is loaded, and the program beside it; or a
 * process. */
struct loaded {
    struct image *image;
    struct device_program program;
};

/* Of each actor. */
static struct loaded *natives(struct run *run)
{
    static const char owner;

    return run_memory(
        run, &owner, run->scenario->actor_count * sizeof(struct loaded));
}

struct device_program *device_program_of(struct run *run, size_t actor)
{
    return &natives(run)[actor].program;
}

static struct loaded *native_of(struct run *run, const struct step *step)
{
    return &natives(run)[run->scenario->actor[step->actor].owner];
}

/* Each name for which the image was refused. */
static void refuse_missing(
    struct run *run, struct outcome *outcome, const struct driver *driver)
{
    const struct missing_imports *missing = run->session->kernel.missing;

    for (size_t i = 0; missing->refuse && i < missing->count; i++) {
        const struct missing_import *import = &missing->item[i];

        if (strcmp(import->driver, driver->name) == 0) {
            device_request_refuse(run, outcome,
                talloc_asprintf(run->context,
                    "%s: imports %s of %s, which is not modelled", driver->name,
                    import->name, import->module));
        }
    }
}

static void load(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct driver *driver =
        scenario_driver(run->scenario, outcome->step->actor);
    const char *name = run->scenario->actor[outcome->step->actor].image;
    struct loaded *native = native_of(run, outcome->step);
    struct pe_problems problems;
    const struct driver_file *file =
        driver_files_find(run->session->drivers, name);
    struct image *image;

    if (native->image != NULL) {
        device_request_refuse(run, outcome, "the driver is loaded already");
        return;
    }
    assert(file != NULL && file->bytes != NULL); /* or it would be no run */
    image = image_load(kernel, file->name, driver, file->bytes, file->size,
        file->known, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        device_request_refuse(run, outcome,
            talloc_asprintf(
                run->context, "%s: %s", file->name, problems.item[i].text));
    }
    pe_problems_release(&problems);
    if (image == NULL) {
        refuse_missing(run, outcome, driver);
        return;
    }
    if (run->session->gdb) {
        debugger_await(file, image);
    }
    outcome->returns = (uint32_t)image_driver_start(kernel, image);
    if (NT_SUCCESS((NTSTATUS)(uint32_t)outcome->returns)) {
        native->image = image;
        held_loaded(run, outcome->step->actor, outcome->step->key);
    }
}

static void unload(struct run *run, struct outcome *outcome)
{
    struct loaded *native = native_of(run, outcome->step);

    for (size_t i = 0; run->giving_back && i < run->scenario->actor_count;
         i++) {
        device_request_close_all(run, &natives(run)[i].program);
    }
    if (native->image->io->guest->DriverUnload == NULL) {
        outcome->call = "unload of a driver that has set no DriverUnload";
    }
    outcome->returns =
        (uint32_t)image_driver_stop(&run->session->kernel, native->image);
    if (NT_SUCCESS((NTSTATUS)(uint32_t)outcome->returns)) {
        native->image = NULL;
        held_loaded(run, outcome->step->actor, NULL);
    }
}

static void open_device(struct run *run, struct outcome *outcome)
{
    struct loaded *native = native_of(run, outcome->step);

    device_request_open(run, outcome,
        native->image == NULL ? NULL : native->image->io, &native->program);
}

static void close_device(struct run *run, struct outcome *outcome)
{
    device_request_close(run, outcome, &native_of(run, outcome->step)->program);
}

static void control(struct run *run, struct outcome *outcome)
{
    device_request_control(
        run, outcome, &native_of(run, outcome->step)->program);
}

static void cancel(struct run *run, struct outcome *outcome)
{
    device_request_cancel(
        run, outcome, &native_of(run, outcome->step)->program);
}

static void transfer(struct run *run, struct outcome *outcome)
{
    const struct driver_step *driver = outcome->step->data;

    device_request_transfer(run, outcome,
        &native_of(run, outcome->step)->program, driver->action == DRIVER_READ);
}

static void await(struct run *run, struct outcome *outcome)
{
    device_request_await(run, outcome, &native_of(run, outcome->step)->program);
}

/* What the action needs of the driver whose step it is. */
static const char *missing(
    const struct run *run, const struct step *step, const struct loaded *native)
{
    const struct driver_step *driver = step->data;

    if (scenario_driver(run->scenario, step->actor)->user) {
        return NULL;
    }
    if (driver->action != DRIVER_LOAD && driver->action != DRIVER_AWAIT &&
        driver->action != DRIVER_CANCEL && native->image == NULL) {
        return "the driver is not loaded";
    }
    if (driver->action == DRIVER_UNLOAD && native->program.files != NULL &&
        !run->giving_back) {
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

static void run_driver(struct run *run, struct outcome *outcome)
{
    static void (*const actions[])(struct run *, struct outcome *) = {
        [DRIVER_LOAD] = load,
        [DRIVER_UNLOAD] = unload,
        [DRIVER_OPEN] = open_device,
        [DRIVER_CLOSE] = close_device,
        [DRIVER_IOCTL] = control,
        [DRIVER_AWAIT] = await,
        [DRIVER_CANCEL] = cancel,
        [DRIVER_READ] = transfer,
        [DRIVER_WRITE] = transfer,
    };
    const struct step *step = outcome->step;
    const struct driver_step *driver = step->data;
    const char *why = missing(run, step, native_of(run, step));

    if (driver->action >= DRIVER_IOCTL) {
        outcome->call = driver->action == DRIVER_READ ? "a read"
                        : driver->action == DRIVER_WRITE
                            ? "a write"
                            : talloc_asprintf(outcome, "device control 0x%X",
                                  (unsigned)driver->request.code);
    }
    why = why != NULL ? why : raised(run);
    if (why != NULL) {
        device_request_refuse(run, outcome, why);
        return;
    }
    if (scenario_driver(run->scenario, step->actor)->user) {
        kthread_current(&run->session->kernel); /* it is not the driver's */
    }
    actions[driver->action](run, outcome);
}

/* What `drive` goes on with after a failure: a driver that did not start cannot
 * be unloaded, and that says no more. */
static bool is_in_vain(struct run *run, const struct step *step)
{
    const struct driver_step *driver = step->data;

    return driver->action == DRIVER_UNLOAD &&
           native_of(run, step)->image == NULL;
}

/* A driver that is still loaded, whatever has kept it. */
static bool gives_back(struct run *run, const struct step *step)
{
    const struct driver_step *driver = step->data;

    return driver->action == DRIVER_UNLOAD &&
           native_of(run, step)->image != NULL;
}

static const char *show_status(
    void *context, const struct run *run, const struct outcome *outcome)
{
    char number[NT_STATUS_DIGITS];

    (void)run;
    return talloc_strdup(
        context, nt_status_text((uint32_t)outcome->returns, number));
}

const struct step_code step_driver = {
    .data_bytes = sizeof(struct driver_step),
    .read = read_driver,
    .variant = driver_variant,
    .run = run_driver,
    .is_in_vain = is_in_vain,
    .gives_back = gives_back,
    .show_returned = show_status,
};
