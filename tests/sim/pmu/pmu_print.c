/* pmu_print.c - random programs as a list that one can read. */
#include <inttypes.h>

#include "tests/sim/pmu/pmu_program.h"

static void print_rate(
    FILE *file, const char *name, const struct naive_rate *rate)
{
    if (rate->p == 0) {
        return;
    }
    fprintf(file, ", %s %" PRIu64 "/%" PRIu64, name, rate->p, rate->q);
    if (rate->phase != 0) {
        fprintf(file, " phase %" PRIu64, rate->phase);
    }
}

static const char *const event_names[NAIVE_CODE_EVENTS] = {
    [NAIVE_INSTRUCTIONS] = "instructions",
    [NAIVE_LLC_REFERENCES] = "llc_references",
    [NAIVE_LLC_MISSES] = "llc_misses",
    [NAIVE_BRANCHES] = "branches",
    [NAIVE_BRANCH_MISSES] = "branch_misses",
};

static void print_segment(FILE *file, const struct naive_segment *code)
{
    fprintf(file, "run %" PRIu64 " cycles %s%s", code->cycles,
        code->user ? "user" : "kernel", code->halted ? " halted" : "");
    for (unsigned e = 0; e < NAIVE_CODE_EVENTS && !code->halted; e++) {
        print_rate(file, event_names[e], &code->rate[e]);
    }
}

void pmu_op_print(FILE *file, const struct pmu_op *op)
{
    switch (op->kind) {
    case PMU_RDMSR:
        fprintf(file, "rdmsr ");
        pmu_register_print(file, op->address);
        break;
    case PMU_WRMSR:
        fprintf(file, "wrmsr ");
        pmu_register_print(file, op->address);
        fprintf(file, " = %" PRIX64 "H", op->value);
        break;
    case PMU_RDPMC:
        fprintf(file, "rdpmc ecx=%" PRIX32 "H in ring %d, CR4.PCE %d",
            op->address, op->user ? 3 : 0, op->pce);
        break;
    case PMU_RUN:
        print_segment(file, &op->segment);
        break;
    case PMU_ADD:
        fprintf(file, "%" PRIu64 " %s at once, %s", op->value,
            event_names[op->address], op->user ? "user" : "kernel");
        break;
    case PMU_SETTLE:
        fprintf(file, "halt until no interrupt comes");
        break;
    case PMU_CLI:
        fprintf(file, "cli");
        break;
    case PMU_STI:
        fprintf(file, "sti");
        break;
    case PMU_CR8:
        fprintf(file, "cr8 = %" PRIu64, op->value);
        break;
    case PMU_STORE:
        fprintf(file, "store %" PRIX32 "H of the DS area = %" PRIX64 "H",
            op->address, op->value);
        break;
    }
}

void pmu_model_print(FILE *file, const struct naive_model *model)
{
    fprintf(file,
        "version %u, %u general, fixed %" PRIX64 "H, %u bits, "
        "events %X, access %" PRIu64 ", latency %" PRIu64 ", skid %" PRIu64
        ", slots %u, PEBS format %d%s%s",
        model->version, model->general, model->fixed, model->width,
        model->events, model->access_cycles, model->latency_cycles,
        model->skid_cycles, model->slots,
        model->pebs ? (int)model->pebs_format : -1,
        model->full_width ? ", full width" : "",
        model->any_thread ? ", AnyThread" : "");
    print_rate(file, "ref", &model->ref);
    print_rate(file, "tsc", &model->tsc);
}
