/* bit_names.c - bits by number, and those of registers by the names of
 * bit_names.def, as a difference shows them. */
#include "scenarios/runner/language/bit_names.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <talloc.h>

#include "sim/base/bits.h"

enum { BITS_SHOWN = 8 };

/* How the bits of a run are told from each other. */
enum run_form { RUN_ALONE, RUN_NUMBERED, RUN_FIELD };

static const struct run {
    const char *of;
    unsigned first, last, stride;
    enum run_form form;
    const char *name, *behind;
} runs[] = {
#define BIT(of, at, name) {#of, at, at, 1, RUN_ALONE, name, ""},
#define BITS(of, first, last, name)                                            \
    {#of, first, last, 1, RUN_NUMBERED, name, ""},
#define FIELD(of, first, last, name) {#of, first, last, 1, RUN_FIELD, name, ""},
#define EVERY(of, first, last, stride, name, behind)                           \
    {#of, first, last, stride, RUN_NUMBERED, name, behind},
#include "scenarios/runner/language/bit_names.def"
};

static const struct same {
    const char *of, *as;
} sames[] = {
#define SAME(of, as) {#of, #as},
#include "scenarios/runner/language/bit_names.def"
};

/* IA32_PERFEVTSEL0 is one of IA32_PERFEVTSEL, PMEVTYPER0_EL0 of PMEVTYPER_EL0.
 */
static bool is_of(const char *of, const char *name)
{
    while (*name == *of && *of != '\0') {
        name++;
        of++;
    }
    name += strspn(name, "0123456789");
    return strcmp(name, of) == 0;
}

/* The register that has the bits of this one; NULL stays NULL. */
static const char *named_as(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof(sames) / sizeof(sames[0]);
         i++) {
        if (is_of(sames[i].of, name)) {
            return sames[i].as;
        }
    }
    return name;
}

const char *bit_names_register(const struct node *asked)
{
    const struct node *name = NULL;

    if (asked != NULL && asked->kind == NODE_MAPPING) {
        name = node_get(asked, "index");
        name = name != NULL ? name : node_get(asked, "register");
    }
    return name == NULL || name->kind != NODE_SCALAR ? NULL : name->text;
}

bool bit_names_has(const char *name)
{
    const char *as = named_as(name);

    for (size_t i = 0; as != NULL && i < sizeof(runs) / sizeof(runs[0]); i++) {
        if (is_of(runs[i].of, as)) {
            return true;
        }
    }
    return false;
}

static const struct run *run_of(const char *name, unsigned n)
{
    const char *as = named_as(name);

    for (size_t i = 0; as != NULL && i < sizeof(runs) / sizeof(runs[0]); i++) {
        if (n >= runs[i].first && n <= runs[i].last &&
            (n - runs[i].first) % runs[i].stride == 0 &&
            is_of(runs[i].of, as)) {
            return &runs[i];
        }
    }
    return NULL;
}

static char *append_bit(char *text, const char *name, unsigned n)
{
    const struct run *run = run_of(name, n);
    unsigned number;

    text = talloc_asprintf_append_buffer(text, "%u", n);
    if (run == NULL) {
        return text;
    }
    number = (n - run->first) / run->stride;
    switch (run->form) {
    case RUN_ALONE:
        return talloc_asprintf_append_buffer(text, " (%s)", run->name);
    case RUN_NUMBERED:
        return talloc_asprintf_append_buffer(
            text, " (%s%u%s)", run->name, number, run->behind);
    case RUN_FIELD:
        break;
    }
    return talloc_asprintf_append_buffer(text, " (%s[%u])", run->name, number);
}

char *bit_names_show(void *context, const char *name, uint64_t bits)
{
    char *text =
        talloc_strdup(context, (bits & (bits - 1)) == 0 ? "bit " : "bits ");
    unsigned shown = 0;

    assert(bits != 0);
    for (uint64_t left = bits; left != 0; left &= left - 1, shown++) {
        if (shown == BITS_SHOWN) {
            return talloc_asprintf_append_buffer(
                text, " and %d more", __builtin_popcountll(left));
        }
        text = talloc_strdup_append_buffer(text, shown == 0 ? "" : ", ");
        text = append_bit(text, name, bits_lowest(left));
    }
    return text;
}
