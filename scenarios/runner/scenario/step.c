/* step.c - what a step gives back: of a call that is its routine's, of a device
 * control the driver's, as if it were a routine. */
#include "scenarios/runner/scenario/step.h"

#include <string.h>

#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"

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
    return step->kind == STEP_RDMSR || step->kind == STEP_RDPMC ||
           step->kind == STEP_CPUID || step->kind == STEP_MRS ||
           step->kind == STEP_COLLECT || step->kind == STEP_QUERY;
}

/* Of steps that have results of their own. */
static const struct step_result *results_of(enum step_kind kind)
{
    static const struct step_result cpuid[] = {{"eax", NT_ULONG},
        {"ebx", NT_ULONG}, {"ecx", NT_ULONG}, {"edx", NT_ULONG},
        {NULL, NT_VOID}},
                                    collect[] = {{"row_count", NT_ULONG},
                                        {"cancelled", NT_BOOLEAN},
                                        {NULL, NT_VOID}},
                                    query[] = {{"query", NT_ULONG},
                                        {NULL, NT_VOID}},
                                    reads[] = {
                                        {"value", NT_ULONG64}, {NULL, NT_VOID}};

    return kind == STEP_CPUID     ? cpuid
           : kind == STEP_COLLECT ? collect
           : kind == STEP_QUERY   ? query
                                  : reads;
}

static bool own_result(
    enum step_kind kind, size_t n, struct step_result *result)
{
    const struct step_result *results = results_of(kind);

    for (size_t i = 0; i <= n; i++) {
        if (results[i].name == NULL) {
            return false;
        }
    }
    *result = results[n];
    return true;
}

bool step_result(const struct step *step, size_t n, struct step_result *result)
{
    enum nt_type type = step_returns(step);

    if (step_reads(step)) {
        return own_result(step->kind, n, result);
    }
    *result =
        (struct step_result){type == NT_NTSTATUS ? "status" : "returns", type};
    return n == 0 && result->type != NT_VOID;
}

bool step_result_find(const struct step *step, const char *name, size_t *n,
    struct step_result *result)
{
    for (*n = 0; step_result(step, *n, result); (*n)++) {
        if (strcmp(result->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *step_raises(const struct step *step)
{
    if (step->kind == STEP_MRS || step->kind == STEP_MSR) {
        return "UNDEF";
    }
    if (step->kind == STEP_RDMSR || step->kind == STEP_RDPMC ||
        step->kind == STEP_WRMSR) {
        return "GP";
    }
    return step->kind == STEP_CALL || step->kind == STEP_STORE
               ? "ACCESS_VIOLATION"
               : NULL;
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

bool step_expects(const struct step *step, enum check_about about)
{
    for (size_t i = 0; i < step->expect.count; i++) {
        if (step->expect.item[i].kind->about == about) {
            return true;
        }
    }
    return false;
}

bool step_has_action(const struct step *step)
{
    return step->kind != STEP_EXPECT;
}
