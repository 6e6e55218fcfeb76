/* read_driver.c - native drivers and what is asked of them. Nothing here opens
 * an image. */
#include <string.h>
#include <talloc.h>

#include "api/io/control.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

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
