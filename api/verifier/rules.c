/* rules.c - the record of broken rules, and the end of the machine. */
#include "api/verifier/rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/kernel.h"

static const struct trace_kind trace_violation = {
    "violation", "rule=%s routine=%s irql=%u"};
static const struct trace_kind trace_bugcheck = {"bugcheck", "code=%s"};

const struct rule_row rule_rows[RULE_COUNT] = {
#define RULE(name, id, severity, code, requirements, text)                     \
    [RULE_##name] = {id, RULE_##severity, code, requirements, text},
#include "api/verifier/rules.def"
};

static void rule_record(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine)
{
    struct rule_log *log = &kernel->rules;
    struct trace *trace = &cpu->machine->trace;
    uint8_t irql = irql_current(kernel, cpu);
    const char *name =
        routine == ROUTINE_COUNT ? "none" : routine_rows[routine].name;

    if (log->count == log->capacity) {
        log->capacity = log->capacity == 0 ? 16 : 2 * log->capacity;
        log->event = realloc(log->event, log->capacity * sizeof(*log->event));
        assert(log->event != NULL);
    }
    log->event[log->count++] = (struct rule_event){
        .rule = rule,
        .routine = routine,
        .processor = cpu->index,
        .irql = irql,
        .time = cpu->time,
    };
    cpu_trace(cpu, &trace_violation, trace_text(trace, rule_rows[rule].id),
        trace_text(trace, name), irql, 0);
}

void rule_warn(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine)
{
    assert(rule_rows[rule].severity == RULE_WARNING);
    rule_record(kernel, cpu, rule, routine);
}

_Noreturn void rule_stop(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, const struct bugcheck_parameter parameter[4])
{
    const struct rule_row *row = &rule_rows[rule];
    struct bugcheck *bugcheck = &kernel->bugcheck;

    assert(row->severity == RULE_FATAL);
    assert(bugcheck->code == BUGCHECK_NONE);
    rule_record(kernel, cpu, rule, routine);
    bugcheck->code = row->code;
    bugcheck->processor = cpu->index;
    memcpy(bugcheck->parameter, parameter, sizeof(bugcheck->parameter));
    cpu_trace(cpu, &trace_bugcheck,
        trace_text(&cpu->machine->trace, bugcheck_name(row->code)), 0, 0, 0);
    machine_stop(kernel->machine);
    /* Only code of a strand breaks rules, and no strand goes on. */
    abort();
}

void rule_log_release(struct rule_log *log)
{
    free(log->event);
    *log = (struct rule_log){0};
}
