/* read_pci.c - machine: {pci: ..}: functions on the machine's PCI buses, what
 * they are and where, what their base addresses lead to, and what probes ask of
 * them. */
#include "scenarios/runner/scenario/read_pci.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/scenario/read_content.h"
#include "scenarios/runner/scenario/read_ranges.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/yaml/plain_word.h"

enum {
    AREA = 0x40, /* behind the header */
    USUAL_COMMAND = 0x7,
    USUAL_CLASS = 0xFF0000,
    USUAL_LINE = 10,
    NO_LINE = 0xFF,
    USUAL_BYTES = 4,
};

enum { LEAST_MEMORY = 16, LEAST_PORTS = 4 };

/* Its size and where it lies, as the specification has them. */
static bool check_bar_place(
    const struct schema *schema, const struct node *node, struct given_bar *bar)
{
    uint64_t least = bar->io ? LEAST_PORTS : LEAST_MEMORY;

    if (bar->bytes < least || (bar->bytes & (bar->bytes - 1)) != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "what a base address leads to has a power of two bytes from %llu "
            "on, not 0x%llX",
            (unsigned long long)least, (unsigned long long)bar->bytes);
        return false;
    }
    if (bar->base % bar->bytes != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "0x%llX is no multiple of the size, 0x%llX",
            (unsigned long long)bar->base, (unsigned long long)bar->bytes);
        return false;
    }
    if (!bar->io && !bar->wide && bar->base + bar->bytes - 1 > UINT32_MAX) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "0x%llX does not fit into 32 bits", (unsigned long long)bar->base);
        diagnostics_hint(schema->diagnostics, "write bits: 64 beside it");
        return false;
    }
    return true;
}

/* Keys that belong to the other kind. */
static bool check_keys(const struct schema *schema, const struct node *node,
    const char *kind, const char *first, const char *second)
{
    const char *key = node_get(node, first) != NULL ? first : second;

    if (key == NULL || node_get(node, key) == NULL) {
        return true;
    }
    schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, key),
        "a base address of %s has no '%s'", kind, key);
    return false;
}

static bool read_ports(
    struct reader *reader, const struct node *node, struct given_bar *bar)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *io = node_get(node, "io");
    const struct node *bytes = node_get(node, "bytes");

    bar->io = true;
    bar->bytes = LEAST_PORTS;
    return check_keys(schema, node, "ports", "bits", "prefetchable") &&
           schema_key_number(schema, MAPPING_GIVEN_BAR, "io", io, &bar->base) &&
           (bytes == NULL || schema_key_number(schema, MAPPING_GIVEN_BAR,
                                 "bytes", bytes, &bar->bytes)) &&
           check_bar_place(schema, io, bar);
}

/* Whether no other function leads there. */
static bool check_alone(struct reader *reader, const struct node *node,
    const struct given_function *function, const struct given_range *range)
{
    const struct given_pci *given = &reader->scenario->given_pci;

    for (size_t i = 0; i <= given->count; i++) {
        const struct given_function *other =
            i < given->count ? &given->function[i] : function;

        for (size_t n = 0; n < PCI_BARS; n++) {
            if (other->bar[n].range == range) {
                schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
                    "base address %zu of '%s' leads to '%s' already", n,
                    other->name, range->name);
                return false;
            }
        }
    }
    return true;
}

static bool read_memory_bar(struct reader *reader, const struct node *node,
    const struct given_function *function, struct given_bar *bar)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *memory = node_get(node, "memory");
    const struct node *bits = node_get(node, "bits");
    const struct node *prefetchable = node_get(node, "prefetchable");
    uint64_t number = 32;

    if (!check_keys(schema, node, "memory", "bytes", NULL) ||
        (bits != NULL && !schema_key_number(schema, MAPPING_GIVEN_BAR, "bits",
                             bits, &number)) ||
        (prefetchable != NULL &&
            !schema_bool(schema, prefetchable, &bar->prefetchable))) {
        return false;
    }
    if (number != 32 && number != 64) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, bits,
            "a base address has 32 or 64 bits");
        return false;
    }
    bar->wide = number == 64;
    bar->range = read_range_name(reader, memory);
    if (bar->range == NULL ||
        !check_alone(reader, memory, function, bar->range)) {
        return false;
    }
    bar->base = bar->range->base;
    bar->bytes = bar->range->bytes;
    return check_bar_place(schema, memory, bar);
}

/* Whether the base address is still free, as the upper half of one is not. */
static bool is_free(const struct given_function *function, uint64_t n)
{
    return n < PCI_BARS && function->bar[n].bytes == 0 &&
           (n == 0 || function->bar[n - 1].bytes == 0 ||
               !function->bar[n - 1].wide);
}

static void read_bar(struct reader *reader, const struct node *node,
    uint64_t *next, struct given_function *function)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *index = node_get(node, "index");
    struct given_bar bar = {.base = 0};

    if (!schema_mapping(schema, node, MAPPING_GIVEN_BAR, node) ||
        schema_kind(schema, node, MAPPING_GIVEN_BAR, false) == NULL ||
        (index != NULL && !schema_key_number(schema, MAPPING_GIVEN_BAR, "index",
                              index, next)) ||
        !(node_get(node, "io") != NULL
                ? read_ports(reader, node, &bar)
                : read_memory_bar(reader, node, function, &bar))) {
        return;
    }
    if (!is_free(function, *next) ||
        (bar.wide && !is_free(function, *next + 1))) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "there is no base address %llu that is free%s",
            (unsigned long long)*next,
            bar.wide ? ", with the next one for its upper half" : "");
        return;
    }
    function->bar[*next] = bar;
    *next += bar.wide ? 2 : 1;
}

static void read_bars(struct reader *reader, const struct node *bars,
    struct given_function *function)
{
    uint64_t next = 0;

    if (!schema_sequence(&reader->scope.schema, bars)) {
        return;
    }
    for (size_t i = 0; i < bars->count; i++) {
        read_bar(reader, bars->item[i], &next, function);
    }
}

/* The key's number, or what it is where it is left out; false after reporting
 * what is wrong. */
static bool read_number(const struct schema *schema, const struct node *node,
    const char *key, uint64_t usual, uint64_t *number)
{
    const struct node *value = node_get(node, key);

    *number = usual;
    return value == NULL || schema_key_number(schema, MAPPING_GIVEN_FUNCTION,
                                key, value, number);
}

/* Where it is. */
static bool read_place(struct reader *reader, const struct entry *entry,
    struct given_function *function)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = entry->value;
    const struct node *bus = node_get(node, "bus");
    const struct given_pci *given = &reader->scenario->given_pci;
    uint64_t number[3];

    if (!read_number(schema, node, "bus", 0, &number[0]) ||
        !read_number(schema, node, "device", 0, &number[1]) ||
        !read_number(schema, node, "function", 0, &number[2])) {
        return false;
    }
    function->bus = (uint32_t)number[0];
    function->device = (uint32_t)number[1];
    function->function = (uint32_t)number[2];
    if (!pci_has_bus(function->bus)) {
        schema_error(schema, DIAGNOSTIC_NOT_MODELLED, bus,
            "there is no bus %u: bridges are the machine's own",
            (unsigned)function->bus);
        diagnostics_hint(schema->diagnostics, "it has the buses 0 and 1");
        return false;
    }
    if (pci_is_taken(function->bus, function->device, function->function)) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
            "the machine has a function of its own at %u:%u.%u",
            (unsigned)function->bus, (unsigned)function->device,
            (unsigned)function->function);
        diagnostics_hint(schema->diagnostics,
            "0:0.0, 0:1.0, 0:31.0, 0:31.3 and 1:0.0 are taken");
        return false;
    }
    for (size_t i = 0; i < given->count; i++) {
        const struct given_function *other = &given->function[i];

        if (other->bus == function->bus && other->device == function->device &&
            other->function == function->function) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
                "'%s' is there already", other->name);
            return false;
        }
    }
    return true;
}

/* What it is. */
static bool read_identity(struct reader *reader, const struct node *node,
    struct given_function *function)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t vendor, id, class_code, revision, other_vendor, other_id;

    if (!read_number(schema, node, "vendor_id", 0, &vendor) ||
        !read_number(schema, node, "device_id", 0, &id) ||
        !read_number(schema, node, "class", USUAL_CLASS, &class_code) ||
        !read_number(schema, node, "revision", 0, &revision) ||
        !read_number(
            schema, node, "subsystem_vendor_id", vendor, &other_vendor) ||
        !read_number(schema, node, "subsystem_id", id, &other_id)) {
        return false;
    }
    function->vendor = (uint16_t)vendor;
    function->id = (uint16_t)id;
    function->class_code = (uint32_t)class_code;
    function->revision = (uint8_t)revision;
    function->subsystem_vendor = (uint16_t)other_vendor;
    function->subsystem = (uint16_t)other_id;
    return true;
}

/* As firmware leaves it. */
static bool read_state(struct reader *reader, const struct node *node,
    struct given_function *function)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *pdo = node_get(node, "pdo");
    uint64_t command, pin, line, capability;

    if ((pdo != NULL && !schema_bool(schema, pdo, &function->reported)) ||
        !read_number(schema, node, "command", USUAL_COMMAND, &command) ||
        !read_number(schema, node, "pin", 0, &pin) ||
        !read_number(
            schema, node, "line", pin == 0 ? NO_LINE : USUAL_LINE, &line) ||
        !read_number(schema, node, "capabilities", 0, &capability)) {
        return false;
    }
    function->command = (uint16_t)command;
    function->pin = (uint8_t)pin;
    function->line = (uint8_t)line;
    function->capability = (uint8_t)capability;
    if (capability % 4 != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE,
            node_get(node, "capabilities"),
            "a capability begins at a multiple of 4");
        return false;
    }
    return true;
}

static void read_function(struct reader *reader, const struct entry *entry,
    struct given_function *functions)
{
    const struct schema *schema = &reader->scope.schema;
    struct given_pci *given = &reader->scenario->given_pci;
    struct given_function function = {.name = entry->key->text};
    const struct node *node = entry->value;
    struct content content;

    if (!schema_mapping(schema, node, MAPPING_GIVEN_FUNCTION, entry->key) ||
        node_get(node, "device") == NULL ||
        !read_place(reader, entry, &function) ||
        !read_identity(reader, node, &function) ||
        !read_state(reader, node, &function)) {
        return;
    }
    if (node_get(node, "bars") != NULL) {
        read_bars(reader, node_get(node, "bars"), &function);
    }
    if (node_get(node, "config") != NULL) {
        read_content(reader, node_get(node, "config"), AREA, PCI_CONFIG_BYTES,
            "the configuration space behind the header", 0, &content);
        function.area = content.bytes;
    }
    functions[given->count++] = function;
}

/* Whoever looks for functions asks for the first one of a device. */
static void check_first(struct reader *reader, const struct node *pci)
{
    const struct given_pci *given = &reader->scenario->given_pci;

    for (size_t i = 0; i < given->count; i++) {
        const struct given_function *function = &given->function[i];
        bool first = pci_is_taken(function->bus, function->device, 0);

        for (size_t n = 0; n < given->count; n++) {
            first |= given->function[n].bus == function->bus &&
                     given->function[n].device == function->device &&
                     given->function[n].function == 0;
        }
        if (!first) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
                node_key(pci, function->name),
                "'%s' is function %u of a device that has no function 0",
                function->name, (unsigned)function->function);
        }
    }
}

void read_pci(struct reader *reader)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    const struct node *pci = node_get(scenario->machine_node, "pci");
    struct given_function *functions;

    if (pci == NULL) {
        return;
    }
    if (pci->kind != NODE_MAPPING || pci->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, pci,
            "expected {name: {device: 3, vendor_id: 0x1AF4, device_id: "
            "0x1000}}");
        return;
    }
    if (pci->count > SCENARIO_FUNCTIONS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, pci,
            "more than %d PCI functions", SCENARIO_FUNCTIONS);
        return;
    }
    functions = talloc_zero_array(
        scenario, struct given_function, (unsigned)pci->count);
    assert(functions != NULL);
    scenario->given_pci.function = functions;
    for (size_t i = 0; i < pci->count; i++) {
        read_function(reader, &pci->entry[i], functions);
    }
    check_first(reader, pci);
}

static const char *name_of_function(size_t n, const void *context)
{
    const struct given_pci *given = context;

    return n < given->count ? given->function[n].name : NULL;
}

/* Where and how many bytes a probe looks at. */
static void check_part(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at = node_get(node, "at");
    const struct node *bytes = node_get(node, "bytes");
    uint64_t begin, size = USUAL_BYTES;

    if (at == NULL ||
        !schema_key_number(schema, MAPPING_PCI_PROBE, "at", at, &begin) ||
        (bytes != NULL && !schema_key_number(schema, MAPPING_PCI_PROBE, "bytes",
                              bytes, &size))) {
        return;
    }
    if (size == 3 || begin % size != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, at,
            "a probe looks at 1, 2 or 4 bytes at a multiple of that");
    }
}

void read_pci_probe(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct given_pci *given = &reader->scenario->given_pci;
    const struct node *name = node_get(node, "name");
    size_t n;

    if (name != NULL && given->count == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, name,
            "the machine is given no PCI functions");
        diagnostics_hint(schema->diagnostics,
            "the scenario's machine: {pci: {nic: {device: 3, vendor_id: "
            "0x1AF4, device_id: 0x1000}}} says what");
    } else if (name != NULL) {
        schema_name(schema, name, "PCI function", name_of_function, given, &n);
    }
    check_part(reader, node);
}

const struct given_function *read_pci_find(
    const struct scenario *scenario, const struct node *node)
{
    const struct given_function *function = scenario->given_pci.function;

    while (!node_is_word(node, function->name)) {
        function++;
        assert(function <
               scenario->given_pci.function + scenario->given_pci.count);
    }
    return function;
}

void read_pci_part(const struct node *node, uint64_t *at, uint64_t *bytes)
{
    const struct node *size = node_get(node, "bytes");

    *bytes = USUAL_BYTES;
    plain_word_number(node_get(node, "at")->text, at);
    if (size != NULL) {
        plain_word_number(size->text, bytes);
    }
}
