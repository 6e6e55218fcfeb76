/* string_compare.c - RtlCompareUnicodeString, RtlEqualUnicodeString,
 * RtlPrefixUnicodeString and their kin, and RtlHashUnicodeString. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/code_page.h"
#include "api/rtl/units.h"
#include "api/text/character.h"

/* Two texts of characters of the same size. */
struct pair {
    struct units first, second;
    bool fold; /* by their upper-case forms */
};

static struct pair read_pair(enum routine routine, const void *first,
    const void *second, enum unit unit, BOOLEAN fold)
{
    struct kernel *kernel = kernel_current();

    return (struct pair){units_of_string(kernel, routine, first, unit),
        units_of_string(kernel, routine, second, unit), fold != 0};
}

static WCHAR folded(const struct pair *pair, const struct units *text, size_t i)
{
    WCHAR c = units_at(text, i);

    if (!pair->fold) {
        return c;
    }
    return text->unit == UNIT_WIDE ? character_upper(c)
                                   : code_page_upper((uint8_t)c);
}

/* How the characters that both have compare: below, at or above 0. */
static LONG compare_common(const struct pair *pair)
{
    size_t common = pair->first.length < pair->second.length
                        ? pair->first.length
                        : pair->second.length;

    for (size_t i = 0; i < common; i++) {
        LONG a = folded(pair, &pair->first, i);
        LONG b = folded(pair, &pair->second, i);

        if (a != b) {
            return a < b ? -1 : 1;
        }
    }
    return 0;
}

/* Of two that begin alike the shorter one is below. */
static LONG compare(const struct pair *pair)
{
    LONG order = compare_common(pair);

    if (order != 0 || pair->first.length == pair->second.length) {
        return order;
    }
    return pair->first.length < pair->second.length ? -1 : 1;
}

LONG RtlCompareUnicodeString_body(
    PCUNICODE_STRING String1, PCUNICODE_STRING String2, BOOLEAN CaseInSensitive)
{
    const struct pair pair = read_pair(ROUTINE_RtlCompareUnicodeString, String1,
        String2, UNIT_WIDE, CaseInSensitive);

    return compare(&pair);
}

LONG RtlCompareString_body(
    PSTRING String1, PSTRING String2, BOOLEAN CaseInSensitive)
{
    const struct pair pair = read_pair(ROUTINE_RtlCompareString, String1,
        String2, UNIT_NARROW, CaseInSensitive);

    return compare(&pair);
}

/* Different lengths are enough: then nobody reads the characters. */
static BOOLEAN equal(enum routine routine, const void *first,
    const void *second, enum unit unit, BOOLEAN fold)
{
    struct kernel *kernel = kernel_current();
    STRING lengths[2];
    struct pair pair;

    copy_in(kernel, routine, &lengths[0], first, sizeof(lengths[0]));
    copy_in(kernel, routine, &lengths[1], second, sizeof(lengths[1]));
    if (lengths[0].Length != lengths[1].Length) {
        return 0;
    }
    pair = read_pair(routine, first, second, unit, fold);
    return compare_common(&pair) == 0;
}

BOOLEAN RtlEqualUnicodeString_body(
    PCUNICODE_STRING String1, PCUNICODE_STRING String2, BOOLEAN CaseInSensitive)
{
    return equal(ROUTINE_RtlEqualUnicodeString, String1, String2, UNIT_WIDE,
        CaseInSensitive);
}

BOOLEAN RtlEqualString_body(
    PSTRING String1, PSTRING String2, BOOLEAN CaseInSensitive)
{
    return equal(
        ROUTINE_RtlEqualString, String1, String2, UNIT_NARROW, CaseInSensitive);
}

BOOLEAN RtlPrefixUnicodeString_body(
    PCUNICODE_STRING String1, PCUNICODE_STRING String2, BOOLEAN CaseInSensitive)
{
    const struct pair pair = read_pair(ROUTINE_RtlPrefixUnicodeString, String1,
        String2, UNIT_WIDE, CaseInSensitive);

    return pair.first.length <= pair.second.length &&
           compare_common(&pair) == 0;
}

enum { HASH_DEFAULT = 0, HASH_X65599 = 1, HASH_FACTOR = 65599 };

NTSTATUS RtlHashUnicodeString_body(PCUNICODE_STRING String,
    BOOLEAN CaseInSensitive, ULONG HashAlgorithm, PULONG HashValue)
{
    enum routine routine = ROUTINE_RtlHashUnicodeString;
    struct kernel *kernel = kernel_current();
    struct units text;
    ULONG hash = 0;

    if (String == NULL || HashValue == NULL ||
        (HashAlgorithm != HASH_DEFAULT && HashAlgorithm != HASH_X65599)) {
        return STATUS_INVALID_PARAMETER;
    }
    text = units_of_string(kernel, routine, String, UNIT_WIDE);
    for (size_t i = 0; i < text.length; i++) {
        WCHAR c = units_at(&text, i);

        hash = hash * HASH_FACTOR +
               (CaseInSensitive != 0 ? character_upper(c) : c);
    }
    copy_out(kernel, routine, HashValue, &hash, sizeof(hash));
    return STATUS_SUCCESS;
}
