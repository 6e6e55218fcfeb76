/* row_path.c - paths into rows, rows.0.values.COUNTER: the counter's name is
 * the rest of the text, whatever is in it. */
#include "scenarios/runner/counters/row_path.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

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

bool row_path_read(const struct counter_scope *scope, const struct node *path,
    enum nt_type *type)
{
    const struct schema *schema = scope->schema;
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
    if (scope->collection->enumerates) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, path,
            "an enumeration gives no values");
        return false;
    }
    if (counter_scope_find(scope, found.counter, &id)) {
        counter_scope_check_value(scope, path, NULL, id);
    } else if (!scope->manifests->broken) {
        counter_scope_report(scope, path, found.counter);
        return false;
    }
    return true;
}

const char *row_path_why_no_value(
    const struct rows *rows, const struct asked *asked, const char *counter)
{
    uint32_t id;

    if (asked != NULL && asked->counters != UINT64_MAX &&
        counter_names_find(rows->set, counter, &id) &&
        (id >= 64 || (asked->counters >> id & 1) == 0)) {
        return "it was not asked for";
    }
    return "the row has no value of this counter";
}

const char *row_path_value(void *context, const struct rows *rows,
    const struct asked *asked, const char *path, uint64_t *value)
{
    const struct row_value *found;
    struct row_path wanted;
    uint32_t id = 0;
    bool right = parse(path, &wanted);

    assert(right && rows != NULL); /* it was found valid */
    if (!right || wanted.row >= rows->count) {
        return talloc_asprintf(context, "the collect gave %zu row%s",
            rows->count, rows->count == 1 ? "" : "s");
    }
    if (wanted.counter == NULL) {
        *value = rows->item[wanted.row].id;
        return NULL;
    }
    found = counter_names_find(rows->set, wanted.counter, &id)
                ? row_find(&rows->item[wanted.row], id)
                : NULL;
    if (found == NULL) {
        return row_path_why_no_value(rows, asked, wanted.counter);
    }
    *value = found->value;
    return NULL;
}
