/* survey.c - a counter set as Performance Monitor consumes it: its instances
 * listed, collected, listed again and asked for one by one, and compared. */
#include "api/pcw/survey.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "api/pcw/query_list.h"

enum {
    LISTS = 3,       /* the last one only where something disagrees */
    COLLECTIONS = 2, /* the same */
    SHOWN_BYTES = 40,
    WHAT_BYTES = RULE_SUBJECT_BYTES - SHOWN_BYTES - 4, /* behind "'NAME': " */
};

/* One consumer's answer; its rows are there until the survey ends. */
struct answer {
    struct pcw_query *query; /* NULL: not asked for yet */
    const struct pcw_result *result;
};

struct survey {
    struct kernel *kernel;
    const struct pcw_filter *filter;
    struct answer list[LISTS], collection[COLLECTIONS];
    size_t looks; /* how often list and collection were looked at: 1 or 2 */
    unsigned reported;
    struct pcw_survey outcome;
};

static bool keep(struct survey *survey, struct answer *answer)
{
    if (answer->query == NULL) {
        survey->outcome.no_memory = true;
        return false;
    }
    return true;
}

/* EnumerateInstances alone (PCW-CB-07 [C]). */
static bool list(struct survey *survey, struct answer *answer)
{
    assert(answer->query == NULL);
    answer->query = pcw_query_prepare(survey->kernel, survey->filter);
    if (!keep(survey, answer)) {
        return false;
    }
    answer->query->surveys = true;
    answer->result =
        pcw_query_enumerate(survey->kernel, answer->query, PCW_NEVER_CANCELLED);
    if (answer->result->failure != 0) {
        survey->outcome.failure = answer->result->failure;
    }
    return true;
}

/* AddCounter and CollectData; RemoveCounter comes with give_back(). */
static bool collect(struct survey *survey, const struct pcw_filter *filter,
    uint32_t cancel_after, struct answer *answer)
{
    assert(answer->query == NULL);
    answer->query = pcw_query_open(survey->kernel, filter);
    if (!keep(survey, answer)) {
        return false;
    }
    answer->query->surveys = true;
    answer->result =
        pcw_query_collect(survey->kernel, answer->query, cancel_after);
    return true;
}

static void give_back(struct survey *survey, struct answer *answer)
{
    if (answer->query != NULL) {
        pcw_query_close(survey->kernel, answer->query);
    }
    *answer = (struct answer){NULL, NULL};
}

static bool is_same(const struct pcw_row *left, const struct pcw_row *right)
{
    return left->registration == right->registration && left->id == right->id &&
           pcw_text_equal(left->name, right->name);
}

/* Whether the instance is in that answer under its name and id. It is mostly
 * where it is in the other one: the search begins at `hint`. */
static bool holds(
    const struct answer *answer, const struct pcw_row *row, size_t hint)
{
    const struct pcw_result *result = answer->result;

    for (size_t i = 0; i < result->row_count; i++) {
        if (is_same(&result->row[(hint + i) % result->row_count], row)) {
            return true;
        }
    }
    return false;
}

/* The only one that has its id; NULL: none has, several have, or it is 0 as
 * that of a lone instance, which may be what the provider gives to all
 * (PCW-ADD-04b). */
static const struct pcw_row *by_id(
    const struct answer *answer, const struct pcw_row *row)
{
    const struct pcw_row *found = NULL;
    size_t instances = 0, same = 0;

    for (size_t i = 0; i < answer->result->row_count; i++) {
        const struct pcw_row *other = &answer->result->row[i];

        if (other->registration == row->registration) {
            instances++;
            if (other->id == row->id) {
                same++;
                found = other;
            }
        }
    }
    return same == 1 && (instances > 1 || row->id != 0) ? found : NULL;
}

/* The only one that has its name; NULL: none has, or several have. */
static const struct pcw_row *by_name(
    const struct answer *answer, const struct pcw_row *row)
{
    const struct pcw_row *found = NULL;
    size_t same = 0;

    for (size_t i = 0; i < answer->result->row_count; i++) {
        const struct pcw_row *other = &answer->result->row[i];

        if (other->registration == row->registration &&
            pcw_text_equal(other->name, row->name)) {
            same++;
            found = other;
        }
    }
    return same == 1 ? found : NULL;
}

/* Whether all lists have it, or none has. */
static bool lists_hold(const struct survey *survey, const struct pcw_row *row,
    size_t hint, bool wanted)
{
    for (size_t i = 0; i <= survey->looks; i++) {
        if (holds(&survey->list[i], row, hint) != wanted) {
            return false;
        }
    }
    return true;
}

static bool collections_hold(const struct survey *survey,
    const struct pcw_row *row, size_t hint, bool wanted)
{
    for (size_t i = 0; i < survey->looks; i++) {
        if (holds(&survey->collection[i], row, hint) != wanted) {
            return false;
        }
    }
    return true;
}

/* Both as they are shown, and the set's name. */
static void report(struct survey *survey, enum rule rule,
    const struct pcw_row *row, const char *what)
{
    struct kernel *kernel = survey->kernel;
    const struct pcw_registration *registration =
        pcw_registration_numbered(kernel, row->registration);
    char subject[RULE_SUBJECT_BYTES], set[SHOWN_BYTES];

    pcw_text_shown(survey->filter->set, set, sizeof(set));
    snprintf(subject, sizeof(subject), "'%s': %s", set, what);
    rule_warn_of(kernel, kernel_cpu(kernel), rule, ROUTINE_PcwAddInstance,
        registration == NULL ? 0 : registration->place, subject);
    survey->reported++;
}

/* A row of the first list that no collection has: maybe as another one. */
static void report_listed(struct survey *survey, const struct pcw_row *row)
{
    const struct answer *collected = &survey->collection[0];
    const struct pcw_row *other = by_id(collected, row);
    char what[WHAT_BYTES], name[SHOWN_BYTES], collected_name[SHOWN_BYTES];

    pcw_text_shown(row->name, name, sizeof(name));
    if (other != NULL && by_id(&survey->list[0], row) != NULL) {
        pcw_text_shown(other->name, collected_name, sizeof(collected_name));
        snprintf(what, sizeof(what),
            "id %" PRIu32 " is '%s' in the list and '%s' in the collection",
            row->id, name, collected_name);
    } else if (by_name(&survey->list[0], row) != NULL &&
               (other = by_name(collected, row)) != NULL) {
        snprintf(what, sizeof(what),
            "'%s' has id %" PRIu32 " in the list and id %" PRIu32
            " in the collection",
            name, row->id, other->id);
    } else {
        snprintf(what, sizeof(what),
            "'%s', id %" PRIu32 ", is listed and not collected", name, row->id);
    }
    report(survey, RULE_PCW_INSTANCE_DISAGREES, row, what);
}

/* Whether report_listed() tells of it, as of another. */
static bool is_told_of(const struct survey *survey, const struct pcw_row *row)
{
    const struct answer *listed = &survey->list[0];
    const struct answer *collected = &survey->collection[0];

    return (by_id(listed, row) != NULL && by_id(collected, row) != NULL) ||
           (by_name(listed, row) != NULL && by_name(collected, row) != NULL);
}

static void report_collected(struct survey *survey, const struct pcw_row *row)
{
    char what[WHAT_BYTES], name[SHOWN_BYTES];

    if (is_told_of(survey, row)) {
        return;
    }
    pcw_text_shown(row->name, name, sizeof(name));
    snprintf(what, sizeof(what),
        "'%s', id %" PRIu32 ", is collected and not listed", name, row->id);
    report(survey, RULE_PCW_INSTANCE_DISAGREES, row, what);
}

/* The n-th instance of the list that all lists have, and no collection. */
static bool is_uncollected(const struct survey *survey, size_t n)
{
    const struct pcw_row *row = &survey->list[0].result->row[n];

    return collections_hold(survey, row, n, false) &&
           lists_hold(survey, row, n, true);
}

/* The other way round. */
static bool is_unlisted(const struct survey *survey, size_t n)
{
    const struct pcw_row *row = &survey->collection[0].result->row[n];

    return lists_hold(survey, row, n, false) &&
           collections_hold(survey, row, n, true);
}

static bool disagrees(const struct survey *survey)
{
    for (size_t i = 0; i < survey->list[0].result->row_count; i++) {
        if (is_uncollected(survey, i)) {
            return true;
        }
    }
    for (size_t i = 0; i < survey->collection[0].result->row_count; i++) {
        if (is_unlisted(survey, i)) {
            return true;
        }
    }
    return false;
}

static void report_all(struct survey *survey)
{
    const struct pcw_result *listed = survey->list[0].result;
    const struct pcw_result *collected = survey->collection[0].result;

    for (size_t i = 0;
         i < listed->row_count && survey->reported < SURVEY_REPORTED; i++) {
        if (is_uncollected(survey, i)) {
            report_listed(survey, &listed->row[i]);
        }
    }
    for (size_t i = 0;
         i < collected->row_count && survey->reported < SURVEY_REPORTED; i++) {
        if (is_unlisted(survey, i)) {
            report_collected(survey, &collected->row[i]);
        }
    }
}

/* Listed, collected and listed again; the same once more before anything is
 * said of it. */
static bool compare(struct survey *survey)
{
    const struct pcw_filter *filter = survey->filter;

    if (!list(survey, &survey->list[0]) ||
        !collect(survey, filter, PCW_NEVER_CANCELLED, &survey->collection[0])) {
        return false;
    }
    survey->outcome.too_many =
        survey->list[0].result->row_count > SURVEY_ROWS ||
        survey->collection[0].result->row_count > SURVEY_ROWS;
    if (survey->outcome.too_many || !list(survey, &survey->list[1])) {
        return false;
    }
    survey->looks = 1;
    if (!disagrees(survey)) {
        return true;
    }
    if (!collect(survey, filter, PCW_NEVER_CANCELLED, &survey->collection[1]) ||
        !list(survey, &survey->list[2])) {
        return false;
    }
    survey->looks = 2;
    report_all(survey);
    return true;
}

/* Whether the instance is there when it is asked for by its name and id, as it
 * is among all (PCW-CON-01). False also when the guest's memory is full. */
static bool is_missing_alone(struct survey *survey, const struct pcw_row *row)
{
    struct answer alone = {NULL, NULL};
    struct pcw_filter filter = *survey->filter;
    bool missing;

    filter.instance = row->name;
    filter.id = row->id;
    missing = collect(survey, &filter, PCW_NEVER_CANCELLED, &alone) &&
              !holds(&alone, row, 0);
    give_back(survey, &alone);
    return missing;
}

/* Whether it is still among all. */
static bool is_still_there(struct survey *survey, const struct pcw_row *row)
{
    struct answer all = {NULL, NULL};
    bool there = collect(survey, survey->filter, PCW_NEVER_CANCELLED, &all) &&
                 holds(&all, row, 0);

    give_back(survey, &all);
    return there;
}

/* The first ones, up to those that make of all collections together as many
 * rows as one of SURVEY_ROWS. */
static bool is_asked_alone(size_t nth, size_t rows)
{
    return nth * rows <= SURVEY_ROWS;
}

static void ask_each(struct survey *survey)
{
    const struct pcw_result *all = survey->collection[0].result;
    size_t count = survey->filter->multiple ? all->row_count : 0;

    for (size_t i = 0; i < count && is_asked_alone(i, count) &&
                       survey->reported < SURVEY_REPORTED;
         i++) {
        const struct pcw_row *row = &all->row[i];
        char what[WHAT_BYTES], name[SHOWN_BYTES];

        if (is_missing_alone(survey, row) && is_still_there(survey, row) &&
            is_missing_alone(survey, row)) {
            pcw_text_shown(row->name, name, sizeof(name));
            snprintf(what, sizeof(what), "'%s', id %" PRIu32, name, row->id);
            report(survey, RULE_PCW_INSTANCE_ALONE, row, what);
        }
    }
}

/* One that goes away when it has the first instance (PCW-TYPE-08). */
static void go_away_amid(struct survey *survey)
{
    struct answer all = {NULL, NULL};

    collect(survey, survey->filter, 1, &all);
    give_back(survey, &all);
}

struct pcw_survey pcw_survey(
    struct kernel *kernel, const struct pcw_filter *filter)
{
    struct survey survey = {.kernel = kernel, .filter = filter};

    if (compare(&survey)) {
        ask_each(&survey);
        go_away_amid(&survey);
    }
    for (size_t i = 0; i < LISTS; i++) {
        give_back(&survey, &survey.list[i]);
    }
    for (size_t i = 0; i < COLLECTIONS; i++) {
        give_back(&survey, &survey.collection[i]);
    }
    return survey.outcome;
}
