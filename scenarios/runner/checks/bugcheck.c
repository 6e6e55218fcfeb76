/* bugcheck.c - expect bugcheck: the bug check that stopped the machine. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static bool is_parameter_name(const struct node *node)
{
    enum routine routine;

    return node->kind == NODE_SCALAR && routine_find(node->text, &routine);
}

/* Its name, or the number of one that a driver has made up. */
static void read_code(const struct schema *schema, const struct node *code)
{
    uint64_t number;
    size_t index;

    if (code->kind != NODE_SCALAR || strncmp(code->text, "0x", 2) != 0) {
        schema_name(schema, code, "bug check", name_of_bugcheck, NULL, &index);
    } else if (schema_number(schema, code, 0, UINT32_MAX - 1, &number) &&
               bugcheck_name((enum bugcheck_code)number) != NULL) {
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, code, "this bug check has a name");
        diagnostics_hint(schema->diagnostics, "write %s",
            bugcheck_name((enum bugcheck_code)number));
    }
}

/* Whether the record has the code that is expected. */
static bool is_code(const struct node *code, enum bugcheck_code came)
{
    const char *name = bugcheck_name(came);

    return name != NULL ? node_is_word(code, name)
                        : strncmp(code->text, "0x", 2) == 0 &&
                              strtoull(code->text, NULL, 0) == (uint32_t)came;
}

static void read_bugcheck(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;
    static const char *const names[] = {"p1", "p2", "p3", "p4"};

    if (step->cpus.several) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, key,
            "a bug check stops the machine on the first processor, so the "
            "others would never be asked");
        diagnostics_hint(schema->diagnostics, "write one cpu");
    }
    if (!schema_mapping(schema, value, MAPPING_BUGCHECK, value)) {
        return;
    }
    if (node_get(value, "code") != NULL) {
        read_code(schema, node_get(value, "code"));
    }
    for (size_t i = 0; i < 4; i++) {
        const struct node *parameter = node_get(value, names[i]);
        uint64_t number;

        if (parameter == NULL || is_parameter_name(parameter)) {
            continue;
        }
        if (parameter->kind != NODE_SCALAR ||
            (!constant_find(
                 parameter->text, NT_KIRQL, reader->scope.arch, &number) &&
                !constant_find(parameter->text, NT_NTSTATUS, reader->scope.arch,
                    &number))) {
            match_check(
                &reader->scope, reader->scenario, parameter, NT_ULONG64);
        }
    }
}

static void evaluate_parameter(const struct evaluation *evaluation,
    const struct node *node, const char *what,
    const struct bugcheck_parameter *parameter)
{
    uint64_t number;
    enum arch arch = evaluation->run->scope.arch;

    if (is_parameter_name(node)) {
        if (parameter->name == NULL ||
            strcmp(parameter->name, node->text) != 0) {
            evaluate_fail(evaluation, node,
                "bugcheck %s: expected %s, actual %s", what, node->text,
                parameter->name == NULL ? "a number" : parameter->name);
        }
        return;
    }
    if (parameter->name != NULL && parameter->value == 0) {
        /* An address that has a name, and no number that could be right. */
        evaluate_fail(evaluation, node, "bugcheck %s: expected %s, actual %s",
            what, node_show(evaluation->run->context, node), parameter->name);
    } else if (node->kind == NODE_SCALAR &&
               constant_find(node->text, NT_KIRQL, arch, &number)) {
        evaluate_number(
            evaluation, node, NT_KIRQL, parameter->value & 0xFF, what);
    } else if (node->kind == NODE_SCALAR &&
               constant_find(node->text, NT_NTSTATUS, arch, &number)) {
        evaluate_number(evaluation, node, NT_NTSTATUS, parameter->value, what);
    } else {
        evaluate_number(evaluation, node, NT_ULONG64, parameter->value, what);
    }
}

static void evaluate_bugcheck(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    const struct bugcheck *bugcheck = &run->session->kernel.bugcheck;
    const struct node *value = evaluation->check->value;
    const struct node *code = node_get(value, "code");
    char came[BUGCHECK_TEXT_BYTES];

    run->bugcheck_expected =
        !run->session->forgives ||
        (bugcheck->code != BUGCHECK_NONE && is_code(code, bugcheck->code));
    evaluate_cites(evaluation);
    if (bugcheck->code == BUGCHECK_NONE) {
        if (!evaluate_was_cut(evaluation)) {
            evaluate_fail(evaluation, code,
                "expected bug check %s, but the machine has not stopped",
                code->text);
        }
        return;
    }
    if (!is_code(code, bugcheck->code)) {
        bugcheck_show(bugcheck->code, NULL, came);
        evaluate_fail(evaluation, code, "expected bug check %s, actual %s",
            code->text, came);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        char name[] = {'p', (char)('1' + i), '\0'};

        if (node_get(value, name) != NULL) {
            evaluate_parameter(evaluation, node_get(value, name), name,
                &bugcheck->parameter[i]);
        }
    }
}

static void leave_out(struct run *run, const struct outcome *outcome)
{
    (void)outcome;
    run->bugcheck_expected = true;
}

const struct check_code check_bugcheck = {
    .read = read_bugcheck,
    .evaluate = evaluate_bugcheck,
    .leave_out = leave_out,
};
