/* row_path.c - a counter's name is the rest of the text, whatever is in it. */
#include "scenarios/runner/counters/row_path.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counters/counter_ask.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/run/rows.h"
#include "scenarios/runner/yaml/plain_word.h"

struct row_path {
    uint64_t row;
    const char *counter; /* NULL: the row's id */
};

bool row_path_is(const char *text)
{
    return strncmp(text, "rows.", 5) == 0;
}

static bool parse(const char *text, struct row_path *path)
{
    static const char values[] = "values.";
    char digits[8];
    size_t length;

    if (!row_path_is(text)) {
        return false;
    }
    text += 5;
    length = strcspn(text, ".");
    if (length == 0 || length >= sizeof(digits) || text[length] != '.') {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    text += length + 1;
    *path = (struct row_path){0};
    if (!plain_word_number(digits, &path->row)) {
        return false;
    }
    if (strcmp(text, "id") == 0) {
        return true;
    }
    path->counter = text + strlen(values);
    return strncmp(text, values, strlen(values)) == 0 &&
           path->counter[0] != '\0';
}

bool row_path_counter(const struct scenario *scenario, const struct step *step,
    const char *name, uint32_t *id)
{
    const struct asked *asked = step->u.collect.of;
    bool found = false;

    if (asked != NULL) {
        return counter_names_find(asked->manifest, name, id);
    }
    for (size_t i = 0; i < scenario->manifest_count; i++) {
        const struct manifest *manifest = scenario->manifest[i].manifest;

        for (size_t k = 0; k < manifest->set_count; k++) {
            uint32_t two[2];

            if (counter_names_are_two(&manifest->set[k], name, two)) {
                return false;
            }
            if (!found && counter_names_find(&manifest->set[k], name, id)) {
                scenario->manifest[i].used = true;
                found = true;
            }
        }
    }
    return found || counter_names_find(NULL, name, id);
}

bool row_path_read(struct reader *reader, const struct step *step,
    const struct node *path, enum nt_type *type)
{
    const struct schema *schema = &reader->scope.schema;
    struct row_path found;
    uint32_t id = 0;

    if (!parse(path->text, &found)) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, path,
            "rows have no part '%s'", path->text);
        diagnostics_hint(schema->diagnostics,
            "write rows.0.values.COUNTER or rows.0.id; rows count from 0");
        return false;
    }
    *type = found.counter == NULL ? NT_ULONG : NT_ULONG64;
    if (found.counter == NULL) {
        return true;
    }
    if (step->u.collect.enumerate) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, path,
            "an enumeration gives no values");
        return false;
    }
    if (row_path_counter(reader->scenario, step, found.counter, &id)) {
        counter_ask_value(reader, step, path, NULL, id);
    } else if (!reader->manifests_broken) {
        report_counter(reader, path, found.counter, step->u.collect.of);
        return false;
    }
    return true;
}

const char *row_why_no_value(
    const struct rows *rows, const struct step *step, const char *counter)
{
    const struct asked *asked = step->u.collect.of;
    uint32_t id;

    if (asked != NULL && asked->counters != UINT64_MAX &&
        counter_names_find(rows->set, counter, &id) &&
        (id >= 64 || (asked->counters >> id & 1) == 0)) {
        return "it was not asked for";
    }
    return "the row has no value of this counter";
}

static bool missing(struct run *run, const struct outcome *outcome,
    const struct node *path, const char *what)
{
    run_fail(run, RESULT_ERROR, outcome, path, "%s: %s", path->text, what);
    return false;
}

bool row_path_value(struct run *run, const struct outcome *outcome,
    const struct node *path, uint64_t *value)
{
    const struct rows *rows = outcome->rows;
    const struct row_value *found;
    struct row_path wanted;
    uint32_t id = 0;
    bool right = parse(path->text, &wanted);

    assert(right && rows != NULL); /* it was found valid */
    if (!right || wanted.row >= rows->count) {
        return missing(run, outcome, path,
            talloc_asprintf(run->context, "the collect gave %zu row%s",
                rows->count, rows->count == 1 ? "" : "s"));
    }
    if (wanted.counter == NULL) {
        *value = rows->item[wanted.row].id;
        return true;
    }
    found = counter_names_find(rows->set, wanted.counter, &id)
                ? row_find(&rows->item[wanted.row], id)
                : NULL;
    if (found == NULL) {
        return missing(run, outcome, path,
            row_why_no_value(rows, outcome->step, wanted.counter));
    }
    *value = found->value;
    return true;
}
