/* rules.c - the record of the rules that drivers have broken, and the end of
 * the machine by a fatal one. */
#include "api/core/rules.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/trace_events.h"
#include "api/core/verifier.h"
#include "sim/base/list_room.h"

const struct rule_row rule_rows[RULE_COUNT] = {
#define RULE(name, id, severity, code, requirements, text)                     \
    [RULE_##name] = {id, RULE_##severity, code, requirements, text},
#include "api/core/rules.def"
};

static bool event_check(const struct rule_event *event)
{
    assert(event->rule < RULE_COUNT && event->routine <= ROUTINE_COUNT);
    assert(!event->stopped || !event->behind); /* it stops but once */
    return true;
}

bool rule_log_check(const struct rule_log *log)
{
    bool stopped = false;

    assert(log->count <= log->capacity);
    assert((log->event == NULL) == (log->capacity == 0));
    for (size_t i = 0; i < log->count; i++) {
        assert(event_check(&log->event[i]));
        assert(log->event[i].behind == stopped);
        stopped = stopped || log->event[i].stopped;
    }
    return true;
}

const struct rule_event *rule_log_stopped(const struct rule_log *log)
{
    for (size_t i = log->count; i > 0; i--) {
        if (log->event[i - 1].stopped) {
            return &log->event[i - 1];
        }
    }
    return NULL;
}

void rule_log_add(struct rule_log *log, const struct rule_event *event)
{
    assert(event_check(event));
    log->event =
        list_room(log->event, &log->capacity, log->count, sizeof(*log->event));
    log->event[log->count++] = *event;
}

static void rule_trace(struct kernel *kernel, struct cpu *cpu,
    const struct rule_event *event, const char *routine)
{
    struct trace *trace = &cpu->machine->trace;
    uint64_t id = trace_text(trace, rule_rows[event->rule].id);
    char place[PLACE_BYTES], origin[PLACE_BYTES];

    if (event->origin != 0) {
        place_name(kernel, event->place, place, sizeof(place));
        place_name(kernel, event->origin, origin, sizeof(origin));
        if (event->subject[0] != '\0') {
            cpu_trace(cpu, &api_events[API_EVENT_VIOLATION_BETWEEN], id,
                trace_text(trace, event->subject), trace_text(trace, place),
                trace_text(trace, origin));
            return;
        }
        cpu_trace(cpu, &api_events[API_EVENT_VIOLATION_ABOUT], id,
            trace_text(trace, routine), trace_text(trace, place),
            trace_text(trace, origin));
        return;
    }
    if (event->subject[0] != '\0') {
        place_name(kernel, event->place, place, sizeof(place));
        cpu_trace(cpu, &api_events[API_EVENT_VIOLATION_OF], id,
            trace_text(trace, routine), trace_text(trace, event->subject),
            trace_text(trace, event->place == 0 ? "none" : place));
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

/* Of the event everything but what the processor knows is given. */
static void rule_record(
    struct kernel *kernel, struct cpu *cpu, struct rule_event event)
{
    struct rule_log *log = &kernel->rules;
    const char *name = event.routine == ROUTINE_COUNT
                           ? "none"
                           : routine_rows[event.routine].name;

    event.behind = kernel->bugcheck.code != BUGCHECK_NONE;
    event.processor = cpu->index;
    event.irql = irql_current(kernel, cpu);
    event.time = cpu->time;
    rule_log_add(log, &event);
    rule_trace(kernel, cpu, &log->event[log->count - 1], name);
}

/* Only code of a strand breaks rules, and no strand goes on. */
static _Noreturn void halt(struct kernel *kernel)
{
    machine_stop(kernel->machine);
    abort();
}

/* The machine stops for what was recorded last. In a callback of a bug check
 * that is the end of the callbacks, and the bug check stays (BUG-02 [C]). */
static _Noreturn void stop(struct kernel *kernel, struct cpu *cpu,
    enum bugcheck_code code, const struct bugcheck_parameter parameter[4])
{
    struct bugcheck *bugcheck = &kernel->bugcheck;

    assert(code != BUGCHECK_NONE);
    if (bugcheck->code != BUGCHECK_NONE) {
        halt(kernel);
    }
    kernel->rules.event[kernel->rules.count - 1].stopped = true;
    bugcheck->code = code;
    bugcheck->processor = cpu->index;
    memcpy(bugcheck->parameter, parameter, sizeof(bugcheck->parameter));
    cpu_trace(cpu, &api_events[API_EVENT_BUGCHECK],
        trace_text(&cpu->machine->trace, bugcheck_text(code)));
    kernel->hooks->bug_check(kernel, cpu);
    halt(kernel);
}

/* The call goes on, unless there is a verifier that stops for it. */
static void record_warning(
    struct kernel *kernel, struct cpu *cpu, const struct rule_event *event)
{
    const struct verifier_row *row =
        verifier_of(kernel, event->rule, event->routine);
    struct bugcheck_parameter parameter[4];

    assert(rule_rows[event->rule].severity == RULE_WARNING);
    rule_record(kernel, cpu, *event);
    if (row != NULL) {
        verifier_parameters(row, parameter);
        stop(kernel, cpu, row->code, parameter);
    }
}

void rule_warn(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine)
{
    rule_warn_at(kernel, cpu, rule, routine, place_current(kernel));
}

void rule_warn_at(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place)
{
    rule_warn_of(kernel, cpu, rule, routine, place, "");
}

void rule_warn_of(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place, const char *subject)
{
    struct rule_event event = {
        .rule = rule, .routine = routine, .place = place};

    snprintf(event.subject, sizeof(event.subject), "%s", subject);
    record_warning(kernel, cpu, &event);
}

void rule_warn_about(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t origin)
{
    record_warning(kernel, cpu,
        &(struct rule_event){.rule = rule,
            .routine = routine,
            .place = place_current(kernel),
            .origin = origin});
}

void rule_warn_between(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t origin, const char *subject)
{
    struct rule_event event = {.rule = rule,
        .routine = routine,
        .place = place_current(kernel),
        .origin = origin};

    snprintf(event.subject, sizeof(event.subject), "%s", subject);
    record_warning(kernel, cpu, &event);
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

/* Where a verifier stops for it in its own way, that is what it stops with. */
static _Noreturn void record_and_stop(struct kernel *kernel, struct cpu *cpu,
    const struct rule_event *event, enum bugcheck_code code,
    const struct bugcheck_parameter parameter[4])
{
    const struct verifier_row *row =
        verifier_of(kernel, event->rule, event->routine);
    struct bugcheck_parameter verified[4];

    rule_record(kernel, cpu, *event);
    if (row == NULL) {
        stop(kernel, cpu, code, parameter);
    }
    verifier_parameters(row, verified);
    stop(kernel, cpu, row->code, verified);
}

_Noreturn void rule_stop_of(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, enum bugcheck_code code,
    const struct bugcheck_parameter parameter[4], const char *subject)
{
    struct rule_event event = {
        .rule = rule, .routine = routine, .place = place_current(kernel)};

    snprintf(event.subject, sizeof(event.subject), "%s", subject);
    record_and_stop(kernel, cpu, &event, code, parameter);
}

void rule_report(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine)
{
    rule_report_at(kernel, cpu, rule, routine, place_current(kernel));
}

void rule_report_at(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place)
{
    assert(rule_rows[rule].severity == RULE_FATAL);
    rule_record(kernel, cpu,
        (struct rule_event){.rule = rule, .routine = routine, .place = place});
}

_Noreturn void rule_stop_with(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, uint64_t place,
    enum bugcheck_code code, const struct bugcheck_parameter parameter[4])
{
    const struct rule_event event = {
        .rule = rule, .routine = routine, .place = place};

    record_and_stop(kernel, cpu, &event, code, parameter);
}

void rule_log_release(struct rule_log *log)
{
    assert(rule_log_check(log));
    free(log->event);
    *log = (struct rule_log){0};
}
