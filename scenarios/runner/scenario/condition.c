/* condition.c - -e: which instances are wanted, by an expression over what they
 * know before they run. */
#include "scenarios/runner/scenario/condition.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/text/visible_text.h"

struct condition {
    const char *text;
};

/* One instance asked. */
struct question {
    void *context;
    const struct instance *instance;
    bool lacks_name;
    struct expression_problem problem;
};

static bool path_value(void *context, const char *path,
    struct expression_value *value, struct expression_problem *problem)
{
    struct question *question = context;

    if (statics_value(question->context, &question->instance->statics, path,
            value, problem)) {
        return true;
    }
    if (problem->message == NULL) {
        question->lacks_name = true;
        problem->message = talloc_asprintf(
            question->context, "no instance has the name '%s'", path);
        problem->hint = "os, arch, a parameter, column or axis, or a constant; "
                        "tag(name) asks for a tag";
    }
    return false;
}

static bool has_tag(void *context, const char *tag)
{
    const struct outline *outline =
        ((struct question *)context)->instance->outline;

    for (size_t i = 0; i < outline->tag_count; i++) {
        if (strcmp(outline->tag[i], tag) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether it has a value, and which. */
static bool ask(
    const struct condition *condition, struct question *question, bool *value)
{
    const struct expression_names names = {
        .context = question, .path = path_value, .tag = has_tag};
    struct expression_value found;

    if (!expression_evaluate(question->context, condition->text, &names, &found,
            &question->problem)) {
        return false;
    }
    if (found.kind != EXPRESSION_BOOL) {
        question->problem = (struct expression_problem){
            .width = strlen(condition->text),
            .message = "this is not true or false",
            .hint = "compare it, as in os >= WIN8",
        };
        return false;
    }
    *value = found.number != 0;
    return true;
}

static void report(const struct condition *condition,
    const struct expression_problem *problem, FILE *errors)
{
    fprintf(errors, "ntpmu: -e: %s\n       %s\n       %*s^",
        visible_name(problem->message), visible_name(condition->text),
        (int)problem->offset, "");
    for (size_t i = 1; i < problem->width; i++) {
        fputc('~', errors);
    }
    if (problem->hint != NULL) {
        fprintf(errors, " %s", visible_name(problem->hint));
    }
    fputc('\n', errors);
}

struct condition *condition_new(
    const struct instances *context, const char *text, FILE *errors)
{
    struct condition *condition = talloc_zero(context, struct condition);
    struct question question = {.context = talloc_new(NULL)};
    struct expression_problem problem = {.message = NULL};
    bool wrong = false;
    bool answered = context->count == 0;

    assert(condition != NULL);
    condition->text = text;
    for (size_t i = 0; i < context->count && !wrong; i++) {
        bool value;

        question.instance = &context->item[i];
        question.lacks_name = false;
        if (ask(condition, &question, &value)) {
            answered = true;
        } else {
            wrong = !question.lacks_name;
            problem = question.problem;
        }
    }
    if (wrong || !answered) {
        report(condition, &problem, errors);
        TALLOC_FREE(condition);
    }
    talloc_free(question.context);
    return condition;
}

bool condition_met(
    const struct condition *condition, const struct instance *instance)
{
    struct question question = {
        .context = talloc_new(NULL), .instance = instance};
    bool value = false;
    bool answered = ask(condition, &question, &value);

    talloc_free(question.context);
    return answered && value;
}
