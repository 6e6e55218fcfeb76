/* bit_names.c - bits by number, and those of registers by the names of
 * bit_names.def, as a difference shows them. */
#include "scenarios/runner/language/bit_names.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <talloc.h>

#include "sim/base/bits.h"

enum { BITS_SHOWN = 8 };

static const struct run {
    const char *of;
    unsigned first, last;
    const char *name;
} runs[] = {
#define BITS(of, first, last, name) {#of, first, last, name},
#include "scenarios/runner/language/bit_names.def"
};

/* IA32_PERFEVTSEL0 is one of IA32_PERFEVTSEL. */
static bool is_of(const struct run *run, const char *name)
{
    size_t length = strlen(run->of);

    return name != NULL && strncmp(name, run->of, length) == 0 &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

bool bit_names_has(const char *name)
{
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        if (is_of(&runs[i], name)) {
            return true;
        }
    }
    return false;
}

static const struct run *run_of(const char *name, unsigned n)
{
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        if (n >= runs[i].first && n <= runs[i].last && is_of(&runs[i], name)) {
            return &runs[i];
        }
    }
    return NULL;
}

static char *append_bit(char *text, const char *name, unsigned n)
{
    const struct run *run = run_of(name, n);

    text = talloc_asprintf_append_buffer(text, "%u", n);
    if (run == NULL) {
        return text;
    }
    if (run->first == run->last) {
        return talloc_asprintf_append_buffer(text, " (%s)", run->name);
    }
    return talloc_asprintf_append_buffer(
        text, " (%s%u)", run->name, n - run->first);
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
