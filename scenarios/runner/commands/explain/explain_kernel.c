/* explain_kernel.c - explains statuses, bug checks, levels, rules, leaks, and
 * what Windows runs on. */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/core/verifier.h"
#include "scenarios/runner/commands/explain/explain.h"

const char *name_status(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < nt_status_count ? nt_statuses[n].name : NULL;
}

const char *line_status(const struct explain *explain, size_t n)
{
    return talloc_asprintf(
        explain->context, "0x%08" PRIX32, nt_statuses[n].value);
}

bool number_of_status(size_t n, uint64_t number)
{
    return nt_statuses[n].value == number && number != 0;
}

enum { GENERAL = 4 /* routines that share a requirement about none of them */ };

/* Whether the requirement is about the routine, not about routines as such. */
static bool is_about(
    const struct requirement *requirement, const struct routine_row *routine)
{
    size_t sharing = 0;

    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        sharing +=
            strstr(routine_rows[i].requirements, requirement->id) != NULL;
    }
    return explain_mentions(requirement, routine->name) ||
           (sharing <= GENERAL &&
               strstr(routine->requirements, requirement->id) != NULL);
}

/* Marks the routines that a requirement is about, of those that mention the
 * status. */
static void mark_routines_of(const struct explain *explain, const char *status,
    bool marked[ROUTINE_COUNT])
{
    for (size_t i = 0; i < explain->requirements->count; i++) {
        const struct requirement *requirement =
            requirement_at(explain->requirements, i);

        if (!explain_mentions(requirement, status)) {
            continue;
        }
        for (size_t n = 0; n < ROUTINE_COUNT; n++) {
            if (!marked[n] && is_about(requirement, &routine_rows[n])) {
                marked[n] = true;
            }
        }
    }
}

void show_status(const struct explain *explain, size_t n)
{
    char *list = talloc_strdup(explain->context, "");
    bool marked[ROUTINE_COUNT] = {false};

    explain_field(explain, "value", "%s", line_status(explain, n));
    mark_routines_of(explain, nt_statuses[n].name, marked);
    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        if (marked[i]) {
            list = explain_append(list, routine_rows[i].name);
        }
    }
    if (list[0] != '\0') {
        explain_field(explain, "routines", "%s", list);
    }
    explain_mentioned(explain, nt_statuses[n].name);
}

static const struct {
    const char *name;
    enum bugcheck_code code;
} bugchecks[] = {
#define BUGCHECK(name, code) {#name, code},
#include "api/nt/bugcheck.def"
};

const char *name_bugcheck(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < sizeof(bugchecks) / sizeof(bugchecks[0]) ? bugchecks[n].name
                                                        : NULL;
}

const char *line_bugcheck(const struct explain *explain, size_t n)
{
    return talloc_asprintf(
        explain->context, "0x%X", (unsigned)bugchecks[n].code);
}

bool number_of_bugcheck(size_t n, uint64_t number)
{
    return (uint64_t)bugchecks[n].code == number;
}

void show_bugcheck(const struct explain *explain, size_t n)
{
    char *list = talloc_strdup(explain->context, "");

    explain_field(explain, "code", "%s", line_bugcheck(explain, n));
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (rule_rows[i].code == bugchecks[n].code) {
            list = explain_append(list, rule_rows[i].id);
        }
    }
    if (list[0] != '\0') {
        explain_field(explain, "rules", "%s", list);
    }
    explain_mentioned(explain, bugchecks[n].name);
}

const char *name_level(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < IRQL_LEVEL_COUNT ? irql_level_spelling((enum irql_level)n)
                                : NULL;
}

const char *line_level(const struct explain *explain, size_t n)
{
    char *list = talloc_strdup(explain->context, "");

    for (enum arch arch = 0; arch < ARCH_COUNT; arch++) {
        uint8_t irql;

        if (irql_level_value((enum irql_level)n, arch, &irql)) {
            list = explain_append(
                list, talloc_asprintf(explain->context, "%u on %s",
                          (unsigned)irql, arch_rows[arch].name));
        }
    }
    return list;
}

void show_level(const struct explain *explain, size_t n)
{
    explain_field(explain, "number", "%s", line_level(explain, n));
    explain_mentioned(explain, irql_level_spelling((enum irql_level)n));
}

const char *name_rule(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < RULE_COUNT ? rule_rows[n].id : NULL;
}

const char *line_rule(const struct explain *explain, size_t n)
{
    (void)explain;
    return rule_rows[n].text;
}

static void show_verifier(const struct explain *explain,
    const struct verifier_row *row, const char *routine)
{
    explain_field(explain, "verifier",
        "%s, p1 0x%" PRIX32 " (%s), %s%swhere %s", bugcheck_name(row->code),
        row->violation, row->requirement, routine == NULL ? "" : "in ",
        routine == NULL ? "" : routine,
        row->by == VERIFIER_MACHINE ? "machine: {verifier: true}"
                                    : "rulings: {CI-08: fatal}");
}

void show_rule(const struct explain *explain, size_t n)
{
    const struct rule_row *row = &rule_rows[n];
    const struct verifier_row *verified =
        verifier_row((enum rule)n, ROUTINE_COUNT);
    const struct verifier_case *cases;
    size_t count;

    explain_field(explain, "broken when", "%s", row->text);
    if (row->severity == RULE_FATAL && row->code == BUGCHECK_NONE) {
        explain_field(explain, "severity",
            "fatal: the machine stops with the bug check that the driver says");
    } else if (row->severity == RULE_FATAL) {
        explain_field(explain, "severity",
            "fatal: the machine stops with bug check %s",
            bugcheck_name(row->code));
    } else {
        explain_field(explain, "severity", "warning: the call goes on");
    }
    if (verified->by != VERIFIER_NOBODY) {
        show_verifier(explain, verified, NULL);
    }
    cases = verifier_cases(&count);
    for (size_t i = 0; i < count; i++) {
        if (cases[i].rule == (enum rule)n) {
            show_verifier(explain, &cases[i].row,
                talloc_asprintf(explain->context, "%s, ",
                    routine_rows[cases[i].routine].name));
        }
    }
    explain_requirements(explain, "requirements", row->requirements);
}

const char *name_leak(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < LEAK_COUNT ? leak_names[n] : NULL;
}

const char *line_leak(const struct explain *explain, size_t n)
{
    return talloc_asprintf(
        explain->context, "expect: {leaks: [{kind: %s}]}", leak_names[n]);
}

void show_leak(const struct explain *explain, size_t n)
{
    explain_field(explain, "written", "%s", line_leak(explain, n));
}

const char *name_os(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < OS_COUNT ? os_rows[n].name : NULL;
}

static char *pairs(const struct explain *explain, bool of_os, size_t n)
{
    char *list = talloc_strdup(explain->context, "");
    size_t count = of_os ? ARCH_COUNT : OS_COUNT;

    for (size_t i = 0; i < count; i++) {
        if (profile_exists(of_os ? (enum os)n : (enum os)i,
                of_os ? (enum arch)i : (enum arch)n)) {
            list = explain_append(
                list, of_os ? arch_rows[i].name : os_rows[i].name);
        }
    }
    return list;
}

const char *line_os(const struct explain *explain, size_t n)
{
    return talloc_asprintf(explain->context, "build %u, on %s",
        (unsigned)os_rows[n].build, pairs(explain, true, n));
}

void show_os(const struct explain *explain, size_t n)
{
    const struct os_row *row = &os_rows[n];

    explain_field(explain, "version", "%u.%u, build %u", (unsigned)row->major,
        (unsigned)row->minor, (unsigned)row->build);
    explain_field(explain, "runs on", "%s", pairs(explain, true, n));
    explain_field(explain, "groups", "at most %u", (unsigned)row->groups);
    explain_field(explain, "counters", "%s",
        row->lists ? "resource lists and affinities are honoured"
                   : "a PMU is handed out as a whole or not at all");
    explain_field(explain, "counter sets", "%s",
        row->pcw_version_2 ? "PCW_VERSION_1 and PCW_VERSION_2"
                           : "PCW_VERSION_1");
    explain_field(
        explain, "constants", "ResourceTypeMax is %u", (unsigned)row->type_max);
}

const char *name_arch(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < ARCH_COUNT ? arch_rows[n].name : NULL;
}

const char *line_arch(const struct explain *explain, size_t n)
{
    return pairs(explain, false, n);
}

void show_arch(const struct explain *explain, size_t n)
{
    const struct arch_row *row = &arch_rows[n];

    explain_field(explain, "had by", "%s", pairs(explain, false, n));
    explain_field(explain, "processors", "at most %u in %u group%s",
        (unsigned)row->processors, (unsigned)row->groups,
        row->groups == 1 ? "" : "s");
    explain_field(explain, "PMU", "%s",
        row->model == MODEL_NONE ? "the model has none"
                                 : pmu_models[row->model].name);
    explain_field(explain, "profiling", "%s",
        row->profiling ? "its routines are implemented"
                       : "its routines are not implemented");
}
