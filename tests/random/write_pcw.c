/* write_pcw.c - counter sets, instances, consumers and callbacks of random
 * programs, as steps of a scenario. */
#include <inttypes.h>
#include <string.h>

#include "tests/random/names.h"
#include "tests/random/writing.h"

enum { CONTEXT = 0x1000 /* of the first callback */ };

static void write_data(struct writing *writing, const struct pcw_data *data,
    uint32_t count, FILE *out)
{
    fprintf(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, "%s{Data: ", i == 0 ? "" : ", ");
        if (data[i].block == PROGRAM_BLOCKS) {
            fprintf(out, "null");
        } else {
            fprintf(out, "$block%u", data[i].block);
            writing->block[data[i].block] = true;
        }
        fprintf(out, ", Size: %" PRIu32 "}", data[i].size);
    }
    fprintf(out, "]");
}

static void write_set_name(const struct registering *registering, FILE *out)
{
    if (registering->fault == FAULT_NULL_NAME) {
        fprintf(out, "null");
    } else if (registering->fault == FAULT_EMPTY_NAME) {
        fprintf(out, "{Length: 0}");
    } else if (registering->fault == FAULT_ODD_NAME) {
        fprintf(out, "{Length: 5, MaximumLength: 6, Buffer: {bytes: [0x61, 0, "
                     "0x62, 0, 0x63, 0]}}");
    } else if (registering->fault == FAULT_BLANK_NAME) {
        fprintf(out, "\"%s\"", name_blank);
    } else {
        fprintf(out, "\"%s\"", name_sets[registering->name]);
    }
}

static void write_counters(const struct registering *registering, FILE *out)
{
    if (registering->fault == FAULT_NULL_ARRAY) {
        fprintf(out, ", CounterCount: 1, Counters: null");
        return;
    }
    if (registering->fault == FAULT_HUGE_COUNT) {
        fprintf(out, ", CounterCount: 0x20000000");
    }
    fprintf(out, ", Counters: [");
    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct pcw_counter *counter = &registering->counter[i];

        fprintf(out, "%s{Id: %u, StructIndex: %u, Offset: %u, Size: %u}",
            i == 0 ? "" : ", ", (unsigned)counter->id,
            (unsigned)counter->structure, (unsigned)counter->offset,
            (unsigned)counter->size);
    }
    fprintf(out, "]");
}

static void write_register(
    struct writing *writing, const struct program_step *step)
{
    const struct registering *registering = &step->registering;
    FILE *out = writing->out;

    fprintf(out, "    call: PcwRegister\n    args: {");
    if (registering->fault == FAULT_NULL_OUTPUT) {
        fprintf(out, "Registration: null, ");
    }
    if (registering->fault == FAULT_NULL_INFO) {
        fprintf(out, "Info: null}\n");
        return;
    }
    fprintf(out, "Info: {Version: 0x%" PRIX32 ", Name: ", registering->version);
    write_set_name(registering, out);
    write_counters(registering, out);
    if (registering->callback) {
        fprintf(out, ", Callback: $told%u, CallbackContext: {at: 0x%X}",
            registering->slot, CONTEXT + registering->slot);
        writing->callback[registering->slot] = step;
    }
    if (registering->flags != 0) {
        fprintf(out, ", Flags: %" PRIu32, registering->flags);
    }
    fprintf(out, "}}\n");
}

/* An odd one has a byte more than its characters. */
static void write_instance_name(const char *name, bool odd, FILE *out)
{
    const size_t length = strlen(name);

    if (!odd && length == 0) {
        fprintf(out, "{Length: 0}");
        return;
    }
    if (!odd) {
        fprintf(out, "\"%s\"", name);
        return;
    }
    fprintf(out, "{Length: %zu, MaximumLength: %zu, Buffer: {bytes: [",
        2 * length + 1, 2 * length + 2);
    for (size_t i = 0; i < length; i++) {
        fprintf(out, "0x%X, 0, ", (unsigned)(unsigned char)name[i]);
    }
    fprintf(out, "0x61, 0]}}");
}

static void write_create(
    struct writing *writing, const struct creating *creating)
{
    const uint32_t most = PROGRAM_STRUCTURES + 1;
    FILE *out = writing->out;

    fprintf(out, "    call: PcwCreateInstance\n    args: {");
    if (creating->fault == FAULT_NULL_OUTPUT) {
        fprintf(out, "Instance: null, ");
    }
    if (creating->fault == FAULT_NULL_REGISTRATION) {
        fprintf(out, "Registration: null, Name: ");
    } else {
        fprintf(out, "Registration: $r%u, Name: ", creating->registration);
    }
    if (creating->fault == FAULT_NULL_NAME) {
        fprintf(out, "null");
    } else {
        write_instance_name(name_created[creating->name],
            creating->fault == FAULT_ODD_NAME, out);
    }
    fprintf(out, ", Count: %" PRIu32 ", Data: ", creating->count);
    if (creating->fault == FAULT_NULL_ARRAY || creating->count == 0) {
        fprintf(out, "null");
    } else {
        write_data(writing, creating->data,
            creating->count < most ? creating->count : most, out);
    }
    fprintf(out, "}\n");
}

static void write_filter(const struct asking *asking, FILE *out)
{
    fprintf(out, "counterset: \"%s\", instance: \"%s\", multiple: %s",
        name_sets[asking->set_name], name_patterns[asking->pattern],
        asking->multiple ? "true" : "false");
    if (!asking->any_id) {
        fprintf(out, ", id: %" PRIu32, asking->id);
    }
    for (size_t i = 0; i < asking->counter_count; i++) {
        fprintf(out, "%s\"%u\"", i == 0 ? ", counters: [" : ", ",
            (unsigned)asking->counter[i]);
    }
    fprintf(out, "%s", asking->counter_count > 0 ? "]" : "");
}

static void write_consumer(
    struct writing *writing, const struct program_step *step)
{
    FILE *out = writing->out;

    if (step->kind == ACT_CLOSE_QUERY) {
        fprintf(out, "    close_query: $q%u\n", step->of);
        return;
    }
    fprintf(out, "    %s: {", step->kind == ACT_OPEN ? "query" : "collect");
    if (step->kind == ACT_COLLECT && step->asking.query != PROGRAM_NOBODY) {
        fprintf(out, "query: $q%u", step->asking.query);
    } else {
        write_filter(&step->asking, out);
    }
    fprintf(out, "%s}\n",
        step->kind == ACT_COLLECT && step->asking.enumerate
            ? ", enumerate: true"
            : "");
}

void write_pcw_call(struct writing *writing, const struct program_step *step)
{
    const struct storing *storing = &step->storing;
    FILE *out = writing->out;

    if (step->kind == ACT_REGISTER) {
        write_register(writing, step);
    } else if (step->kind == ACT_UNREGISTER) {
        fprintf(out,
            "    call: PcwUnregister\n    args: {Registration: $r%u}\n",
            step->of);
    } else if (step->kind == ACT_CREATE) {
        write_create(writing, &step->creating);
    } else if (step->kind == ACT_CLOSE) {
        fprintf(out, "    call: PcwCloseInstance\n    args: {Instance: $i%u}\n",
            step->of);
    } else if (step->kind == ACT_STORE) {
        fprintf(out,
            "    store: {to: $block%u, at: %u, values: [{%s: 0x%" PRIX64
            "}]}\n",
            storing->block, storing->offset,
            storing->bytes == 4 ? "ULONG" : "ULONG64",
            storing->bytes == 4 ? storing->value & UINT32_MAX : storing->value);
        writing->block[storing->block] = true;
    } else {
        write_consumer(writing, step);
    }
}

static const char *name_of(unsigned name)
{
    return name < NAME_CREATED ? name_created[name]
                               : name_added[name - NAME_CREATED];
}

static void write_rows(const struct pcw_answer *answer, FILE *out)
{
    fprintf(out, "      - {rows: [");
    for (size_t i = 0; i < answer->row_count; i++) {
        const struct pcw_row *row = &answer->row[i];

        fprintf(out, "%s{name: \"%s\", id: %" PRIu32, i == 0 ? "" : ", ",
            name_of(row->name), row->id);
        for (size_t n = 0; n < row->value_count; n++) {
            fprintf(out, "%s\"%u\": 0x%" PRIX64, n == 0 ? ", values: {" : ", ",
                (unsigned)row->value[n].id, row->value[n].value);
        }
        fprintf(out, "%s}", row->value_count > 0 ? "}" : "");
    }
    fprintf(out, "]}\n");
}

/* What all runs of a step are called for; NULL: for several things. */
static const char *reason_of(const struct program_step *step)
{
    if (step->kind == ACT_OPEN) {
        return "PcwCallbackAddCounter";
    }
    if (step->kind == ACT_CLOSE_QUERY) {
        return "PcwCallbackRemoveCounter";
    }
    return step->asking.enumerate ? "PcwCallbackEnumerateInstances" : NULL;
}

static void write_runs(const struct writing *writing,
    const struct program_step *step, const struct pcw_answer *answer)
{
    const char *separator = "      - {handler: [";
    FILE *out = writing->out;

    for (unsigned i = 0; i < PROGRAM_CALLBACKS; i++) {
        if (writing->callback[i] == NULL) {
            continue;
        }
        fprintf(
            out, "%s{name: told%u, runs: %u", separator, i, answer->runs[i]);
        separator = ", ";
        if (answer->runs[i] > 0) {
            fprintf(out, ", args: {Context: 0x%X", CONTEXT + i);
            if (reason_of(step) != NULL) {
                fprintf(out, ", Type: %s", reason_of(step));
            }
            fprintf(out, "}");
        }
        fprintf(out, "}");
    }
    if (separator[0] == ',') {
        fprintf(out, "]}\n");
    }
}

void write_pcw_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer)
{
    FILE *out = writing->out;

    if (answer->status != NULL && step->kind == ACT_REGISTER) {
        fprintf(out, "      - {out: {Registration: %s}}\n",
            answer->granted ? "{not: null}" : "null"); /* PCW-REG-14 */
    }
    if (answer->status != NULL && step->kind == ACT_CREATE) {
        fprintf(out, "      - {out: {Instance: %s}}\n",
            answer->granted ? "{not: null}" : "null"); /* PCW-CRE-10b */
    }
    if (answer->pcw.rows_given) {
        write_rows(&answer->pcw, out);
    }
    if (step->kind >= ACT_COLLECT && answer->bugcheck == NULL) {
        write_runs(writing, step, &answer->pcw);
    }
}

/* The mask of counters for one of which the instance is refused; `all`:
 * whether it is where all are asked for. */
static uint64_t refused_mask(const struct registering *registering,
    const struct pcw_added *added, bool *all)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct asking one = {
            .counter = {registering->counter[i].id}, .counter_count = 1};

        if (!reference_pcw_accepts(registering, added, &one)) {
            mask |= UINT64_C(1) << registering->counter[i].id;
        }
    }
    *all = !reference_pcw_accepts(registering, added, NULL);
    return mask;
}

static void write_add(struct writing *writing, const struct program_step *step,
    size_t place, const char *when, const char *status, FILE *out)
{
    const struct registering *registering = &step->registering;
    const struct pcw_added *added = &registering->added[place];
    const char *separator = "";

    fprintf(out,
        "      - when: $(%s)\n        call: PcwAddInstance\n"
        "        args: {Buffer: $Info.CollectData.Buffer, Name: ",
        when);
    write_instance_name(name_added[added->name], false, out);
    fprintf(out, ", Id: %" PRIu32 ", Count: %" PRIu32 ", Data: ", added->id,
        added->count);
    if (added->count == 0) {
        fprintf(out, "null");
    } else {
        write_data(writing, added->data, added->count, out);
    }
    fprintf(out, "}\n");
    if (writing->runs[registering->slot] == 0) {
        return; /* an expectation that nobody comes to is a mistake */
    }
    fprintf(out, "        expect: {status: %s, violations: [", status);
    if (added->id >= UINT32_C(0xFFFFFFFE)) {
        fprintf(out, "{rule: pcw.instance.reserved_id}");
        separator = ", ";
    }
    if (reference_pcw_is_twin(registering, place)) {
        fprintf(out, "%s{rule: pcw.instance.same_name}", separator);
    }
    fprintf(out, "]}\n");
}

/* An instance that is refused for some counters stands there three times. */
static void write_added(struct writing *writing,
    const struct program_step *step, size_t place, FILE *out)
{
    const struct registering *registering = &step->registering;
    bool all;
    const uint64_t mask =
        refused_mask(registering, &registering->added[place], &all);
    char when[128];

    if (!all) {
        write_add(writing, step, place,
            "Type == PcwCallbackCollectData or Type == "
            "PcwCallbackEnumerateInstances",
            "STATUS_SUCCESS", out);
        return;
    }
    write_add(writing, step, place, "Type == PcwCallbackEnumerateInstances",
        "STATUS_SUCCESS", out);
    snprintf(when, sizeof(when),
        mask != 0 ? "Type == PcwCallbackCollectData and "
                    "(Info.CollectData.CounterMask & 0x%" PRIX64 ") != 0"
                  : "Type == PcwCallbackCollectData and "
                    "Info.CollectData.CounterMask == 0x%" PRIX64,
        mask != 0 ? mask : UINT64_MAX);
    write_add(writing, step, place, when, "STATUS_INVALID_BUFFER_SIZE", out);
    snprintf(when, sizeof(when),
        mask != 0 ? "Type == PcwCallbackCollectData and "
                    "(Info.CollectData.CounterMask & 0x%" PRIX64 ") == 0"
                  : "Type == PcwCallbackCollectData and "
                    "Info.CollectData.CounterMask != 0x%" PRIX64,
        mask != 0 ? mask : UINT64_MAX);
    write_add(writing, step, place, when, "STATUS_SUCCESS", out);
}

void write_pcw_callbacks(struct writing *writing, FILE *out)
{
    for (unsigned i = 0; i < PROGRAM_CALLBACKS; i++) {
        const struct program_step *step = writing->callback[i];

        if (step == NULL) {
            continue;
        }
        fprintf(out, "  told%u:\n    type: PPCW_CALLBACK\n    do:%s\n", i,
            step->registering.added_count == 0 ? " []" : "");
        for (size_t n = 0; n < step->registering.added_count; n++) {
            write_added(writing, step, n, out);
        }
        fprintf(out, "    returns: STATUS_SUCCESS\n");
    }
}

void write_pcw_blocks(const struct writing *writing, FILE *out)
{
    for (unsigned i = 0; i < PROGRAM_BLOCKS; i++) {
        if (writing->block[i]) {
            fprintf(out, "  block%u: {bytes: %u}\n", i,
                (unsigned)PROGRAM_BLOCK_BYTES);
        }
    }
}
