/* driver.c - driver: a native driver is loaded, asked and unloaded. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/image/image.h"
#include "api/image/image_driver.h"
#include "api/io/control.h"
#include "api/io/driver.h"
#include "api/io/file.h"
#include "api/io/irp.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/held.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

enum driver_action {
#define DRIVER_ACTION(name, spelling) DRIVER_##name,
#include "scenarios/runner/language/driver_actions.def"
    DRIVER_IOCTL,
    DRIVER_AWAIT,
};

struct request {
    enum driver_action action;
    const char *name;         /* of what is opened; NULL: the first device */
    uint32_t code;            /* of a device control */
    const struct node *input; /* NULL: none */
    uint32_t output;          /* bytes of its output buffer */
    bool no_wait;             /* the step ends while it is pending */
};

/* A device control as if it were a routine. */
static const struct parameter control_parameters[] = {
    {"Information", "PULONG_PTR", PARAMETER_OUT, NT_ULONG_PTR, "one"},
    {"Output", "PUCHAR", PARAMETER_OUT, NT_UCHAR, "bytes"},
};

static struct signature signature_of(enum driver_action action)
{
    return (struct signature){.name = "a device control",
        .returns = NT_NTSTATUS,
        .parameter = control_parameters,
        .parameter_count = action >= DRIVER_IOCTL ? 2 : 0};
}

static bool driver_variant(size_t n, struct step_variant *variant)
{
    static const char *const names[] = {
        [DRIVER_IOCTL] = "ioctl", [DRIVER_AWAIT] = "await"};

    *variant = (struct step_variant){
        .word = n < DRIVER_IOCTL ? name_of_driver_action(n, NULL) : NULL,
        .name = n < DRIVER_IOCTL || n > DRIVER_AWAIT ? "driver" : names[n],
        .signature = signature_of((enum driver_action)n)};
    return n <= DRIVER_AWAIT;
}

/* The keys that say something of a request go with it alone. */
static void refuse_others(const struct reader *reader, const struct node *node,
    const char *const *others, const char *kind)
{
    for (; *others != NULL; others++) {
        const struct node *other = node_get(node, *others);

        if (other != NULL) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, other,
                "'%s' goes with ioctl, not with %s", *others, kind);
        }
    }
}

/* A device by its name. */
static void read_open(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {
        "input", "output", "wait", "cpu", NULL};
    struct request *driver = step->data;

    driver->action = DRIVER_OPEN;
    step->signature = signature_of(DRIVER_OPEN);
    schema_text(&reader->scope.schema, node_get(node, "open"), &driver->name);
    refuse_others(reader, node, others, "open");
}

/* How much there is of a request's output, or is looked at. */
static void read_output(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct request *driver = step->data;
    uint64_t number = 0;

    if (node_get(node, "output") != NULL &&
        schema_key_number(&reader->scope.schema, MAPPING_IOCTL, "output",
            node_get(node, "output"), &number)) {
        driver->output = (uint32_t)number;
        step->signature.output = driver->output;
    }
}

static void read_await(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {"input", "wait", "cpu", NULL};
    struct request *driver = step->data;
    uint64_t number = 0;

    driver->action = DRIVER_AWAIT;
    step->signature = signature_of(DRIVER_AWAIT);
    if (schema_key_number(&reader->scope.schema, MAPPING_IOCTL, "await",
            node_get(node, "await"), &number)) {
        driver->code = (uint32_t)number;
    }
    read_output(reader, node, step);
    refuse_others(reader, node, others, "await");
}

static void read_ioctl(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct request *driver = step->data;
    const struct node *code = node_get(node, "ioctl");
    const char *method;
    struct value_block block;
    uint64_t number = 0;
    bool wait = true;

    driver->action = DRIVER_IOCTL;
    step->signature = signature_of(DRIVER_IOCTL);

    if (code != NULL &&
        schema_key_number(schema, MAPPING_IOCTL, "ioctl", code, &number)) {
        driver->code = (uint32_t)number;
        method = io_control_unmodelled(driver->code);
        if (method != NULL) {
            schema_error(schema, DIAGNOSTIC_NOT_MODELLED, code,
                "%s is not modelled; METHOD_BUFFERED is", method);
        }
    }
    if (node_get(node, "cpu") != NULL) {
        read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    }
    driver->input = node_get(node, "input");
    if (driver->input != NULL && value_is_layout(driver->input)) {
        value_layout(&reader->scope, reader->scenario, driver->input, &block);
    } else if (driver->input != NULL) {
        value_block(&reader->scope, reader->scenario, driver->input, NT_UCHAR,
            true, &block);
    }
    read_output(reader, node, step);
    if (node_get(node, "wait") != NULL &&
        schema_bool(schema, node_get(node, "wait"), &wait)) {
        driver->no_wait = !wait;
    }
}

static void read_asked(
    struct reader *reader, const struct node *node, struct step *step)
{
    if (node_get(node, "open") != NULL) {
        read_open(reader, node, step);
    } else if (node_get(node, "await") != NULL) {
        read_await(reader, node, step);
    } else {
        read_ioctl(reader, node, step);
    }
}

/* Requests come from there unless they say otherwise. */
static const struct cpu_list first_processor = {
    .range = &(const struct cpu_range){0, 0}, .range_count = 1};

static void read_driver(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct request *driver = step->data;
    size_t action;

    step->signature = signature_of(driver->action);
    if (reader->scenario->actor[step->actor].image == NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, step->key,
            reader->scenario->native
                ? "this step's actor is no driver with an image"
                : "the scenario has no driver");
        diagnostics_hint(reader->scope.schema.diagnostics,
            "the scenario's key driver: {image: NAME.sys} names one");
        return;
    }
    step->cpus = first_processor;
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
    }
}

/* A request of a program's, and the memory that it has given for it. */
struct control {
    struct control *next; /* made later, and pending as well */
    uint32_t code;
    uint32_t size;            /* bytes of both of these */
    uint8_t *before, *output; /* what was in the output, and what there is */
    struct io_request *pending;
};

/* A driver with an image, while it is loaded. */
struct loaded {
    struct image *image;
    struct io_file *file;    /* its device, while it is open */
    struct control *pending; /* requests that no step has awaited */
};

static struct loaded *native_of(struct run *run, const struct step *step)
{
    static const char owner;
    struct loaded *natives = run_memory(
        run, &owner, run->scenario->actor_count * sizeof(struct loaded));

    return &natives[run->scenario->actor[step->actor].owner];
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
    struct driver *driver =
        scenario_driver(run->scenario, outcome->step->actor);
    const char *name = run->scenario->actor[outcome->step->actor].image;
    struct loaded *native = native_of(run, outcome->step);
    struct pe_problems problems = {.count = 0};
    const struct driver_file *file =
        driver_files_find(run->session->drivers, name);
    struct image *image;

    if (native->image != NULL) {
        refuse(run, outcome, "the driver is loaded already");
        return;
    }
    assert(file != NULL && file->bytes != NULL); /* or it would be no run */
    image = image_load(kernel, file->name, driver, file->bytes, file->size,
        file->known, &problems);
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
        held_loaded(run, outcome->step->actor, outcome->step->key);
    }
}

static void unload(struct run *run, struct outcome *outcome)
{
    struct loaded *native = native_of(run, outcome->step);

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
    const struct request *driver = outcome->step->data;
    struct loaded *native = native_of(run, outcome->step);

    if (native->file != NULL) {
        refuse(run, outcome, "the driver's device is open already");
        return;
    }
    if (driver->name != NULL &&
        io_name_of_file(&run->session->kernel, driver->name)) {
        refuse(run, outcome, "names of files of a device are not modelled");
        return;
    }
    outcome->returns = (uint32_t)io_open(
        &run->session->kernel, native->image->io, driver->name, &native->file);
}

static void close_device(struct run *run, struct outcome *outcome)
{
    struct loaded *native = native_of(run, outcome->step);

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

static struct control *make_control(struct run *run, struct request driver)
{
    struct control *control = talloc_zero(run->context, struct control);

    assert(control != NULL);
    *control = (struct control){.code = driver.code,
        .size = driver.output,
        .before = talloc_array(control, uint8_t, driver.output + 1),
        .output = talloc_array(control, uint8_t, driver.output + 1)};
    assert(control->before != NULL && control->output != NULL);
    memset(control->before, VALUE_FILL, driver.output + 1);
    memcpy(control->output, control->before, driver.output);
    return control;
}

/* What came of it; `size` bytes of its output are looked at. */
static void show_control(struct outcome *outcome, const struct control *control,
    const struct io_result *result, uint32_t size)
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

static void control(struct run *run, struct outcome *outcome)
{
    const struct request *driver = outcome->step->data;
    struct loaded *native = native_of(run, outcome->step);
    struct value_block input = {.size = 0};
    struct control *control = make_control(run, *driver);
    struct control **last = &native->pending;
    struct io_result result;

    if (driver->input != NULL &&
        !make_input(run, outcome, driver->input, &input)) {
        run_fail_value(run, outcome, driver->input);
        return;
    }
    control->pending = io_control_start(&run->session->kernel, native->file,
        driver->code, input.bytes, (ULONG)input.size, control->output,
        driver->output, &result);
    if (control->pending != NULL && !driver->no_wait) {
        result = io_request_wait(&run->session->kernel, control->pending);
    } else if (control->pending != NULL) {
        while (*last != NULL) {
            last = &(*last)->next;
        }
        *last = control;
    }
    show_control(outcome, control, &result, driver->output);
}

/* Whoever completes it: it may be over long ago, and its file closed. */
static void await(struct run *run, struct outcome *outcome)
{
    const struct request *driver = outcome->step->data;
    struct control **at = &native_of(run, outcome->step)->pending;
    struct control *control;
    struct io_result result;

    while (*at != NULL && (*at)->code != driver->code) {
        at = &(*at)->next;
    }
    control = *at;
    if (control == NULL) {
        refuse(run, outcome,
            "no request of this code was left pending by wait: false");
        return;
    }
    if (driver->output > control->size) {
        refuse(run, outcome, "the request has a shorter output");
        return;
    }
    *at = control->next;
    result = io_request_wait(&run->session->kernel, control->pending);
    show_control(outcome, control, &result, driver->output);
}

/* What the action needs to be there. */
static const char *missing(
    const struct loaded *native, enum driver_action action)
{
    if (action != DRIVER_LOAD && action != DRIVER_AWAIT &&
        native->image == NULL) {
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

static void run_driver(struct run *run, struct outcome *outcome)
{
    static void (*const actions[])(struct run *, struct outcome *) = {
        [DRIVER_LOAD] = load,
        [DRIVER_UNLOAD] = unload,
        [DRIVER_OPEN] = open_device,
        [DRIVER_CLOSE] = close_device,
        [DRIVER_IOCTL] = control,
        [DRIVER_AWAIT] = await,
    };
    const struct step *step = outcome->step;
    const struct request *driver = step->data;
    const char *why = missing(native_of(run, step), driver->action);

    if (driver->action >= DRIVER_IOCTL) {
        outcome->call = talloc_asprintf(
            outcome, "device control 0x%X", (unsigned)driver->code);
    }
    why = why != NULL ? why : raised(run);
    if (why != NULL) {
        refuse(run, outcome, why);
        return;
    }
    actions[driver->action](run, outcome);
}

/* What `drive` goes on with after a failure: a driver that did not start cannot
 * be unloaded, and that says no more. */
static bool is_in_vain(struct run *run, const struct step *step)
{
    const struct request *driver = step->data;

    return driver->action == DRIVER_UNLOAD &&
           native_of(run, step)->image == NULL;
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
    .data_bytes = sizeof(struct request),
    .read = read_driver,
    .variant = driver_variant,
    .run = run_driver,
    .is_in_vain = is_in_vain,
    .show_returned = show_status,
};
