/* duration.c - a time as a scenario writes it, 10us, and how many cycles (or
 * microseconds) of the place where it stands that is. */
#include "scenarios/runner/language/duration.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/yaml/plain_word.h"

enum { NS_PER_US = 1000 };

static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {
    {"ns", 1},
    {"us", NS_PER_US},
    {"ms", UINT64_C(1000000)},
    {"s", UINT64_C(1000000000)},
};

#define DIGITS "0123456789"

/* The unit behind the digits; NULL: there is none, or it is no word of ours. */
static const struct unit *unit_of(const struct node *node)
{
    const char *behind;

    if (node->kind != NODE_SCALAR || node->quoted) {
        return NULL;
    }
    behind = node->text + strspn(node->text, DIGITS);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (behind != node->text && strcmp(behind, units[i].name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

bool duration_is(const struct node *node)
{
    return unit_of(node) != NULL &&
           (node->text[0] != '0' || strspn(node->text, DIGITS) == 1);
}

bool duration_is_meant(const struct node *node)
{
    const char *behind;

    if (node->kind != NODE_SCALAR || strspn(node->text, DIGITS) == 0 ||
        duration_is(node)) {
        return false;
    }
    behind = node->text + strspn(node->text, DIGITS ".");
    behind += strspn(behind, " ");
    return *behind != '\0' && *behind != 'x' &&
           strcspn(behind, DIGITS "+-._:/,;()") == strlen(behind);
}

const char *duration_hint(const struct node *node)
{
    if (strchr(node->text, '.') != NULL) {
        return "a time has no point: write 1500us for 1.5ms";
    }
    return node->quoted
               ? "write 10us without quotes; units are ns, us, ms and s"
               : "write 10us: a number and ns, us, ms or s right behind it";
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* n times up / down, where that is a whole number of 64 bits. */
static bool scale(uint64_t n, uint64_t up, uint64_t down, uint64_t *result)
{
    uint64_t common = gcd(up, down);

    up /= common;
    down /= common;
    if (n % down != 0) {
        return false;
    }
    return !__builtin_mul_overflow(n / down, up, result);
}

char *duration_count(
    void *context, const struct node *node, uint64_t per_us, uint64_t *count)
{
    const struct unit *unit = unit_of(node);
    const char *what = per_us == 1 ? "microseconds" : "cycles";
    uint64_t up, step, number = 0;
    char *digits;

    assert(unit != NULL && per_us > 0);
    digits = talloc_strndup(context, node->text, strspn(node->text, DIGITS));
    assert(digits != NULL);
    up = unit->ns * per_us; /* at most 10^9 times a processor's megahertz */
    step = NS_PER_US / gcd(up, NS_PER_US);
    if (!plain_word_number(digits, &number) ||
        (number % step == 0 && !scale(number, up, NS_PER_US, count))) {
        return talloc_asprintf(
            context, "%s is more %s than 64 bits hold", node->text, what);
    }
    if (number % step != 0) {
        char *at = per_us == 1 ? talloc_strdup(context, "")
                               : talloc_asprintf(
                                     context, " at %" PRIu64 " MHz", per_us);

        return talloc_asprintf(context,
            "%s is no whole number of %s%s: write a multiple of %" PRIu64 "%s",
            node->text, what, at, step, unit->name);
    }
    return NULL;
}

uint64_t duration_of_parameter(const char *name)
{
    return strcmp(name, "MicroSeconds") == 0 ? 1 : 0;
}

bool duration_read(const struct schema *schema, const struct node *node,
    uint64_t per_us, uint64_t low, uint64_t high, uint64_t *count)
{
    uint64_t found = 0;
    char *why;

    if (duration_is_meant(node)) {
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, node, "'%s' is no time", node->text);
        diagnostics_hint(schema->diagnostics, "%s", duration_hint(node));
        return false;
    }
    if (!duration_is(node)) {
        return schema_number(schema, node, low, high, count);
    }
    why = duration_count(schema->diagnostics, node, per_us, &found);
    if (why != NULL) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node, "%s", why);
        return false;
    }
    if (found < low || found > high) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "%s is %" PRIu64 " %s, not from %" PRIu64 " to %" PRIu64,
            node->text, found, per_us == 1 ? "microseconds" : "cycles", low,
            high);
        return false;
    }
    *count = found;
    return true;
}

bool duration_read_key(const struct schema *schema, enum mapping mapping,
    const char *key, const struct node *node, uint64_t per_us, uint64_t *count)
{
    const struct key_row *row = key_find(mapping, key);

    assert(row != NULL && row->form->shape == SHAPE_CYCLES);
    return duration_read(
        schema, node, per_us, row->form->low, row->form->high, count);
}
