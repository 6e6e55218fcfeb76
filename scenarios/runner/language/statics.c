/* statics.c - names that an instance knows before it runs, parameters, columns
 * and axes, and their values in expressions. */
#include "scenarios/runner/language/statics.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/form.h"
#include "scenarios/runner/yaml/plain_word.h"

bool node_is_computed(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted && node->text[0] == '$';
}

char *expression_of_node(void *context, const struct node *node)
{
    size_t length;

    if (!node_is_computed(node) || node->text[1] != '(') {
        return NULL;
    }
    length = strlen(node->text);
    if (node->text[length - 1] != ')') {
        return NULL;
    }
    return talloc_strndup(context, node->text + 2, length - 3);
}

static struct static_value *find(
    const struct statics *statics, const char *name, size_t length)
{
    for (size_t i = 0; i < statics->count; i++) {
        const char *own = statics->item[i].name->name;

        if (strncmp(own, name, length) == 0 && own[length] == '\0') {
            return &statics->item[i];
        }
    }
    return NULL;
}

const struct node *statics_find(const struct statics *statics, const char *name)
{
    struct static_value *found = find(statics, name, strlen(name));

    if (found == NULL) {
        return NULL;
    }
    atomic_store_explicit(&found->name->used, true, memory_order_relaxed);
    return found->value;
}

/* A scalar as it is written: what its text looks like decides. */
static bool scalar_value(const struct statics *statics, const struct node *node,
    struct expression_value *value)
{
    bool minus = node->text[0] == '-';
    uint64_t number;

    if (!node->quoted && plain_word_number(node->text + minus, &number) &&
        (!minus || number <= (uint64_t)INT64_MAX + 1)) {
        *value = (struct expression_value){.kind = EXPRESSION_NUMBER,
            .known = true,
            .number = minus ? -(expression_number)number : number};
        return true;
    }
    if (node_is_word(node, "true") || node_is_word(node, "false")) {
        *value = (struct expression_value){.kind = EXPRESSION_BOOL,
            .known = true,
            .number = node->text[0] == 't'};
        return true;
    }
    if (!node->quoted && constant_value(node->text, statics->arch, value)) {
        return true;
    }
    *value = (struct expression_value){
        .kind = EXPRESSION_TEXT, .known = true, .text = node->text};
    return true;
}

static bool node_value(const struct statics *statics, const struct node *node,
    struct expression_value *value, struct expression_problem *problem)
{
    if (node_is_computed(node)) {
        problem->message = "an address is known only when the instance runs";
        problem->hint = "write $name alone where it is used";
        return false;
    }
    switch (node->kind) {
    case NODE_SCALAR:
        return scalar_value(statics, node, value);
    case NODE_SEQUENCE:
        *value = (struct expression_value){.kind = EXPRESSION_LIST,
            .known = true,
            .number = (expression_number)node->count};
        return true;
    case NODE_MAPPING:
        problem->message = "a structure has no value, its members have";
        problem->hint = "write name.Member";
        return false;
    }
    return false;
}

/* The part of a value that a path goes on to: .0 of a list, .Name of a
 * mapping. NULL: there is none. */
static const struct node *part(const struct node *node, const char *rest)
{
    char name[EXPRESSION_PATH_BYTES];
    const char *dot = strchr(rest, '.');
    size_t length = dot == NULL ? strlen(rest) : (size_t)(dot - rest);
    const struct node *found = NULL;
    uint64_t index;

    memcpy(name, rest, length);
    name[length] = '\0';
    if (node->kind == NODE_SEQUENCE && plain_word_number(name, &index) &&
        index < node->count) {
        found = node->item[index];
    } else if (node->kind == NODE_MAPPING) {
        found = node_get(node, name);
    }
    return found == NULL || dot == NULL ? found : part(found, dot + 1);
}

static bool listed_value(const char *domain, bool ordered,
    expression_number number, struct expression_value *value)
{
    *value = (struct expression_value){.kind = EXPRESSION_NUMBER,
        .domain = domain,
        .ordered = ordered,
        .named = true,
        .known = true,
        .number = number};
    return true;
}

bool statics_value(void *context, const struct statics *statics,
    const char *path, struct expression_value *value,
    struct expression_problem *problem)
{
    size_t length = strcspn(path, ".");
    struct static_value *found = find(statics, path, length);
    const struct node *node;

    problem->message = NULL;
    if (found == NULL && strcmp(path, "os") == 0) {
        return listed_value(constant_domain_os, true, statics->os, value);
    }
    if (found == NULL && strcmp(path, "arch") == 0) {
        return listed_value(constant_domain_arch, false, statics->arch, value);
    }
    if (found == NULL) {
        return constant_value(path, statics->arch, value);
    }
    atomic_store_explicit(&found->name->used, true, memory_order_relaxed);
    node = found->value;
    if (path[length] == '.') {
        node = part(node, path + length + 1);
    }
    if (node == NULL) {
        problem->message = talloc_asprintf(context, "%s has no part '%s'",
            found->name->name, path + length + 1);
        return false;
    }
    return node_value(statics, node, value, problem);
}

/* A function's name, which a variable can have as well. */
static bool is_function(const char *word, size_t length)
{
    const char *behind = word + length;

    behind += strspn(behind, " ");
    return *behind == '(' && length == 3 &&
           (strncmp(word, "len", 3) == 0 || strncmp(word, "bit", 3) == 0 ||
               strncmp(word, "tag", 3) == 0);
}

/* Whether the word's meaning does not depend on what runs. */
static bool is_known_word(
    const struct statics *statics, const char *word, size_t length)
{
    static const char *const words[] = {
        "and", "or", "not", "true", "false", "os", "arch"};
    char name[EXPRESSION_PATH_BYTES];
    struct expression_value value;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i]) == length &&
            strncmp(words[i], word, length) == 0) {
            return true;
        }
    }
    if (length >= sizeof(name) || is_function(word, length) ||
        find(statics, word, length) != NULL) {
        return true;
    }
    memcpy(name, word, length);
    name[length] = '\0';
    return constant_value(name, statics->arch, &value);
}

/* How long the name, path or number is that begins there; 0: none does. */
static size_t word_length(const char *at)
{
    size_t length = 0;

    while ((at[length] >= 'a' && at[length] <= 'z') ||
           (at[length] >= 'A' && at[length] <= 'Z') ||
           (at[length] >= '0' && at[length] <= '9') || at[length] == '_' ||
           at[length] == '.') {
        length++;
    }
    return length;
}

bool statics_are_enough(const struct statics *statics, const char *expression)
{
    const char *at = expression;

    if (strlen(expression) > EXPRESSION_BYTES) {
        return true; /* an error anyway */
    }
    while (*at != '\0') {
        size_t length = word_length(at);

        if (*at == '\'') {
            const char *end = strchr(at + 1, '\'');

            if (end == NULL) {
                return true; /* likewise */
            }
            at = end + 1;
        } else if (length == 0) {
            at++;
        } else {
            const char *dot = memchr(at, '.', length);
            size_t root = dot == NULL ? length : (size_t)(dot - at);

            if (!(at[0] >= '0' && at[0] <= '9') &&
                !is_known_word(statics, at, root)) {
                return false;
            }
            at += length;
        }
    }
    return true;
}
