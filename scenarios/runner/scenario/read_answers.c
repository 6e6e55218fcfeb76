/* read_answers.c - imports: routines that drivers import and the scenario
 * answers for, because nobody models them or in place of what is modelled. */
#include "scenarios/runner/scenario/read_answers.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/missing.h"
#include "api/core/routine.h"
#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

static bool is_variable(const char *name)
{
    static const char *const modelled[] = {
#define DATA(name, ...) #name,
#include "api/core/data_exports.def"
    };

    for (size_t i = 0; i < sizeof(modelled) / sizeof(modelled[0]); i++) {
        if (strcmp(modelled[i], name) == 0) {
            return true;
        }
    }
    return missing_is_variable(name);
}

/* Two of one name would be told apart by nothing. */
static void check_name(struct reader *reader, const struct node *key)
{
    const struct schema *schema = &reader->scope.schema;

    if (is_variable(key->text)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, key,
            "%s is a variable, which nobody calls", key->text);
        diagnostics_hint(
            schema->diagnostics, "only calls of routines can be answered for");
        return;
    }
    if (scope_callback(&reader->scope, key->text) != NULL) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, key,
            "there is a callback '%s' already", key->text);
        diagnostics_hint(schema->diagnostics, "call that one otherwise");
    }
}

static bool check_table(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;

    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {Routine: {returns: value}}");
        return false;
    }
    if (node->count > SCENARIO_ANSWERS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, node,
            "more than %d routines that are answered for", SCENARIO_ANSWERS);
        return false;
    }
    if (!reader->scenario->native) {
        schema_error(schema, DIAGNOSTIC_CONFLICT,
            node_key(reader->scenario->root, "imports"),
            "the scenario has no driver that could import anything");
        diagnostics_hint(schema->diagnostics,
            "the scenario's key driver: {image: NAME.sys} names one; steps "
            "call what is modelled");
        return false;
    }
    return true;
}

void read_answer_names(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    struct answer_names *names = &scenario->answer_names;
    const struct node *node = node_get(scenario->root, "imports");

    if (node == NULL || !check_table(reader, node)) {
        return;
    }
    names->item =
        talloc_zero_array(scenario, const char *, (unsigned)node->count);
    scenario->answer = talloc_zero_array(
        scenario, struct scenario_answer, (unsigned)node->count);
    assert(names->item != NULL && scenario->answer != NULL);
    for (size_t i = 0; i < node->count; i++) {
        scenario->answer[i].name = node->entry[i].key;
        names->item[names->count++] = node->entry[i].key->text;
        check_name(reader, node->entry[i].key);
    }
    reader->scope.answers = names;
}

/* A status by its name is a status; whatever else is a word. */
static void read_returns(struct reader *reader, const struct node *returns,
    struct scenario_answer *answer)
{
    uint64_t value;

    answer->type = returns->kind == NODE_SCALAR && !returns->quoted &&
                           strncmp(returns->text, "STATUS_", 7) == 0
                       ? NT_NTSTATUS
                       : NT_ULONG64;
    if (value_scalar(&reader->scope, returns, answer->type, &value)) {
        answer->returns = returns;
    }
}

static void read_out(struct reader *reader, const struct node *out,
    struct scenario_answer *answer)
{
    static const char *const names[ANSWER_ARGUMENTS] = {"Argument1",
        "Argument2", "Argument3", "Argument4", "Argument5", "Argument6",
        "Argument7", "Argument8", "Argument9", "Argument10"};
    struct value_block block;

    if (!schema_mapping(&reader->scope.schema, out, MAPPING_ANSWER_OUT, out)) {
        return;
    }
    if (out->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, out,
            "nothing is stored");
    }
    for (size_t i = 0; i < ANSWER_ARGUMENTS; i++) {
        const struct node *layout = node_get(out, names[i]);

        if (layout != NULL && value_layout_read(&reader->scope,
                                  reader->scenario, layout, &block)) {
            answer->out[i] = layout;
        }
    }
}

static const char *name_of_callback(size_t n, const void *context)
{
    const struct callback_names *names = context;

    return n < names->count ? names->item[n].name : NULL;
}

static void read_calls(struct reader *reader, const struct node *calls,
    struct scenario_answer *answer)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    const struct callback *callback;

    if (!schema_name(schema, calls, "callback", name_of_callback,
            scenario->callback_names, &answer->callback)) {
        return;
    }
    scenario->callback_names->item[answer->callback].used = true;
    callback = &scenario->callback[answer->callback];
    answer->calls = true;
    if (!callback->lost && callback->type != CALLBACK_PIMPORTED_ROUTINE) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, calls,
            "'%s' is a %s, and imported routines call a PIMPORTED_ROUTINE",
            calls->text, callback_rows[callback->type].name);
        diagnostics_hint(schema->diagnostics,
            "callbacks: {%s: {type: PIMPORTED_ROUTINE, do: [steps]}} has what "
            "the routine is given as $Argument1 to $Argument4",
            calls->text);
    }
}

/* Whoever answers for what is modelled has to say that it is meant. */
static void check_replace(struct reader *reader, const struct entry *entry,
    struct scenario_answer *answer)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *replace = node_get(entry->value, "replace");
    enum routine routine;
    bool modelled = routine_find(entry->key->text, &routine);

    if (replace != NULL && !schema_bool(schema, replace, &answer->replace)) {
        return;
    }
    if (modelled && !answer->replace) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key, "%s is modelled",
            entry->key->text);
        diagnostics_hint(schema->diagnostics,
            "leave it out, or add replace: true, and the verdict says that it "
            "was replaced");
    } else if (!modelled && replace != NULL && answer->replace) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, replace,
            "%s is not modelled, so nothing is replaced", entry->key->text);
        diagnostics_hint(schema->diagnostics, "leave replace out");
    } else if (replace != NULL && !answer->replace) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, replace,
            "'false' is what holds without this");
    }
}

static void read_answer(struct reader *reader, const struct entry *entry,
    struct scenario_answer *answer)
{
    const struct node *node = entry->value;

    if (!schema_mapping(
            &reader->scope.schema, node, MAPPING_ANSWER, entry->key)) {
        return;
    }
    reader->scope.branch = answer->branch = ++reader->branches;
    reader->scope.in_callback = true;
    if (node_get(node, "returns") != NULL) {
        read_returns(reader, node_get(node, "returns"), answer);
    }
    if (node_get(node, "out") != NULL) {
        read_out(reader, node_get(node, "out"), answer);
    }
    if (node_get(node, "calls") != NULL) {
        read_calls(reader, node_get(node, "calls"), answer);
    }
    check_replace(reader, entry, answer);
    reader->scope.branch = 0;
    reader->scope.in_callback = false;
}

void read_answers(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "imports");

    for (size_t i = 0; i < scenario->answer_names.count; i++) {
        read_answer(reader, &node->entry[i], &scenario->answer[i]);
    }
}
