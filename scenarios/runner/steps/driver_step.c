/* driver_step.c - what a program asks of a device, as a step has it: read and
 * checked, key by key. */
#include "scenarios/runner/steps/driver_step.h"

#include "api/io/control.h"
#include "scenarios/runner/language/access_rights.h"
#include "scenarios/runner/language/named_codes.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/scope_path.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

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

static bool is_open(const struct step *step)
{
    const struct driver_step *driver;

    if (step == NULL || step->kind->code != &step_driver) {
        return false;
    }
    driver = step->data;
    return driver->action == DRIVER_OPEN;
}

/* A file by its handle, which a variable has. */
static void read_file(
    struct reader *reader, const struct node *file, struct step *step)
{
    static const char remedy[] =
        "save it when the file is opened, save: {f: out.FileHandle}, and "
        "write $f";
    const struct schema *schema = &reader->scope.schema;
    struct driver_step *driver = step->data;
    const struct variable *variable;
    uint64_t number;

    driver->request.file = file;
    if (!value_scalar(&reader->scope, file, NT_HANDLE, &number)) {
        if (!node_is_computed(file)) {
            diagnostics_hint(schema->diagnostics, "%s", remedy);
        }
        return;
    }
    variable = scope_path_variable(&reader->scope, file);
    if (variable == NULL || !is_open(variable->setter)) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, file,
            "'%s' is not the handle of a file",
            node_show(reader->scenario, file));
        diagnostics_hint(schema->diagnostics, "%s", remedy);
    }
}

/* A device by its name. */
static void read_open(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {
        "file", "input", "output", "wait", "cpu", NULL};
    struct driver_step *driver = step->data;
    size_t user;

    driver->action = DRIVER_OPEN;
    schema_text(
        &reader->scope.schema, node_get(node, "open"), &driver->request.name);
    driver->request.asked_access =
        node_get(node, "access") != NULL &&
        access_rights_read(&reader->scope.schema, node_get(node, "access"),
            &driver->request.access);
    if (node_get(node, "user") != NULL &&
        schema_name(&reader->scope.schema, node_get(node, "user"), "user",
            name_of_user, NULL, &user)) {
        driver->request.user = (enum user)user;
    }
    refuse_others(reader, node, others, "open");
}

static void read_close(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {
        "file", "input", "output", "wait", "cpu", NULL};
    struct driver_step *driver = step->data;

    driver->action = DRIVER_CLOSE;
    read_file(reader, node_get(node, "close"), step);
    refuse_others(reader, node, others, "close");
}

/* How much there is of a request's output, or is looked at. */
void driver_step_read_output(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct driver_step *driver = step->data;
    uint64_t number = 0;

    if (node_get(node, "output") != NULL &&
        schema_key_number(&reader->scope.schema, MAPPING_IOCTL, "output",
            node_get(node, "output"), &number)) {
        driver->request.output = (uint32_t)number;
        step->signature.output = driver->request.output;
    }
}

static void read_code(
    struct reader *reader, const struct node *code, struct driver_step *driver)
{
    if (code != NULL) {
        named_code_read(&reader->scope.schema, &reader->scenario->codes, code,
            &driver->request.code);
    }
}

static void read_await(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {"file", "input", "wait", "cpu", NULL};
    struct driver_step *driver = step->data;

    driver->action = DRIVER_AWAIT;
    read_code(reader, node_get(node, "await"), driver);
    refuse_others(reader, node, others, "await");
}

/* A request that an earlier step has left pending. */
static void read_cancel(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {
        "file", "input", "output", "wait", "cpu", NULL};
    struct driver_step *driver = step->data;

    driver->action = DRIVER_CANCEL;
    read_code(reader, node_get(node, "cancel"), driver);
    refuse_others(reader, node, others, "cancel");
}

/* Where it is sent from: a program's threads are where they are. */
static void read_origin(
    struct reader *reader, const struct node *cpu, struct step *step)
{
    const struct driver *program =
        scenario_driver(reader->scenario, step->actor);

    if (program->user) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, cpu,
            "a request of '%s', a process, comes from the processor of the "
            "thread that makes it",
            program->name);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "leave cpu out, or let another of its threads do it");
        return;
    }
    read_cpus(reader, cpu, &step->cpus);
}

/* The bytes that go to the driver. */
static void read_input(
    struct reader *reader, const struct node *input, struct driver_step *driver)
{
    struct value_block block;

    driver->request.input = input;
    if (input != NULL && value_is_layout(input)) {
        value_layout(&reader->scope, reader->scenario, input, &block);
    } else if (input != NULL) {
        value_block(
            &reader->scope, reader->scenario, input, NT_UCHAR, true, &block);
    }
}

/* Both ways; the driver's signature has the bytes that are read. */
static void read_transfer(
    struct reader *reader, const struct node *node, struct step *step)
{
    static const char *const others[] = {"input", "output", "wait", NULL};
    const struct schema *schema = &reader->scope.schema;
    struct driver_step *driver = step->data;
    const struct node *read = node_get(node, "read");
    uint64_t number = 0;

    driver->action = read != NULL ? DRIVER_READ : DRIVER_WRITE;
    refuse_others(reader, node, others, read != NULL ? "read" : "write");
    if (node_get(node, "cpu") != NULL) {
        read_origin(reader, node_get(node, "cpu"), step);
    }
    if (node_get(node, "file") != NULL) {
        read_file(reader, node_get(node, "file"), step);
    }
    if (node_get(node, "offset") != NULL &&
        schema_key_number(schema, MAPPING_IOCTL, "offset",
            node_get(node, "offset"), &number)) {
        driver->request.offset = (int64_t)number;
    }
    if (read == NULL) {
        read_input(reader, node_get(node, "write"), driver);
    } else if (schema_key_number(
                   schema, MAPPING_IOCTL, "read", read, &number)) {
        driver->request.output = (uint32_t)number;
    }
}

static void read_ioctl(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct driver_step *driver = step->data;
    bool wait = true;

    driver->action = DRIVER_IOCTL;
    read_code(reader, node_get(node, "ioctl"), driver);
    if (node_get(node, "cpu") != NULL) {
        read_origin(reader, node_get(node, "cpu"), step);
    }
    if (node_get(node, "file") != NULL) {
        read_file(reader, node_get(node, "file"), step);
    }
    read_input(reader, node_get(node, "input"), driver);
    if (node_get(node, "wait") != NULL &&
        schema_bool(schema, node_get(node, "wait"), &wait)) {
        driver->request.no_wait = !wait;
    }
}

void driver_step_read(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct node *access = node_get(node, "access");
    const struct node *user = node_get(node, "user");

    if (user != NULL && node_get(node, "open") == NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, user,
            "'user' goes with open: a file is asked by whoever opened it");
    }
    if (access != NULL && node_get(node, "open") == NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, access,
            "'access' goes with open: a file keeps the rights that it was "
            "opened with");
    }
    if (node_get(node, "open") != NULL) {
        read_open(reader, node, step);
    } else if (node_get(node, "close") != NULL) {
        read_close(reader, node, step);
    } else if (node_get(node, "await") != NULL) {
        read_await(reader, node, step);
    } else if (node_get(node, "cancel") != NULL) {
        read_cancel(reader, node, step);
    } else if (node_get(node, "read") != NULL ||
               node_get(node, "write") != NULL) {
        read_transfer(reader, node, step);
    } else {
        read_ioctl(reader, node, step);
    }
}
