/* step.c - what can be said of any step: its results, whether it does
 * something, what it is asked about. */
#include "scenarios/runner/scenario/step.h"

#include <string.h>

const struct step_kind step_kind_none = {
    .key = "expect",
    .code = &(const struct step_code){.noun = NULL},
    .whose = WHOSE_ASKED,
    .results = &(const struct step_result){NULL, NT_VOID},
    .raises = &(const char *const){NULL},
    .keys = &(const struct step_key){NULL, false},
};

const struct step_key *step_kind_key(
    const struct step_kind *kind, const char *key)
{
    for (const struct step_key *own = kind->keys; own->key != NULL; own++) {
        if (own->key[0] == key[0] && strcmp(own->key, key) == 0) {
            return own;
        }
    }
    return NULL;
}

bool step_has_action(const struct step *step)
{
    return step->kind != &step_kind_none;
}

bool step_is_inline(const struct step *step)
{
    return step->kind->code->enter != NULL;
}

bool step_expects(const struct step *step, enum check_about about)
{
    for (size_t i = 0; i < step->expect.count; i++) {
        if (step->expect.item[i].kind->about == about) {
            return true;
        }
    }
    return false;
}

bool step_reads(const struct step *step)
{
    return step->kind->results[0].name != NULL;
}

bool step_result(const struct step *step, size_t n, struct step_result *result)
{
    const enum nt_type type = step->signature.returns;

    if (!step_reads(step)) {
        *result = (struct step_result){
            type == NT_NTSTATUS ? "status" : "returns", type};
        return n == 0 && type != NT_VOID;
    }
    for (size_t i = 0; i <= n; i++) {
        *result = step->kind->results[i];
        if (result->name == NULL) {
            return false;
        }
    }
    return true;
}

bool step_result_find(const struct step *step, const char *name, size_t *n,
    struct step_result *result)
{
    for (*n = 0; step_result(step, *n, result); (*n)++) {
        if (strcmp(result->name, name) == 0) {
            return true;
        }
    }
    return false;
}
