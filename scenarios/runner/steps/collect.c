/* collect.c - collect, query and close_query: a consumer's queries, as code of
 * the strand that runs the step (facts.md 5.8). */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/pcw/query.h"
#include "api/pcw/survey.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/rows.h"
#include "scenarios/runner/language/scope_path.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/asked.h"
#include "scenarios/runner/steps/steps.h"
#include "scenarios/runner/text/wide_text.h"
#include "sim/machine/strand.h"

/* A query step has what it asks (struct asked), a close_query the number. */
struct collect {
    struct asked asked;       /* once, where there is no `query` */
    const struct node *query; /* number of an open query; NULL: none */
    struct collection collection;
    uint32_t cancel_after;
    bool survey; /* as Performance Monitor does it, before it collects */
};

static bool is_query(const struct step *step)
{
    return step != NULL && step->kind->code == &step_query;
}

/* Whether it is a mapping of that kind; what is asked for alone is none. */
static bool read_mapping(struct reader *reader, const struct node *node,
    enum mapping mapping, const struct node *key)
{
    if (!schema_mapping(&reader->scope.schema, node, mapping, key)) {
        if (node->kind == NODE_SCALAR) {
            diagnostics_hint(reader->scope.schema.diagnostics,
                "write {counterset: %s}", node->text);
        }
        return false;
    }
    return true;
}

/* A query by its number, which a variable has: so what it asks is known before
 * anything runs. NULL after reporting anything else. */
static const struct asked *read_number(
    struct reader *reader, const struct node *query)
{
    static const char remedy[] =
        "save it with the query, save: {q: query}, and write $q";
    const struct schema *schema = &reader->scope.schema;
    const struct variable *variable;
    uint64_t number;

    if (!value_scalar(&reader->scope, query, NT_ULONG, &number)) {
        if (!node_is_computed(query)) {
            diagnostics_hint(schema->diagnostics, "%s", remedy);
        }
        return NULL;
    }
    variable = scope_path_variable(&reader->scope, query);
    if (variable == NULL || !is_query(variable->setter)) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, query,
            "'%s' is not the number of a query", query->text);
        diagnostics_hint(schema->diagnostics, "%s", remedy);
        return NULL;
    }
    return variable->setter->data;
}

/* The query has decided about these. */
static void refuse_filter(struct reader *reader, const struct node *node)
{
    static const char *const keys[] = {
#define FILTER_KEY(key, ...) key,
#include "scenarios/runner/language/filter_keys.def"
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct node *key = node_key(node, keys[i]);

        if (key != NULL) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
                "the query has decided about '%s'", keys[i]);
        }
    }
}

/* A survey lists, collects and cancels by itself, in queries of its own. */
static void refuse_with_survey(struct reader *reader, const struct node *node)
{
    static const char *const keys[] = {"query", "enumerate", "cancel_after"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct node *key = node_key(node, keys[i]);

        if (key != NULL) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
                "'survey' and '%s' exclude each other", keys[i]);
            diagnostics_hint(reader->scope.schema.diagnostics,
                "a survey lists, collects and cancels in queries of its own");
        }
    }
}

static void read_collect_keys(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct collect *collect = step->data;
    const struct node *cancel, *enumerate;
    uint64_t number = PCW_NEVER_CANCELLED;

    if (!read_mapping(reader, node, MAPPING_COLLECT, step->key) ||
        schema_kind(schema, node, MAPPING_COLLECT, false) == NULL) {
        return;
    }
    collect->query = node_get(node, "query");
    if (collect->query == NULL) {
        asked_read(reader, node, &collect->asked);
        collect->collection.asked = &collect->asked;
    } else {
        refuse_filter(reader, node);
        collect->collection.asked = read_number(reader, collect->query);
        collect->collection.again = true;
    }
    enumerate = node_get(node, "enumerate");
    if (enumerate != NULL) {
        schema_bool(schema, enumerate, &collect->collection.enumerates);
    }
    if (node_get(node, "survey") != NULL) {
        schema_bool(schema, node_get(node, "survey"), &collect->survey);
        refuse_with_survey(reader, node);
    }
    cancel = node_get(node, "cancel_after");
    if (cancel != NULL) {
        schema_key_number(
            schema, MAPPING_COLLECT, "cancel_after", cancel, &number);
    }
    collect->cancel_after = (uint32_t)number;
}

static void read_collect(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct collect *collect = step->data;

    step->collection = &collect->collection;
    read_collect_keys(reader, node, step);
}

static void read_query(
    struct reader *reader, const struct node *node, struct step *step)
{
    if (read_mapping(reader, node, MAPPING_QUERY, step->key)) {
        asked_read(reader, node, step->data);
    }
}

static void read_close_query(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct node **query = step->data;

    *query = node;
    read_number(reader, node);
}

/* A query that nothing can use, unless it is expected to stop the machine. */
static void refuse_unused(struct reader *reader, const struct step *step)
{
    if (node_get(step->node, "save") == NULL &&
        !step_expects(step, ABOUT_BUGCHECK)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNUSED, step->key,
            "the query's number is not saved, so nothing can use or close it");
        diagnostics_hint(reader->scope.schema.diagnostics, "save: {q: query}");
    }
}

/* An open query, and what it gave last; child of the run. */
struct query_run {
    uint32_t number;
    const struct step *step; /* that has opened it */
    bool busy;               /* it collects, on some strand */
    const struct rows *last;
    struct query_run *next;
};

static void refuse(
    struct run *run, struct outcome *outcome, const char *message)
{
    run_fail(run, RESULT_ERROR, outcome, outcome->step->key, "%s", message);
    outcome->failed = true;
}

enum { CALLBACKS_DEEP = 4 }; /* for which a strand's stack has room */

/* How many callbacks run on this strand, one inside of the other. */
static unsigned callback_depth(const struct run *run)
{
    const struct strand *strand = strand_current(&run->session->machine);
    unsigned depth = 0;

    for (const struct body_run *body = run->body; body != NULL;
         body = body->outer) {
        depth += body->strand == strand;
    }
    return depth;
}

/* Providers are called at APC_LEVEL or below (PCW-CRE-18), and those of a
 * consumer in a callback may be consumers again. */
static bool may_ask(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));

    if (callback_depth(run) > CALLBACKS_DEEP) {
        refuse(run, outcome,
            talloc_asprintf(run->context,
                "consumers are at most %d callbacks deep; does one ask for "
                "its own set?",
                CALLBACKS_DEEP));
        return false;
    }
    if (irql <= irql_number(kernel, LEVEL_APC_LEVEL)) {
        return true;
    }
    refuse(run, outcome,
        talloc_asprintf(run->context,
            "cpu %u is at IRQL %u; a consumer asks at APC_LEVEL or below",
            (unsigned)kernel_cpu(kernel)->index, (unsigned)irql));
    return false;
}

static bool make_filter(struct run *run, struct outcome *outcome,
    const struct asked *asked, struct pcw_filter *filter)
{
    uint64_t id = PCW_ANY_INSTANCE_ID;

    if (asked->id != NULL &&
        !value_scalar(&run->scope, asked->id, NT_ULONG, &id)) {
        run_fail_value(run, outcome, asked->id);
        return false;
    }
    *filter = (struct pcw_filter){
        .set = wide_text(outcome, asked->set),
        .instance = wide_text(outcome, asked->instance),
        .id = (uint32_t)id,
        .counters = asked->counters,
        .multiple = asked->multiple,
        .silo = thread_current(&run->session->kernel)->silo,
    };
    return true;
}

/* Where the list of them begins. */
static struct query_run **queries_of(struct run *run)
{
    static const char owner;

    return run_memory(run, &owner, sizeof(struct query_run *));
}

static struct query_run *query_of(struct run *run, uint32_t number)
{
    struct query_run *query = *queries_of(run);

    while (query != NULL && query->number != number) {
        query = query->next;
    }
    return query;
}

/* They stay in the order in which they were opened. */
static void add_query(struct run *run, const struct step *step, uint32_t number)
{
    struct query_run *query = talloc_zero(run->context, struct query_run);
    struct query_run **end = queries_of(run);

    assert(query != NULL);
    query->number = number;
    query->step = step;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = query;
}

/* The query that a step names, which must be open and idle. */
static struct pcw_query *find_query(struct run *run, struct outcome *outcome,
    const struct node *node, struct query_run **found)
{
    struct pcw_query *query;
    uint64_t number;

    if (!value_scalar(&run->scope, node, NT_ULONG, &number)) {
        run_fail_value(run, outcome, node);
        return NULL;
    }
    query = pcw_query_find(&run->session->kernel, (uint32_t)number);
    *found = query_of(run, (uint32_t)number);
    if (query == NULL || *found == NULL) {
        refuse(run, outcome,
            talloc_asprintf(
                run->context, "no query %u is open", (unsigned)number));
        return NULL;
    }
    if ((*found)->busy) {
        refuse(run, outcome,
            talloc_asprintf(run->context, "query %u is collecting already",
                (unsigned)number));
        return NULL;
    }
    return query;
}

/* The manifest's set, by the name that was asked for. */
static const struct manifest_set *set_of(
    struct run *run, const struct pcw_query *query)
{
    char *name = wide_text_utf8(run->context, pcw_query_filter(query)->set);
    const struct manifest_set *set =
        counter_names_set(&run->scenario->manifests, name);

    talloc_free(name);
    return set;
}

/* What was to be cancelled and was not, unless the step asks about that. */
static void check_cancelled(struct run *run, const struct outcome *outcome)
{
    const struct collect *collect = outcome->step->data;
    const struct rows *rows = outcome->rows;

    if (collect->cancel_after != PCW_NEVER_CANCELLED && !rows->cancelled &&
        !step_expects(outcome->step, ABOUT_CANCELLATION)) {
        run_fail(run, RESULT_FAIL, outcome,
            node_key(node_get(outcome->step->node, "collect"), "cancel_after"),
            "the cancellation never came: %zu of %" PRIu32
            " instances were recorded; expect cancelled: false where it may "
            "not",
            rows->count, collect->cancel_after);
    }
}

/* Collects, and keeps what that gives. */
static void collect_from(struct run *run, struct outcome *outcome,
    struct pcw_query *query, const struct rows *before)
{
    struct kernel *kernel = &run->session->kernel;
    const struct collect *collect = outcome->step->data;
    const struct pcw_result *result =
        collect->collection.enumerates
            ? pcw_query_enumerate(kernel, query, collect->cancel_after)
            : pcw_query_collect(kernel, query, collect->cancel_after);

    outcome->rows = rows_copy(run->context, set_of(run, query), result);
    rows_make_figures(kernel->machine->config.pmu.mhz, outcome->rows, before);
    outcome->value[0] = outcome->rows->count;
    outcome->value[1] = outcome->rows->cancelled;
    check_cancelled(run, outcome);
}

/* A new query, that providers are told of or not; NULL when it was refused. */
static struct pcw_query *begin_query(struct run *run, struct outcome *outcome,
    const struct asked *asked, bool told)
{
    struct kernel *kernel = &run->session->kernel;
    struct pcw_filter filter;
    struct pcw_query *query;

    if (!make_filter(run, outcome, asked, &filter)) {
        return NULL;
    }
    query = told ? pcw_query_open(kernel, &filter)
                 : pcw_query_prepare(kernel, &filter);
    if (query == NULL) {
        refuse(run, outcome,
            "the guest's memory has no room for a query; free some of it");
    }
    return query;
}

/* Returns whether it went to its end. */
static bool survey_set(struct run *run, struct outcome *outcome)
{
    const struct collect *collect = outcome->step->data;
    struct pcw_filter filter;
    struct pcw_survey survey;

    if (!make_filter(run, outcome, &collect->asked, &filter)) {
        return false;
    }
    survey = pcw_survey(&run->session->kernel, &filter);
    if (survey.no_memory || survey.too_many) {
        refuse(run, outcome,
            survey.no_memory
                ? "the guest's memory has no room for a query; free some of it"
                : talloc_asprintf(run->context,
                      "a survey compares %d instances at the most; 'instance' "
                      "asks for fewer",
                      SURVEY_ROWS));
        return false;
    }
    return true;
}

static void collect_once(struct run *run, struct outcome *outcome)
{
    const struct collect *collect = outcome->step->data;
    struct pcw_query *query;

    outcome->call =
        talloc_asprintf(outcome, "collect of '%s'", collect->asked.set);
    if (collect->survey && !survey_set(run, outcome)) {
        return;
    }
    query = begin_query(
        run, outcome, &collect->asked, !collect->collection.enumerates);
    if (query != NULL) {
        collect_from(run, outcome, query, NULL);
        pcw_query_close(&run->session->kernel, query);
    }
}

static void collect_again(struct run *run, struct outcome *outcome)
{
    struct query_run *kept;
    const struct collect *collect = outcome->step->data;
    struct pcw_query *query = find_query(run, outcome, collect->query, &kept);

    if (query == NULL) {
        return;
    }
    outcome->call =
        talloc_asprintf(outcome, "collect of query %u", (unsigned)kept->number);
    kept->busy = true;
    collect_from(run, outcome, query, kept->last);
    kept->busy = false;
    if (!outcome->step->collection->enumerates && !outcome->rows->cancelled) {
        kept->last = outcome->rows;
    }
}

static void run_collect(struct run *run, struct outcome *outcome)
{
    const struct collect *collect = outcome->step->data;

    if (!may_ask(run, outcome)) {
        return;
    }
    if (collect->query == NULL) {
        collect_once(run, outcome);
    } else {
        collect_again(run, outcome);
    }
}

static void run_query(struct run *run, struct outcome *outcome)
{
    const struct asked *asked = outcome->step->data;
    struct pcw_query *query;

    outcome->call = talloc_asprintf(outcome, "query of '%s'", asked->set);
    query =
        may_ask(run, outcome) ? begin_query(run, outcome, asked, true) : NULL;
    if (query != NULL) {
        outcome->value[0] = pcw_query_number(query);
        add_query(run, outcome->step, (uint32_t)outcome->value[0]);
    }
}

static void run_close_query(struct run *run, struct outcome *outcome)
{
    const struct node *const *number = outcome->step->data;
    struct query_run *kept;
    struct pcw_query *query;

    if (!may_ask(run, outcome)) {
        return;
    }
    query = find_query(run, outcome, *number, &kept);
    if (query == NULL) {
        return;
    }
    outcome->call =
        talloc_asprintf(outcome, "close of query %u", (unsigned)kept->number);
    kept->busy = true; /* nobody else may use it from now on */
    pcw_query_close(&run->session->kernel, query);
}

static void report_queries(struct run *run)
{
    for (const struct query_run *query = *queries_of(run);
         query != NULL && !run->stopped; query = query->next) {
        if (pcw_query_find(&run->session->kernel, query->number) != NULL) {
            run_fail(run, RESULT_FAIL, NULL, query->step->key,
                "the query of step %s is never closed; close_query belongs "
                "behind its last collect, or into finally",
                query->step->number);
        }
    }
}

const struct step_code step_collect = {
    .data_bytes = sizeof(struct collect),
    .gives_rows = true,
    .read = read_collect,
    .run = run_collect,
};

const struct step_code step_query = {
    .data_bytes = sizeof(struct asked),
    .read = read_query,
    .read_end = refuse_unused,
    .run = run_query,
    .end = report_queries,
};

const struct step_code step_close_query = {
    .data_bytes = sizeof(const struct node *),
    .read = read_close_query,
    .run = run_close_query,
};
