/* rules.c - the record of broken rules, and the end of the machine. */
#include "api/verifier/rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/image/place.h"
#include "api/kernel.h"
#include "api/trace_events.h"

const struct rule_row rule_rows[RULE_COUNT] = {
#define RULE(name, id, severity, code, requirements, text)                     \
    [RULE_##name] = {id, RULE_##severity, code, requirements, text},
#include "api/verifier/rules.def"
};

static void rule_trace(struct kernel *kernel, struct cpu *cpu,
    const struct rule_event *event, const char *routine)
{
    struct trace *trace = &cpu->machine->trace;
    uint64_t id = trace_text(trace, rule_rows[event->rule].id);
    char place[PLACE_BYTES], origin[PLACE_BYTES];

    if (event->origin != 0) {
        place_name(kernel, event->place, place, sizeof(place));
        place_name(kernel, event->origin, origin, sizeof(origin));
        cpu_trace(cpu, &api_events[API_EVENT_VIOLATION_ABOUT], id,
            trace_text(trace, routine), trace_text(trace, place),
            trace_text(trace, origin));
        return;
    }
    if (event->place == 0) {
        cpu_trace(cpu, &api_events[API_EVENT_VIOLATION], id,
            trace_text(trace, routine), event->irql);
        return;
    }
    place_name(kernel, event->place, place, sizeof(place));
    cpu_trace(cpu, &api_events[API_EVENT_VIOLATION_AT], id,
        trace_text(trace, routine), event->irql, trace_text(trace, place));
}

static void rule_record(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place, uint64_t origin)
{
    struct rule_log *log = &kernel->rules;
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
        .place = place,
        .origin = origin,
    };
    rule_trace(kernel, cpu, &log->event[log->count - 1], name);
}

void rule_warn(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine)
{
    rule_warn_at(kernel, cpu, rule, routine, place_current(kernel));
}

void rule_warn_at(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place)
{
    assert(rule_rows[rule].severity == RULE_WARNING);
    rule_record(kernel, cpu, rule, routine, place, 0);
}

void rule_warn_about(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t origin)
{
    assert(rule_rows[rule].severity == RULE_WARNING);
    rule_record(kernel, cpu, rule, routine, place_current(kernel), origin);
}

_Noreturn void rule_stop(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, const struct bugcheck_parameter parameter[4])
{
    rule_stop_at(kernel, cpu, rule, routine, place_current(kernel), parameter);
}

_Noreturn void rule_stop_at(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, uint64_t place,
    const struct bugcheck_parameter parameter[4])
{
    assert(rule_rows[rule].severity == RULE_FATAL);
    rule_stop_with(
        kernel, cpu, rule, routine, place, rule_rows[rule].code, parameter);
}

void rule_report(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine)
{
    assert(rule_rows[rule].severity == RULE_FATAL);
    rule_record(kernel, cpu, rule, routine, place_current(kernel), 0);
}

_Noreturn void rule_stop_with(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, uint64_t place,
    enum bugcheck_code code, const struct bugcheck_parameter parameter[4])
{
    struct bugcheck *bugcheck = &kernel->bugcheck;

    assert(code != BUGCHECK_NONE && bugcheck->code == BUGCHECK_NONE);
    rule_record(kernel, cpu, rule, routine, place, 0);
    kernel->rules.event[kernel->rules.count - 1].stopped = true;
    bugcheck->code = code;
    bugcheck->processor = cpu->index;
    memcpy(bugcheck->parameter, parameter, sizeof(bugcheck->parameter));
    cpu_trace(cpu, &api_events[API_EVENT_BUGCHECK],
        trace_text(&cpu->machine->trace, bugcheck_name(code)));
    machine_stop(kernel->machine);
    /* Only code of a strand breaks rules, and no strand goes on. */
    abort();
}

void rule_log_release(struct rule_log *log)
{
    free(log->event);
    *log = (struct rule_log){0};
}
