/* verdict.h - what the run of an instance came to: its result, failures, and
 * the requirements that its expectations cite. */
#ifndef RUNNER_RUN_VERDICT_H
#define RUNNER_RUN_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/yaml/yaml_tree.h"

struct instance;
struct literals;
struct missing_imports;
struct samples;
struct scenario;

enum result {
#define RESULT(name, class) RESULT_##name,
#include "scenarios/runner/run/results.def"
    RESULT_COUNT
};

struct failure {
    const struct node *place;
    const char *step;    /* its number; "" for the whole scenario */
    const char *message; /* what was expected, what was there */
    const char *call;    /* what the step called; NULL: nothing */
    const char *covers[CHECK_COVERS]; /* requirement ids; NULL after the last */
    /* Of a run in which calls were made to fail: what they are called, with
     * spaces between, and where they are, for people. NULL: none were. */
    const char *failed_calls, *failed_at;
};

/* A requirement that an expectation cites which was evaluated: values were
 * compared, or it was not met. */
struct cited {
    const char *requirement;
    bool failed; /* one of its expectations was not met */
    bool hollow; /* none of them could have been: `any` */
};

/* Of what schedules it is the verdict. */
struct explored {
    uint64_t schedules;   /* that were tried; 0: nobody explored */
    uint64_t left;        /* that were not, for their number; 0: none */
    uint64_t shared;      /* of a part: those tried that every part tries */
    uint64_t number;      /* of the random one that failed; 0: another kind */
    bool joined;          /* what several parts have come to */
    const char *schedule; /* the one that failed, to be run again; NULL: none
                             did, or it was that of ntpmu run */
    const char *order;    /* what decided it, in words; NULL: as above */
};

/* Of what runs it is the verdict, in each of which a call was made to fail. */
struct calls_failed {
    uint64_t sites;    /* where one was; 0: none was */
    uint64_t failed;   /* of those: whose run failed */
    uint64_t left;     /* where none was, for their number */
    uint64_t unjudged; /* of those: in whose run nobody knows what was held */
    const char *list;  /* of them all, a line each; NULL: there are none */
};

/* What its drivers import and nobody models. */
struct verdict_missing {
    const char **name; /* "MmMapIoSpace of ntoskrnl.exe, for drv.sys" */
    size_t count;
    size_t reached; /* that ended the run: 1 at the most */
};

/* Modelled routines that the scenario answered for instead. */
struct verdict_replaced {
    const char **name; /* as routine_rows has it */
    size_t count;
};

struct verdict {
    enum result result;
    struct failure *failure;
    size_t failure_count;
    bool interrupted;   /* somebody ended the program before its end */
    bool out_of_time;   /* the host's, of which another run may have enough */
    size_t checks;      /* expectations that were evaluated */
    size_t not_asked;   /* those that were not, for their basis */
    const char *reason; /* why a failure is expected; NULL: it is not */
    const struct scenario *scenario; /* the failures are in it; NULL: in its
                                        file */
    struct cited *cited; /* each requirement once, as they came up */
    size_t cited_count;
    struct literals *literals; /* what was compared; NULL: nobody asks */
    /* Of conditions that have to hold in some schedule, by their number:
     * whether they held in this run. NULL: the scenario has none. */
    bool *sometimes;
    size_t sometimes_count;
    struct explored explored;
    struct calls_failed calls;
    const char *unjudged; /* of a run in which a call was made to fail: why
                             nobody knows what drivers hold at its end; NULL:
                             that was judged */
    struct verdict_missing missing;
    struct verdict_replaced replaced;
    struct samples *samples; /* of counter sets; NULL: nobody asks */
};

/* Of an instance that a signal has ended, with the program (interruption.h).
 * Child of `context`. */
struct verdict *verdict_interrupted(
    void *context, const struct instance *instance);

/* With one failure, at the scenario's root. Child of `context`. */
__attribute__((format(printf, 4, 5))) struct verdict *verdict_failed(
    void *context, const struct instance *instance, enum result result,
    const char *format, ...);

/* The name of a result: PASS, FAIL, ... */
const char *verdict_result_name(enum result result);

/* Neither passed nor skipped. */
bool verdict_result_failed(enum result result);

/* Makes it one that verdict_send() sends whole, so that it is the same wherever
 * it was come to: of very many failures the last that is left says how many
 * there were. */
void verdict_trim(struct verdict *verdict);

/* Takes over what was missing in its run. */
void verdict_note_missing(
    struct verdict *verdict, const struct missing_imports *missing);

/* The same with what its scenario has replaced; and one more. */
void verdict_note_replaced(
    struct verdict *verdict, const struct scenario *scenario);
void verdict_add_replaced(struct verdict *verdict, enum routine routine);

/* What came of an expectation. */
enum cited_outcome {
    CITED_HOLLOW, /* it was met, as by whatever there might have been */
    CITED_MET,
    CITED_FAILED,
};

/* Adds the outcome to each of the requirements, whose ids outlive the verdict;
 * there are CHECK_COVERS of them at most, NULL after the last. */
void verdict_cite(struct verdict *verdict, const char *const covers[],
    enum cited_outcome outcome);

#endif
