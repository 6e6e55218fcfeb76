/* coverage.h - which requirements the expectations of a run have tested, by
 * Windows version and architecture: an account, not how it is shown. */
#ifndef RUNNER_COMMANDS_COVERAGE_COVERAGE_H
#define RUNNER_COMMANDS_COVERAGE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/profile.h"
#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/run/run.h"

/* What the expectations of one instance that cite a requirement came to. */
enum coverage_outcome {
    COVERAGE_FAILED,
    COVERAGE_MET,
    COVERAGE_EXPECTED, /* met or not, under xfail */
    COVERAGE_IDLE,     /* met as by whatever there might have been */
};

enum coverage_status {
#define COVERAGE_STATUS(name, word) COVERAGE_##name,
#include "scenarios/runner/commands/coverage/coverage_statuses.def"
    COVERAGE_STATUS_COUNT
};

struct coverage {
    const struct requirements *requirements;
    /* By requirement: bits by outcome. */
    struct coverage_marks {
        uint8_t on[OS_COUNT][ARCH_COUNT];
    } * marks;
    bool ran[OS_COUNT][ARCH_COUNT]; /* an instance was not skipped there */
};

/* Requirements of one family: those from `first` on, before `end`. */
struct coverage_family {
    const char *name;
    size_t first, end;
};

/* With nothing noted. Child of `context`; `requirements` outlive it. */
struct coverage *coverage_new(
    void *context, const struct requirements *requirements);

/* Notes one outcome. The requirement exists. */
void coverage_note(struct coverage *coverage, const char *id, enum os os,
    enum arch arch, enum coverage_outcome outcome);

/* Notes all that a judged verdict cites; of a skipped instance nothing. */
void coverage_add(struct coverage *coverage, const struct instance *instance,
    const struct verdict *verdict);

/* Of the requirement with this number: everywhere, and in one place. One that
 * is the same as others is failing where one of them is, and has otherwise the
 * last of their statuses in coverage_statuses.def. */
enum coverage_status coverage_status(
    const struct coverage *coverage, size_t number);
enum coverage_status coverage_status_on(
    const struct coverage *coverage, size_t number, enum os os, enum arch arch);

/* Whether anything that was evaluated there cites it, or each of those that it
 * is the same as. */
bool coverage_is_cited_on(
    const struct coverage *coverage, size_t number, enum os os, enum arch arch);

/* How many of the requirements from `first` on, before `end`, have each status.
 */
void coverage_count(const struct coverage *coverage, size_t first, size_t end,
    size_t counts[COVERAGE_STATUS_COUNT]);

/* The same of all with tag D or H. */
void coverage_count_documented(
    const struct coverage *coverage, size_t counts[COVERAGE_STATUS_COUNT]);

/* All but those that are untestable. */
size_t coverage_testable(const size_t counts[COVERAGE_STATUS_COUNT]);

/* Thousandths that are tested, by expectations or a unit test, of those that
 * are not untestable, rounded down; 1000 where there are none. */
unsigned coverage_share(const size_t counts[COVERAGE_STATUS_COUNT]);

/* The same of those that are proven. */
unsigned coverage_share_proven(const size_t counts[COVERAGE_STATUS_COUNT]);

/* In order of their first ids; child of `context`. */
struct coverage_family *coverage_families(
    void *context, const struct coverage *coverage, size_t *count);

const char *coverage_status_word(enum coverage_status status);

#endif
