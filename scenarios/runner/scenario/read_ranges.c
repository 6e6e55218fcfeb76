/* read_ranges.c - machine: {memory: ..}: ranges of RAM and ROM with their
 * content, and of registers; what probes ask of them. */
#include "scenarios/runner/scenario/read_ranges.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/read_content.h"
#include "scenarios/runner/scenario/read_effects.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/base/bits.h"

enum { ROM_FILL = 0xFF, USUAL_BYTES = 4 };

static const char *const kinds[GIVEN_KINDS] = {
    [GIVEN_RAM] = "ram", [GIVEN_ROM] = "rom", [GIVEN_REGISTERS] = "registers"};

static bool read_number(const struct schema *schema, const struct node *node,
    const char *key, uint64_t *number)
{
    const struct node *value = node_get(node, key);

    return value == NULL || schema_key_number(schema, MAPPING_DEVICE_REGISTER,
                                key, value, number);
}

bool read_register_fits(const struct schema *schema, const struct node *node,
    const struct given_register *reg, uint64_t value)
{
    if ((value & ~bits_low(8U * reg->bytes)) == 0) {
        return true;
    }
    schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
        "0x%llX is wider than '%s', which has %u bits",
        (unsigned long long)value, reg->name, 8U * reg->bytes);
    return false;
}

/* Where it lies. */
static bool read_register_place(struct reader *reader, const struct node *node,
    const struct given_range *range, struct given_register *reg)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at = node_get(node, "at");
    uint64_t bytes = USUAL_BYTES;

    if (at == NULL || !read_number(schema, node, "at", &reg->at) ||
        !read_number(schema, node, "bytes", &bytes)) {
        return false;
    }
    if ((bytes & (bytes - 1)) != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node_get(node, "bytes"),
            "a register has 1, 2, 4 or 8 bytes, not %u", (unsigned)bytes);
        return false;
    }
    reg->bytes = (uint8_t)bytes;
    if ((range->base + reg->at) % bytes != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, at,
            "'%s' has %u bytes and lies at 0x%llX, which is no multiple of "
            "that",
            reg->name, (unsigned)bytes,
            (unsigned long long)(range->base + reg->at));
        return false;
    }
    if (reg->at >= range->bytes || bytes > range->bytes - reg->at) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, at,
            "'%s' is not in '%s', which has 0x%llX bytes", reg->name,
            range->name, (unsigned long long)range->bytes);
        return false;
    }
    return true;
}

/* Bits that a write changes, where a write changes any. */
static bool read_writable(const struct schema *schema, const struct node *node,
    struct given_register *reg)
{
    const struct node *writable = node_get(node, "writable");

    reg->writable = bits_low(8U * reg->bytes);
    if (writable == NULL) {
        return true;
    }
    if (reg->access == REGISTER_RO || reg->access == REGISTER_RC) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(node, "writable"),
            "no write changes '%s', whose access is %s", reg->name,
            name_of_register_access(reg->access, NULL));
        return false;
    }
    return read_number(schema, node, "writable", &reg->writable) &&
           read_register_fits(schema, writable, reg, reg->writable);
}

/* What it gives one after another. */
static bool read_sequence(
    struct reader *reader, const struct node *node, struct given_register *reg)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t *values;

    if (node == NULL) {
        return true;
    }
    if (reg->access != REGISTER_RW && reg->access != REGISTER_RO) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "'%s', whose access is %s, gives no values one after another",
            reg->name, name_of_register_access(reg->access, NULL));
        diagnostics_hint(schema->diagnostics, "access: ro or rw does");
        return false;
    }
    if (!schema_sequence(schema, node)) {
        return false;
    }
    if (node->count == 0 || node->count > SCENARIO_READS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, node,
            "1 to %d values can be read one after another", SCENARIO_READS);
        return false;
    }
    values =
        talloc_zero_array(reader->scenario, uint64_t, (unsigned)node->count);
    assert(values != NULL);
    for (size_t i = 0; i < node->count; i++) {
        if (!schema_number(schema, node->item[i], 0, UINT64_MAX, &values[i]) ||
            !read_register_fits(schema, node->item[i], reg, values[i])) {
            return false;
        }
    }
    reg->reads = values;
    reg->read_count = node->count;
    return true;
}

static bool check_register(const struct schema *schema, const struct node *key,
    const struct given_range *range, const struct given_register *reg)
{
    for (size_t i = 0; i < range->register_count; i++) {
        const struct given_register *other = &range->reg[i];

        if (reg->at < other->at + other->bytes &&
            other->at < reg->at + reg->bytes) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' lies over '%s', which has 0x%llX to 0x%llX", reg->name,
                other->name, (unsigned long long)other->at,
                (unsigned long long)(other->at + other->bytes - 1));
            return false;
        }
    }
    return true;
}

/* Returns whether it is one. */
static bool read_register(struct reader *reader, const struct entry *entry,
    const struct given_range *range, struct given_register *reg)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = entry->value;
    const struct node *access;
    size_t n = REGISTER_RW;

    reg->name = entry->key->text;
    if (!schema_mapping(schema, node, MAPPING_DEVICE_REGISTER, entry->key) ||
        !read_register_place(reader, node, range, reg)) {
        return false;
    }
    access = node_get(node, "access");
    if (access != NULL && !schema_name(schema, access, "access of a register",
                              name_of_register_access, NULL, &n)) {
        return false;
    }
    reg->access = (enum register_access)n;
    return read_number(schema, node, "reset", &reg->reset) &&
           (reg->reset == 0 || read_register_fits(schema,
                                   node_get(node, "reset"), reg, reg->reset)) &&
           read_writable(schema, node, reg) &&
           read_sequence(reader, node_get(node, "reads"), reg) &&
           check_register(schema, entry->key, range, reg);
}

static void read_registers(struct reader *reader, const struct node *registers,
    struct given_range *range)
{
    const struct schema *schema = &reader->scope.schema;
    struct given_register *list;

    if (registers->kind != NODE_MAPPING || registers->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, registers,
            "expected {name: {at: 0x0}}");
        return;
    }
    if (registers->count > SCENARIO_REGISTERS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, registers,
            "more than %d registers in a range", SCENARIO_REGISTERS);
        return;
    }
    list = talloc_zero_array(
        reader->scenario, struct given_register, (unsigned)registers->count);
    assert(list != NULL);
    range->reg = list;
    for (size_t i = 0; i < registers->count; i++) {
        struct given_register *reg = &list[range->register_count];

        *reg = (struct given_register){.name = NULL};
        if (read_register(reader, &registers->entry[i], range, reg)) {
            range->register_count++;
        }
    }
    for (size_t i = 0;
         i < registers->count && range->register_count == registers->count;
         i++) {
        read_effects(reader, registers->entry[i].value, range, &list[i]);
    }
}

static const char *name_of_register(size_t n, const void *context)
{
    const struct given_range *range = context;

    return n < range->register_count ? range->reg[n].name : NULL;
}

bool read_register_name(const struct schema *schema, const struct node *node,
    const struct given_range *range, size_t *reg)
{
    return schema_name(schema, node, "register", name_of_register, range, reg);
}

/* Where it lies, and what it is. */
static bool read_place(
    struct reader *reader, const struct entry *entry, struct given_range *range)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at = node_get(entry->value, "at");
    const struct node *bytes = node_get(entry->value, "bytes");
    const struct node *kind = node_get(entry->value, "kind");
    const char *problem;
    size_t word;

    if (at == NULL || bytes == NULL || kind == NULL ||
        !schema_key_number(
            schema, MAPPING_GIVEN_MEMORY, "at", at, &range->base) ||
        !schema_key_number(
            schema, MAPPING_GIVEN_MEMORY, "bytes", bytes, &range->bytes) ||
        !schema_key_word(schema, MAPPING_GIVEN_MEMORY, "kind", kind, &word)) {
        return false;
    }
    range->kind = (enum given_kind)word;
    problem = given_memory_problem(range->kind, range->base, range->bytes);
    if (problem != NULL) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, at,
            "'%s' cannot lie from 0x%llX to 0x%llX: %s", range->name,
            (unsigned long long)range->base,
            (unsigned long long)(range->base + range->bytes - 1), problem);
        diagnostics_hint(schema->diagnostics,
            "there is room from 0xA0000 to 0xFFFFF, from 0x80000000 to "
            "0xFFFFFFFF and from 0x1000000000 on");
    }
    return problem == NULL;
}

/* Two ranges of registers may share a page, RAM and ROM have theirs alone. */
static void check_overlap(struct reader *reader, const struct entry *entry,
    const struct given_range *range)
{
    const struct given_memory *given = &reader->scenario->given_memory;

    for (size_t i = 0; i < given->count; i++) {
        const struct given_range *other = &given->range[i];
        bool apart =
            range->kind == GIVEN_REGISTERS && other->kind == GIVEN_REGISTERS;
        uint64_t page = apart ? 1 : MEMORY_PAGE_BYTES;

        if (range->base / page <= (other->base + other->bytes - 1) / page &&
            other->base / page <= (range->base + range->bytes - 1) / page) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, entry->key,
                "'%s' lies over '%s', which has 0x%llX to 0x%llX", range->name,
                other->name, (unsigned long long)other->base,
                (unsigned long long)(other->base + other->bytes - 1));
            diagnostics_hint(reader->scope.schema.diagnostics,
                apart ? "each address has one of them"
                      : "RAM and ROM share no page of 0x1000 bytes");
        }
    }
}

static void read_bytes_of(
    struct reader *reader, const struct node *list, struct given_range *range)
{
    size_t room = range->bytes < SCENARIO_CONTENT ? (size_t)range->bytes
                                                  : (size_t)SCENARIO_CONTENT;
    struct content content;

    read_content(reader, list, 0, room, range->name,
        range->kind == GIVEN_ROM ? ROM_FILL : 0, &content);
    range->content = content.bytes;
    range->content_bytes = content.size;
}

/* A key that ranges of this kind do not have. */
static bool check_key(struct reader *reader, const struct node *node,
    const char *key, const struct given_range *range, bool has)
{
    if (node_get(node, key) == NULL) {
        return false;
    }
    if (!has) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT,
            node_key(node, key), "a range of the kind %s has no %s",
            kinds[range->kind], key);
    }
    return has;
}

static void read_range(struct reader *reader, const struct entry *entry,
    struct given_range *ranges)
{
    const struct schema *schema = &reader->scope.schema;
    struct given_memory *given = &reader->scenario->given_memory;
    struct given_range range = {.name = entry->key->text};
    const struct node *node = entry->value;
    bool device;

    if (!schema_mapping(schema, node, MAPPING_GIVEN_MEMORY, entry->key) ||
        !read_place(reader, entry, &range)) {
        return;
    }
    device = range.kind == GIVEN_REGISTERS;
    check_overlap(reader, entry, &range);
    if (check_key(reader, node, "content", &range, !device)) {
        read_bytes_of(reader, node_get(node, "content"), &range);
    }
    if (check_key(reader, node, "registers", &range, device)) {
        read_registers(reader, node_get(node, "registers"), &range);
    } else if (device && node_get(node, "registers") == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, entry->key,
            "a range of the kind registers needs 'registers'");
        diagnostics_hint(schema->diagnostics,
            "registers: {ID: {at: 0x0, access: ro, reset: 0x1234}}");
    }
    ranges[given->count++] = range;
}

void read_ranges(struct reader *reader)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    const struct node *memory = node_get(scenario->machine_node, "memory");
    struct given_range *ranges;

    if (memory == NULL) {
        return;
    }
    if (memory->kind != NODE_MAPPING || memory->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, memory,
            "expected {name: {at: 0xFEB00000, bytes: 0x1000, kind: ram}}");
        return;
    }
    if (memory->count > SCENARIO_RANGES) {
        schema_error(schema, DIAGNOSTIC_LIMIT, memory,
            "more than %d ranges of physical memory", SCENARIO_RANGES);
        return;
    }
    ranges = talloc_zero_array(
        scenario, struct given_range, (unsigned)memory->count);
    assert(ranges != NULL);
    scenario->given_memory.range = ranges;
    for (size_t i = 0; i < memory->count; i++) {
        read_range(reader, &memory->entry[i], ranges);
    }
}

static const char *name_of_range(size_t n, const void *context)
{
    const struct given_memory *given = context;

    return n < given->count ? given->range[n].name : NULL;
}

const struct given_range *read_range_name(
    struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct given_memory *given = &reader->scenario->given_memory;
    size_t n;

    if (given->count == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "the machine is given no memory");
        diagnostics_hint(schema->diagnostics,
            "the scenario's machine: {memory: {bar0: {at: 0xFEB00000, bytes: "
            "0x1000, kind: registers, registers: ..}}} says what");
        return NULL;
    }
    return schema_name(
               schema, node, "range of memory", name_of_range, given, &n)
               ? &given->range[n]
               : NULL;
}

static void check_device(struct reader *reader, const struct node *node,
    const struct given_range *range)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *what = node_get(node, "what");
    const struct node *reg = node_get(node, "register");
    size_t n;

    if (what != NULL) {
        schema_key_word(schema, MAPPING_DEVICE_PROBE, "what", what, &n);
    }
    if (range->kind != GIVEN_REGISTERS) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node_get(node, "memory"),
            "'%s' has no registers", range->name);
        diagnostics_hint(
            schema->diagnostics, "the probe 'physical' looks at its bytes");
    } else if (reg != NULL) {
        read_register_name(schema, reg, range, &n);
    }
}

static void check_physical(struct reader *reader, const struct node *node,
    const struct given_range *range)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *at = node_get(node, "at");
    const struct node *bytes = node_get(node, "bytes");
    uint64_t begin = 0, size = 1;

    if ((at != NULL && !schema_key_number(
                           schema, MAPPING_PHYSICAL_PROBE, "at", at, &begin)) ||
        (bytes != NULL && !schema_key_number(schema, MAPPING_PHYSICAL_PROBE,
                              "bytes", bytes, &size))) {
        return;
    }
    if (range->kind == GIVEN_REGISTERS) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node_get(node, "memory"),
            "'%s' has registers", range->name);
        diagnostics_hint(
            schema->diagnostics, "the probe 'device' looks at one");
    } else if (begin >= range->bytes || size > range->bytes - begin) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "'%s' has 0x%llX bytes", range->name,
            (unsigned long long)range->bytes);
    }
}

void read_ranges_probe(
    struct reader *reader, const struct node *node, enum mapping mapping)
{
    const struct node *memory = node_get(node, "memory");
    const struct given_range *range =
        memory == NULL ? NULL : read_range_name(reader, memory);

    if (range == NULL) {
        return;
    }
    if (mapping == MAPPING_DEVICE_PROBE) {
        check_device(reader, node, range);
    } else {
        check_physical(reader, node, range);
    }
}

const struct given_range *read_ranges_find(
    const struct scenario *scenario, const struct node *node)
{
    const struct given_range *range = scenario->given_memory.range;

    while (!node_is_word(node, range->name)) {
        range++;
        assert(range <
               scenario->given_memory.range + scenario->given_memory.count);
    }
    return range;
}

const struct given_register *read_ranges_register(
    const struct given_range *range, const struct node *node)
{
    const struct given_register *reg = range->reg;

    while (!node_is_word(node, reg->name)) {
        reg++;
        assert(reg < range->reg + range->register_count);
    }
    return reg;
}

void read_ranges_part(const struct node *node, uint64_t *at, uint64_t *bytes)
{
    const struct node *begin = node_get(node, "at");
    const struct node *size = node_get(node, "bytes");

    *at = 0;
    *bytes = 1;
    if (begin != NULL) {
        plain_word_number(begin->text, at);
    }
    if (size != NULL) {
        plain_word_number(size->text, bytes);
    }
}
