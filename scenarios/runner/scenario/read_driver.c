/* read_driver.c - native drivers and what is asked of them. Nothing here opens
 * an image. */
#include <string.h>
#include <talloc.h>

#include "api/io/control.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/reader.h"

/* The name of the file without its suffix. */
static const char *stem(struct reader *reader, const char *image)
{
    const char *dot = strrchr(image, '.');

    return dot == NULL || dot == image
               ? image
               : talloc_strndup(reader->scenario, image, (size_t)(dot - image));
}

/* A name with a directory is an error, but the driver that is meant is known:
 * the steps that ask it are not to blame. */
static bool read_image(
    struct reader *reader, const struct node *node, const char **image)
{
    if (!schema_text(&reader->scope.schema, node, image)) {
        return false;
    }
    if (strpbrk(*image, "/\\") != NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "a driver's image is named without its directory");
        diagnostics_hint(reader->scope.schema.diagnostics,
            "--allow-driver says where it is");
        while (strpbrk(*image, "/\\") != NULL) {
            *image = strpbrk(*image, "/\\") + 1;
        }
    }
    return true;
}

static void read_one(struct reader *reader, const struct node *node)
{
    struct scenario *scenario = reader->scenario;
    const struct node *as, *file, *defined;
    struct actor *actor = &scenario->actor[scenario->actor_count];
    const char *image, *name;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_NATIVE, node)) {
        return;
    }
    as = node_get(node, "as");
    file = node_get(node, "image");
    defined = as != NULL ? as : file;
    if (file == NULL || !read_image(reader, file, &image)) {
        return;
    }
    name = stem(reader, image);
    if (as != NULL && !schema_text(&reader->scope.schema, as, &name)) {
        return;
    }
    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (strcmp(scenario->actor[i].driver.name, name) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, defined,
                "there is an actor '%s' already", name);
            return;
        }
    }
    if (as != NULL && !scope_check_name(&reader->scope, as, "a driver")) {
        return;
    }
    *actor = (struct actor){
        .driver = {.name = name}, .image = image, .defined = defined};
    scenario->actor_count++;
    scenario->native_count++;
}

void read_drivers(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "driver");
    size_t count;

    if (node == NULL) {
        return;
    }
    scenario->native = true;
    if (node->kind == NODE_SEQUENCE &&
        !schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    count = node->kind == NODE_SEQUENCE ? node->count : 1;
    if (scenario->actor_count + count > SCENARIO_ACTORS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d actors and drivers", SCENARIO_ACTORS);
        return;
    }
    if (scenario->arch != ARCH_X64) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
            node_key(scenario->root, "driver"),
            "a driver's image is x64 code and cannot run on %s",
            arch_rows[scenario->arch].name);
    }
    if (node->kind != NODE_SEQUENCE) {
        read_one(reader, node);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_one(reader, node->item[i]);
    }
}

static void read_ioctl(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct step_driver *driver = &step->u.driver;
    const struct node *code = node_get(node, "ioctl");
    const char *method;
    struct value_block block;
    uint64_t number = 0;

    driver->action = DRIVER_IOCTL;
    if (!schema_mapping(schema, node, MAPPING_IOCTL, step->key)) {
        return;
    }
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
        read_cpu(reader, node_get(node, "cpu"), &step->cpu);
    }
    driver->input = node_get(node, "input");
    if (driver->input != NULL && value_is_layout(driver->input)) {
        value_layout(&reader->scope, reader->scenario, driver->input, &block);
    } else if (driver->input != NULL) {
        value_block(&reader->scope, reader->scenario, driver->input, NT_UCHAR,
            true, &block);
    }
    if (node_get(node, "output") != NULL &&
        schema_key_number(schema, MAPPING_IOCTL, "output",
            node_get(node, "output"), &number)) {
        driver->output = (uint32_t)number;
    }
}

void read_driver(
    struct reader *reader, const struct node *node, struct step *step)
{
    size_t action;

    if (reader->scenario->actor[step->actor].image == NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, step->key,
            reader->scenario->native
                ? "this step's actor is no driver with an image"
                : "the scenario has no driver");
        diagnostics_hint(reader->scope.schema.diagnostics,
            "the scenario's key driver: {image: NAME.sys} names one");
        return;
    }
    step->cpu = 0; /* requests come from there unless they say otherwise */
    if (node->kind == NODE_MAPPING) {
        read_ioctl(reader, node, step);
    } else if (schema_name(&reader->scope.schema, node, "driver action",
                   name_of_driver_action, NULL, &action)) {
        step->u.driver.action = (enum driver_action)action;
    }
}
