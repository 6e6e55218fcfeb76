/* state_text.c - the state of machine and kernel at one moment as texts with
 * names: the probes of state expectations, and every register. */
#include "scenarios/runner/run/state_text.h"

#include <assert.h>
#include <inttypes.h>
#include <talloc.h>

#include "scenarios/runner/run/probe.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/machine/msr.h"
#include "sim/machine/sysreg.h"

enum { REGISTER_NAME_BYTES = 40 };

struct state_line {
    const char *name;
    const struct probe *probe; /* NULL: a register */
    struct node *question;     /* what the probe is asked; NULL: nothing */
    uint32_t address;          /* of the register */
    bool sysreg;               /* one of arm64, by its encoding */
    bool hex;
};

static struct state_line *line_new(struct state_lines *lines)
{
    lines->item = talloc_realloc(
        lines, lines->item, struct state_line, (unsigned)lines->count + 1);
    assert(lines->item != NULL);
    lines->item[lines->count] = (struct state_line){.name = NULL};
    return &lines->item[lines->count++];
}

static void add_probe(struct state_lines *lines, const char *key, bool hex)
{
    struct state_line *line = line_new(lines);

    line->name = key;
    line->probe = probe_named(key);
    line->hex = hex;
}

/* {owner: name} */
static struct node *ask_owner(void *context, const char *name)
{
    struct node *node = talloc_zero_array(context, struct node, 3);

    assert(node != NULL);
    node[0].kind = NODE_MAPPING;
    node[0].count = 1;
    node[0].entry = talloc_zero(node, struct entry);
    assert(node[0].entry != NULL);
    node[0].entry->key = &node[1];
    node[0].entry->value = &node[2];
    node[1].text = "owner";
    node[2].text = name;
    return node;
}

/* One line for each actor. */
static void add_probe_of_actors(
    struct state_lines *lines, const char *key, const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->actor_count; i++) {
        const char *actor = scenario->actor[i].driver.name;
        struct state_line *line;

        if (scenario->actor[i].owner != i) {
            continue; /* its driver holds what it takes */
        }
        line = line_new(lines);
        line->name = talloc_asprintf(lines, "%s of %s", key, actor);
        line->probe = probe_named(key);
        line->question = ask_owner(lines, actor);
    }
}

/* Not those that go with the time, which has a line of its own. */
static void add_registers(struct state_lines *lines)
{
    char name[REGISTER_NAME_BYTES];

    for (size_t i = 0; msr_name(i, name, sizeof(name)); i++) {
        uint32_t address = 0;
        bool known = msr_address(name, &address);

        assert(known);
        (void)known;
        if (!msr_is_clock(address)) {
            struct state_line *line = line_new(lines);

            line->name = talloc_strdup(lines, name);
            line->address = address;
        }
    }
}

static void add_sysregs(struct state_lines *lines)
{
    char name[REGISTER_NAME_BYTES];

    for (size_t i = 0; armv8_register_name(i, name, sizeof(name)); i++) {
        struct state_line *line = line_new(lines);

        armv8_register_find(name, &line->address);
        line->name = talloc_strdup(lines, name);
        line->sysreg = true;
    }
}

/* The registers of processors like this one. */
static void add_registers_of(
    struct state_lines *lines, const struct pmu_model *model)
{
    add_registers(lines);
    if (model->vendor == VENDOR_ARM) {
        add_sysregs(lines);
    }
}

struct state_lines *state_lines_new(
    void *context, const struct scenario *scenario)
{
    struct state_lines *lines = talloc_zero(context, struct state_lines);

    assert(lines != NULL);
    add_probe(lines, "irql", false);
    add_probe(lines, "pending", true);
    add_probe_of_actors(lines, "counters", scenario);
    add_registers_of(lines, &scenario->machine.pmu);
    add_probe(lines, "time", false);
    lines->per_cpu = lines->count;
    add_probe_of_actors(lines, "pool", scenario);
    return lines;
}

const char *state_line_name(const struct state_lines *lines, size_t line)
{
    assert(line < lines->count);
    return lines->item[line].name;
}

static char *add_value(char *text, const struct run *run,
    const struct state_line *line, uint64_t value)
{
    const char *name = NULL;

    if (line->probe->type == NT_KIRQL) {
        name = irql_level_name(run->scenario->arch, (uint8_t)value);
    }
    if (name != NULL) {
        return talloc_strdup_append_buffer(text, name);
    }
    return talloc_asprintf_append_buffer(
        text, line->hex ? "0x%" PRIX64 : "%" PRIu64, value);
}

static const char *probe_text(void *context, const struct run *run,
    const struct state_line *line, const struct cpu *cpu)
{
    bool list = line->probe->list;
    char *text = talloc_strdup(context, list ? "[" : "");
    struct probed probed = {.context = talloc_new(NULL)};

    line->probe->read(run, line->question, cpu, &probed);
    for (size_t i = 0; i < probed.count; i++) {
        text = i == 0 ? text : talloc_strdup_append_buffer(text, ", ");
        text = add_value(text, run, line, probed.value[i]);
    }
    talloc_free(probed.context);
    return list ? talloc_strdup_append_buffer(text, "]") : text;
}

static const char *line_text(void *context, const struct run *run,
    const struct state_line *line, const struct cpu *cpu)
{
    uint64_t value;

    if (line->probe != NULL) {
        return probe_text(context, run, line, cpu);
    }
    if (line->sysreg ? sysreg_peek(cpu, line->address, 1, &value) != ARMV8_OK
                     : msr_peek(cpu, line->address, &value) != MSR_OK) {
        return "";
    }
    return talloc_asprintf(context, "0x%" PRIX64, value);
}

struct state *state_take(
    void *context, const struct state_lines *lines, const struct run *run)
{
    struct machine *machine = &run->session->machine;
    uint32_t processors = machine->config.processors;
    struct state *state = talloc_zero(context, struct state);

    assert(state != NULL);
    state->text = talloc_zero_array(
        state, const char *, (unsigned)(lines->count * processors));
    assert(state->text != NULL);
    for (uint32_t i = 0; i < processors; i++) {
        size_t count = i == 0 ? lines->count : lines->per_cpu;

        for (size_t k = 0; k < count; k++) {
            state->text[i * lines->count + k] =
                line_text(state, run, &lines->item[k], machine_cpu(machine, i));
        }
    }
    return state;
}

const char *state_text(const struct state_lines *lines,
    const struct state *state, size_t line, uint32_t processor)
{
    assert(line < (processor == 0 ? lines->count : lines->per_cpu));
    return state->text[processor * lines->count + line];
}
