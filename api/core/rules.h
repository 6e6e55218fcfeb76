/* rules.h - the rules a driver can break, and the record of those it broke. */
#ifndef API_CORE_RULES_H
#define API_CORE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/bugcheck.h"
#include "api/core/routine.h"

enum rule {
#define RULE(name, ...) RULE_##name,
#include "api/core/rules.def"
    RULE_COUNT
};

enum rule_severity { RULE_WARNING, RULE_FATAL };

struct rule_row {
    const char *id;
    enum rule_severity severity;
    enum bugcheck_code code;  /* BUGCHECK_NONE for a warning */
    const char *requirements; /* ids, separated by spaces */
    const char *text;
};

extern const struct rule_row rule_rows[RULE_COUNT];

/* What a rule's event is about, as messages and traces show it. */
enum { RULE_SUBJECT_BYTES = 192 };

struct rule_event {
    enum rule rule;
    enum routine routine; /* ROUTINE_COUNT: not in a routine */
    uint32_t processor;
    uint8_t irql;
    bool stopped; /* the machine, which a ruling may have flipped */
    bool behind;  /* it came behind that, in a callback of the bug check */
    uint64_t time;
    uint64_t place;  /* address of the driver's code that broke it; 0: none */
    uint64_t origin; /* of the code that made what it was about; 0: unknown */
    char subject[RULE_SUBJECT_BYTES]; /* 'lake' (id 3); "": nothing to say */
};

struct rule_log {
    struct rule_event *event;
    size_t count, capacity;
};

/* Whether each event is a rule's, of a routine or none, and those that came
 * after the machine had stopped, and no others, say so; asserts each part. */
bool rule_log_check(const struct rule_log *log);

/* The one that stopped the machine; NULL: none has. */
const struct rule_event *rule_log_stopped(const struct rule_log *log);

/* Adds what was recorded elsewhere. */
void rule_log_add(struct rule_log *log, const struct rule_event *event);

struct kernel;
struct cpu;

/* Records that a warning rule was broken on `cpu`, in `routine` or in none
 * (ROUTINE_COUNT); the call goes on. */
void rule_warn(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine);

/* Records that a fatal rule was broken, and stops the machine with the code of
 * the rule's row and these parameters. */
_Noreturn void rule_stop(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, const struct bugcheck_parameter parameter[4]);

/* The same two for a rule that is broken by something done earlier, at `place`:
 * what was lost was acquired there, the routine that has returned begins there.
 */
void rule_warn_at(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place);
_Noreturn void rule_stop_at(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, uint64_t place,
    const struct bugcheck_parameter parameter[4]);

/* The same as rule_warn_at() with a word on what it is about, of which as much
 * is copied as an event holds. */
void rule_warn_of(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place, const char *subject);

/* The same as rule_warn() for a rule that is about something made at `origin`.
 */
void rule_warn_about(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t origin);

/* Both: with a word on what it is about, made at `origin`. */
void rule_warn_between(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t origin, const char *subject);

/* What a ruling has flipped: a fatal rule that lets the call go on, and a
 * warning that stops the machine, with a code that its row does not have. */
void rule_report(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine);
void rule_report_at(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place);
_Noreturn void rule_stop_with(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, uint64_t place,
    enum bugcheck_code code, const struct bugcheck_parameter parameter[4]);

/* Stops the machine as rule_stop() does, with that code and a word on what it
 * is about. */
_Noreturn void rule_stop_of(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, enum bugcheck_code code,
    const struct bugcheck_parameter parameter[4], const char *subject);

void rule_log_release(struct rule_log *log);

#endif
