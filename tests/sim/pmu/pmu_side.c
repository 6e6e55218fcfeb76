/* pmu_side.c - executes, logs, compares. */
#include "tests/sim/pmu/pmu_side.h"

#include <inttypes.h>
#include <string.h>

/* NULL when the log is full: then both logs are, at the same entry. */
static struct pmu_entry *log_begin(
    struct pmu_run *run, const struct pmu_op *op, unsigned vector)
{
    struct pmu_entry *entry;

    if (run->log->count == PMU_LOG_MAX) {
        return NULL;
    }
    entry = &run->log->entry[run->log->count++];
    memset(entry, 0, sizeof(*entry));
    entry->op = op;
    entry->depth = run->depth;
    entry->vector = vector;
    return entry;
}

/* FNV-1a, a word at a time. */
static uint64_t digest(const uint8_t *memory)
{
    uint64_t value = UINT64_C(0xCBF29CE484222325);

    for (size_t at = 0; memory != NULL && at < NAIVE_MEMORY; at += 8) {
        uint64_t word;

        memcpy(&word, memory + at, sizeof(word));
        value = (value ^ word) * UINT64_C(0x100000001B3);
    }
    return value;
}

static void log_end(struct pmu_run *run, struct pmu_entry *entry)
{
    const struct pmu_side *side = run->side;

    if (entry == NULL) {
        return;
    }
    entry->time = side->time(side->machine);
    entry->memory = digest(side->memory);
    for (unsigned n = 0; n < run->address_count; n++) {
        entry->known[n] =
            side->peek(side->machine, run->address[n], &entry->reg[n]);
        if (!entry->known[n]) {
            entry->reg[n] = 0;
        }
    }
    run->log->ended[run->log->ended_count++] =
        (unsigned)(entry - run->log->entry);
}

static bool execute(
    const struct pmu_side *side, const struct pmu_op *op, uint64_t *value)
{
    switch (op->kind) {
    case PMU_RDMSR:
        return side->read(side->machine, op->address, value);
    case PMU_WRMSR:
        return side->write(side->machine, op->address, op->value);
    case PMU_RDPMC:
        return side->rdpmc(
            side->machine, op->address, op->user, op->pce, value);
    case PMU_RUN:
        side->run(side->machine, &op->segment);
        return true;
    case PMU_ADD:
        side->add(side->machine, (enum naive_event)op->address,
            (unsigned)op->value, op->user);
        return true;
    case PMU_SETTLE:
        side->settle(side->machine);
        return true;
    case PMU_CLI:
        side->set_interrupts(side->machine, false);
        return true;
    case PMU_STI:
        side->set_interrupts(side->machine, true);
        return true;
    case PMU_CR8:
        side->set_priority(side->machine, (unsigned)op->value);
        return true;
    case PMU_STORE:
        memcpy(side->memory + op->address, &op->value, sizeof(op->value));
        return true;
    }
    return false;
}

static void run_ops(struct pmu_run *run, const struct pmu_ops *ops)
{
    for (unsigned i = 0; i < ops->count; i++) {
        struct pmu_entry *entry = log_begin(run, &ops->op[i], 0);
        uint64_t value = 0;
        bool ok = execute(run->side, &ops->op[i], &value);

        if (entry != NULL) {
            entry->ok = ok;
            entry->value = ok ? value : 0;
        }
        log_end(run, entry);
    }
}

void pmu_run_interrupt(void *context, unsigned vector)
{
    struct pmu_run *run = context;

    log_end(run, log_begin(run, NULL, vector));
    if (run->handler_runs == PMU_HANDLER_RUNS) {
        return;
    }
    run->handler_runs++;
    run->depth++;
    run_ops(run, &run->program->handler);
    run->depth--;
}

void pmu_run(struct pmu_run *run)
{
    run->depth = 0;
    run->handler_runs = 0;
    run->log->count = 0;
    run->log->ended_count = 0;
    run->address_count =
        pmu_registers(run->program->model.vendor, run->address);
    if (run->side->memory != NULL) {
        memset(run->side->memory, 0xA5, NAIVE_MEMORY);
        memcpy(
            run->side->memory, run->program->area, sizeof(run->program->area));
    }
    run_ops(run, &run->program->body);
}

static bool entry_same(const struct pmu_entry *a, const struct pmu_entry *b)
{
    return a->op == b->op && a->depth == b->depth && a->vector == b->vector &&
           a->ok == b->ok && a->value == b->value && a->time == b->time &&
           a->memory == b->memory &&
           memcmp(a->known, b->known, sizeof(a->known)) == 0 &&
           memcmp(a->reg, b->reg, sizeof(a->reg)) == 0;
}

bool pmu_log_same(
    const struct pmu_log *a, const struct pmu_log *b, unsigned *at)
{
    for (*at = 0; *at < a->ended_count && *at < b->ended_count; ++*at) {
        if (a->ended[*at] != b->ended[*at] ||
            !entry_same(&a->entry[a->ended[*at]], &b->entry[b->ended[*at]])) {
            return false;
        }
    }
    return a->ended_count == b->ended_count;
}

static void print_result(FILE *file, const struct pmu_entry *entry)
{
    if (!entry->ok) {
        fprintf(file, " -> #GP");
    } else if (entry->op->kind == PMU_RDMSR || entry->op->kind == PMU_RDPMC) {
        fprintf(file, " -> %" PRIX64 "H", entry->value);
    }
}

static void print_entry(
    FILE *file, const struct pmu_entry *entry, bool has_ended)
{
    fprintf(file, "  %*s", (int)(4 * entry->depth), "");
    if (entry->op == NULL) {
        fprintf(file, "interrupt %XH", entry->vector);
    } else {
        pmu_op_print(file, entry->op);
    }
    if (!has_ended) {
        fprintf(file, " ...\n");
        return;
    }
    if (entry->op != NULL) {
        print_result(file, entry);
    }
    fprintf(file, " @%" PRIu64 "\n", entry->time);
}

/* The entry that ended as number `at`; NULL when there is none. */
static const struct pmu_entry *ended_entry(
    const struct pmu_log *log, unsigned at)
{
    return at < log->ended_count ? &log->entry[log->ended[at]] : NULL;
}

static void print_registers(FILE *file, const struct pmu_program *program,
    const struct pmu_entry *model, const struct pmu_entry *naive)
{
    uint32_t address[PMU_REGISTERS_MAX];
    unsigned count = pmu_registers(program->model.vendor, address);

    if (model->memory != naive->memory) {
        fprintf(file, "  the memory at the DS area\n");
    }
    for (unsigned n = 0; n < count; n++) {
        if (model->known[n] == naive->known[n] &&
            model->reg[n] == naive->reg[n]) {
            continue;
        }
        fprintf(file, "  ");
        pmu_register_print(file, address[n]);
        fprintf(file, ": model %s%" PRIX64 "H, reference %s%" PRIX64 "H\n",
            model->known[n] ? "" : "#GP ", model->reg[n],
            naive->known[n] ? "" : "#GP ", naive->reg[n]);
    }
}

/* Entries that ended before the one that was number `at`, and those around
 * them that had begun. */
static void print_before(FILE *file, const struct pmu_log *log, unsigned at)
{
    bool has_ended[PMU_LOG_MAX] = {false};
    unsigned last = at < log->ended_count ? log->ended[at] : 0;

    for (unsigned i = 0; i < at; i++) {
        has_ended[log->ended[i]] = true;
        last = log->ended[i] > last ? log->ended[i] : last;
    }
    for (unsigned i = 0; i <= last; i++) {
        print_entry(file, &log->entry[i], has_ended[i]);
    }
}

void pmu_log_print(FILE *file, const struct pmu_program *program,
    const struct pmu_log *model, const struct pmu_log *naive, unsigned at)
{
    const struct pmu_entry *m = ended_entry(model, at);
    const struct pmu_entry *n = ended_entry(naive, at);

    fprintf(file, "NTPMU_SEED=%" PRIu64 ": ", program->seed);
    pmu_model_print(file, &program->model);
    fprintf(file, "\n");
    print_before(file, naive, at);
    fprintf(file, "model:\n");
    if (m != NULL) {
        print_entry(file, m, true);
    }
    fprintf(file, "reference:\n");
    if (n != NULL) {
        print_entry(file, n, true);
    }
    if (m != NULL && n != NULL) {
        print_registers(file, program, m, n);
    }
}
