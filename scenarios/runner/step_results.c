/* step_results.c - a device control as if it were a routine. */
#include "scenarios/runner/step_results.h"

static const struct parameter control_parameters[] = {
    {"Information", "PULONG_PTR", PARAMETER_OUT, NT_ULONG_PTR, "one"},
    {"Output", "PUCHAR", PARAMETER_OUT, NT_UCHAR, "bytes"},
};

enum nt_type step_returns(const struct step *step)
{
    if (step->kind == STEP_DRIVER) {
        return NT_NTSTATUS;
    }
    return step->kind == STEP_CALL ? routine_rows[step->u.call.routine].returns
                                   : NT_VOID;
}

bool step_reads(const struct step *step)
{
    return step->kind == STEP_RDMSR || step->kind == STEP_RDPMC;
}

const char *step_result_name(const struct step *step, enum nt_type *type)
{
    if (step_reads(step)) {
        *type = NT_ULONG64;
        return "value";
    }
    *type = step_returns(step);
    if (*type == NT_VOID) {
        return NULL;
    }
    return *type == NT_NTSTATUS ? "status" : "returns";
}

const char *step_raises(const struct step *step)
{
    if (step_reads(step) || step->kind == STEP_WRMSR) {
        return "GP";
    }
    return step->kind == STEP_CALL ? "ACCESS_VIOLATION" : NULL;
}

const struct parameter *step_parameter(const struct step *step, size_t n)
{
    const struct routine_row *row;

    if (step->kind == STEP_DRIVER && step->u.driver.action == DRIVER_IOCTL) {
        return n < 2 ? &control_parameters[n] : NULL;
    }
    if (step->kind != STEP_CALL) {
        return NULL;
    }
    row = &routine_rows[step->u.call.routine];
    return n < routine_parameter_count(row) ? &row->parameter[n] : NULL;
}
