/* fuzz_expression.c - any text as an expression, while names have values and
 * while they only have kinds: it has a value in range or a problem that lies
 * inside of the text, and what has one kind then has the same now. */
#include <assert.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/runner/language/expression_names.h"

struct evaluated {
    bool right;
    struct expression_value value;
    struct expression_problem problem;
};

static struct evaluated evaluate(struct expression_set *set, const char *text)
{
    const struct expression_names names = {
        set, expression_set_path, set->tags ? expression_set_tag : NULL};
    struct evaluated made = {.problem = {.offset = 0}};

    made.right = expression_evaluate(
        set->memory, text, &names, &made.value, &made.problem);
    if (!made.right) {
        assert(made.problem.message != NULL);
        assert(made.problem.width > 0);
        assert(made.problem.offset <= strlen(text));
    } else if (made.value.known && made.value.kind == EXPRESSION_NUMBER) {
        assert(made.value.number >= INT64_MIN);
        assert(made.value.number <= (expression_number)UINT64_MAX);
    } else if (made.value.known && made.value.kind == EXPRESSION_BOOL) {
        assert(made.value.number == 0 || made.value.number == 1);
    }
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct expression_set set = {.memory = talloc_new(NULL)};
    char *text = talloc_strndup(set.memory, (const char *)data, size);
    struct evaluated known, unknown;

    assert(text != NULL);
    known = evaluate(&set, text);
    set.unknown = true;
    unknown = evaluate(&set, text);
    /* What is wrong while checking is wrong while running; but names whose
     * values are not looked at may hide a value that is there. */
    if (known.right && unknown.right) {
        assert(known.value.kind == unknown.value.kind);
        assert(known.value.domain == unknown.value.domain);
        assert(!unknown.value.known || !known.value.known ||
               known.value.kind == EXPRESSION_TEXT ||
               unknown.value.number == known.value.number);
    }
    set.tags = true;
    evaluate(&set, text);
    talloc_free(set.memory);
    return 0;
}
