/* load.c - load: a value is read from a driver's memory, or from a register of
 * a device, by one load instruction. */
#include <talloc.h>

#include "api/mm/load.h"
#include "api/mm/touch.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

enum { USUAL_BYTES = 4 };

struct load {
    const struct node *from; /* an address */
    uint64_t at;             /* bytes from there */
    uint64_t bytes;
};

static void read_bytes(
    struct reader *reader, const struct node *node, struct load *load)
{
    const struct schema *schema = &reader->scope.schema;

    load->bytes = USUAL_BYTES;
    if (node != NULL &&
        schema_key_number(schema, MAPPING_LOAD, "bytes", node, &load->bytes) &&
        (load->bytes & (load->bytes - 1)) != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "an instruction loads 1, 2, 4 or 8 bytes, not %u",
            (unsigned)load->bytes);
    }
}

static void read_load(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct load *load = step->data;
    const struct node *at;
    uint64_t address;

    if (!schema_mapping(schema, node, MAPPING_LOAD, step->key)) {
        return;
    }
    load->from = node_get(node, "from");
    if (load->from != NULL) {
        value_scalar(&reader->scope, load->from, NT_PVOID, &address);
    }
    at = node_get(node, "at");
    if (at != NULL) {
        schema_key_number(schema, MAPPING_LOAD, "at", at, &load->at);
    }
    read_bytes(reader, node_get(node, "bytes"), load);
}

static void run_load(struct run *run, struct outcome *outcome)
{
    const struct load *load = outcome->step->data;
    uint64_t from;

    outcome->call = "load";
    if (!value_scalar(&run->scope, load->from, NT_PVOID, &from)) {
        run_fail_value(run, outcome, load->from);
        return;
    }
    if (run_guarded_by_program(&run->session->kernel)) {
        touch_by_program(&run->session->kernel, from + load->at,
            (size_t)load->bytes, TOUCH_READ);
    }
    outcome->value[0] =
        load_value(&run->session->kernel, from + load->at, (size_t)load->bytes);
}

const struct step_code step_load = {
    .data_bytes = sizeof(struct load),
    .read = read_load,
    .run = run_load,
};
