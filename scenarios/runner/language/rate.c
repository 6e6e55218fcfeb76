/* rate.c - how often something happens: p or p/q in a cycle. */
#include "scenarios/runner/language/rate.h"

#include <string.h>

#include "scenarios/runner/yaml/plain_word.h"

bool rate_read(const struct schema *schema, const struct node *node,
    const char *cycle, struct rate *rate)
{
    const char *slash =
        node->kind == NODE_SCALAR ? strchr(node->text, '/') : NULL;
    char first[24] = "";

    rate->q = 1;
    rate->phase = 0;
    if (slash != NULL && (size_t)(slash - node->text) < sizeof(first)) {
        memcpy(first, node->text, (size_t)(slash - node->text));
    }
    if (node->kind != NODE_SCALAR || node->quoted ||
        !plain_word_number(slash != NULL ? first : node->text, &rate->p) ||
        (slash != NULL && !plain_word_number(slash + 1, &rate->q))) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected how many in a %s, as p or p/q", cycle);
        diagnostics_hint(schema->diagnostics,
            "a rate has no decimal point: 3/2 is 1.5, 1/1000 is 0.001");
        return false;
    }
    if (!rate_is_possible(rate->p, rate->q)) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "a rate is at most 64 in a %s, as p/q with q from 1 to 2^48",
            cycle);
        return false;
    }
    return true;
}
