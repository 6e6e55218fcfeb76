/* coverage.c - the account of which requirements the expectations of a run have
 * tested, and where: a byte of outcomes for each requirement in each place; a
 * status is the first of coverage_statuses.def that they allow. */
#include "scenarios/runner/commands/coverage/coverage.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"

enum { SHARE_WHOLE = 1000 };

struct coverage *coverage_new(
    void *context, const struct requirements *requirements)
{
    struct coverage *coverage = talloc_zero(context, struct coverage);

    assert(coverage != NULL);
    coverage->requirements = requirements;
    coverage->marks = talloc_zero_array(
        coverage, struct coverage_marks, (unsigned)requirements->count);
    assert(coverage->marks != NULL);
    return coverage;
}

void coverage_note(struct coverage *coverage, const char *id, enum os os,
    enum arch arch, enum coverage_outcome outcome)
{
    const struct requirement *requirement =
        requirements_find(coverage->requirements, id);
    uint8_t *marks;

    assert(requirement != NULL); /* checked when the file was read */
    marks =
        &coverage
             ->marks[requirement_number(coverage->requirements, requirement)]
             .on[os][arch];
    *marks = (uint8_t)(*marks | 1u << outcome);
}

static enum coverage_outcome outcome_of(const struct cited *cited,
    const struct instance *instance, const struct verdict *verdict)
{
    if (cited->failed && verdict->result != RESULT_XFAIL) {
        return COVERAGE_FAILED;
    }
    if (instance->xfail != NULL) {
        return COVERAGE_EXPECTED;
    }
    return cited->hollow ? COVERAGE_IDLE : COVERAGE_MET;
}

void coverage_add(struct coverage *coverage, const struct instance *instance,
    const struct verdict *verdict)
{
    enum os os = instance->statics.os;
    enum arch arch = instance->statics.arch;

    if (verdict->result == RESULT_SKIP) {
        return;
    }
    coverage->ran[os][arch] = true;
    for (size_t i = 0; i < verdict->cited_count; i++) {
        coverage_note(coverage, verdict->cited[i].requirement, os, arch,
            outcome_of(&verdict->cited[i], instance, verdict));
    }
}

static enum coverage_status status_of_uncited(
    const struct requirement *requirement)
{
    if (requirement->unit != NULL) {
        return COVERAGE_UNIT;
    }
    return requirement->untestable != NULL ? COVERAGE_UNTESTABLE
                                           : COVERAGE_UNTESTED;
}

/* Whether who tests it notices a planted defect; that of a unit test was one
 * even where scenarios cite the requirement besides. */
static bool is_on_record(
    const struct requirement *requirement, enum coverage_status status)
{
    return (status == COVERAGE_CITED &&
               (requirement->proven || requirement->proven_by_unit)) ||
           (status == COVERAGE_UNIT && requirement->proven_by_unit);
}

static enum coverage_status status_of(
    const struct coverage *coverage, size_t number, unsigned marks)
{
    static const enum coverage_status statuses[] = {
        [COVERAGE_FAILED] = COVERAGE_FAILING,
        [COVERAGE_MET] = COVERAGE_CITED,
        [COVERAGE_EXPECTED] = COVERAGE_XFAIL,
        [COVERAGE_IDLE] = COVERAGE_HOLLOW,
    };
    enum coverage_status status =
        status_of_uncited(requirement_at(coverage->requirements, number));

    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        if ((marks & 1u << i) != 0 && statuses[i] < status) {
            status = statuses[i];
        }
    }
    return is_on_record(requirement_at(coverage->requirements, number), status)
               ? COVERAGE_PROVEN
               : status;
}

/* Where outcomes are looked for; of a place `os` and `arch`, of all neither. */
struct place {
    bool everywhere;
    enum os os;
    enum arch arch;
};

static unsigned marks_in(
    const struct coverage *coverage, size_t number, const struct place *place)
{
    unsigned marks = 0;

    if (!place->everywhere) {
        return coverage->marks[number].on[place->os][place->arch];
    }
    for (unsigned os = 0; os < OS_COUNT; os++) {
        for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
            marks |= coverage->marks[number].on[os][arch];
        }
    }
    return marks;
}

/* Of two the one that is failing, and otherwise the last of the list. */
static enum coverage_status weaker(
    enum coverage_status one, enum coverage_status other)
{
    if (one == COVERAGE_FAILING || other == COVERAGE_FAILING) {
        return COVERAGE_FAILING;
    }
    return one > other ? one : other;
}

/* Those that `number` is the same as, or itself where it is none. */
static size_t those_cited(const struct coverage *coverage, size_t number,
    size_t cited[REQUIREMENT_SAME])
{
    const struct requirements *all = coverage->requirements;
    const char *const *same = requirement_at(all, number)->same;
    size_t count = 0;

    while (same[count] != NULL) {
        const struct requirement *one = requirements_find(all, same[count]);

        assert(one != NULL); /* the build has looked */
        cited[count++] = requirement_number(all, one);
    }
    if (count == 0) {
        cited[count++] = number;
    }
    return count;
}

static enum coverage_status status_in(
    const struct coverage *coverage, size_t number, const struct place *place)
{
    enum coverage_status status = COVERAGE_PROVEN;
    size_t cited[REQUIREMENT_SAME];
    size_t count = those_cited(coverage, number, cited);

    for (size_t i = 0; i < count; i++) {
        status = weaker(status,
            status_of(coverage, cited[i], marks_in(coverage, cited[i], place)));
    }
    return status;
}

enum coverage_status coverage_status(
    const struct coverage *coverage, size_t number)
{
    return status_in(coverage, number, &(struct place){.everywhere = true});
}

enum coverage_status coverage_status_on(
    const struct coverage *coverage, size_t number, enum os os, enum arch arch)
{
    return status_in(coverage, number, &(struct place){.os = os, .arch = arch});
}

bool coverage_is_cited_on(
    const struct coverage *coverage, size_t number, enum os os, enum arch arch)
{
    size_t cited[REQUIREMENT_SAME];
    size_t count = those_cited(coverage, number, cited);

    for (size_t i = 0; i < count; i++) {
        if (coverage->marks[cited[i]].on[os][arch] == 0) {
            return false;
        }
    }
    return true;
}

void coverage_count(const struct coverage *coverage, size_t first, size_t end,
    size_t counts[COVERAGE_STATUS_COUNT])
{
    memset(counts, 0, COVERAGE_STATUS_COUNT * sizeof(*counts));
    for (size_t i = first; i < end; i++) {
        counts[coverage_status(coverage, i)]++;
    }
}

size_t coverage_testable(const size_t counts[COVERAGE_STATUS_COUNT])
{
    size_t testable = 0;

    for (unsigned i = 0; i < COVERAGE_STATUS_COUNT; i++) {
        testable += i == COVERAGE_UNTESTABLE ? 0 : counts[i];
    }
    return testable;
}

static unsigned share_of(
    const size_t counts[COVERAGE_STATUS_COUNT], size_t part)
{
    size_t testable = coverage_testable(counts);

    return testable == 0 ? SHARE_WHOLE
                         : (unsigned)(part * SHARE_WHOLE / testable);
}

unsigned coverage_share(const size_t counts[COVERAGE_STATUS_COUNT])
{
    return share_of(counts, counts[COVERAGE_CITED] + counts[COVERAGE_UNIT] +
                                counts[COVERAGE_PROVEN]);
}

unsigned coverage_share_proven(const size_t counts[COVERAGE_STATUS_COUNT])
{
    return share_of(counts, counts[COVERAGE_PROVEN]);
}

void coverage_count_documented(
    const struct coverage *coverage, size_t counts[COVERAGE_STATUS_COUNT])
{
    memset(counts, 0, COVERAGE_STATUS_COUNT * sizeof(*counts));
    for (size_t i = 0; i < coverage->requirements->count; i++) {
        if (strchr("DH", requirement_at(coverage->requirements, i)->tag) !=
            NULL) {
            counts[coverage_status(coverage, i)]++;
        }
    }
}

struct coverage_family *coverage_families(
    void *context, const struct coverage *coverage, size_t *count)
{
    const struct requirements *requirements = coverage->requirements;
    struct coverage_family *families = talloc_array(
        context, struct coverage_family, (unsigned)requirements->count);

    assert(families != NULL);
    *count = 0;
    /* In order of ids a family's members stand side by side. */
    for (size_t i = 0; i < requirements->count; i++) {
        char *name =
            requirement_family(families, requirement_at(requirements, i)->id);

        if (*count == 0 || strcmp(families[*count - 1].name, name) != 0) {
            families[(*count)++] =
                (struct coverage_family){.name = name, .first = i};
        }
        families[*count - 1].end = i + 1;
    }
    return families;
}

const char *coverage_status_word(enum coverage_status status)
{
    static const char *const words[] = {
#define COVERAGE_STATUS(name, word) word,
#include "scenarios/runner/commands/coverage/coverage_statuses.def"
    };

    assert(status < COVERAGE_STATUS_COUNT);
    return words[status];
}
