/* c_text.c - what ntoskrnl exports of the C library for texts that end with a
 * NUL: strlen, strcpy, strstr, their like for UTF-16, and _stricmp and its kin.
 * Characters are touched one after another, none behind the last that counts;
 * there is no locale (RTL-40b [C]). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/units.h"

/* A text of a driver's, read by one of the routines. */
struct text {
    enum routine routine;
    enum unit unit;
    const uint8_t *at;
};

static WCHAR get(const struct text *text, size_t i)
{
    const void *at = units_behind(text->at, i * text->unit);

    copy_probe(kernel_current(), text->routine, at, text->unit, false);
    return units_get(at, text->unit, 0);
}

static WCHAR lower(WCHAR c)
{
    return (WCHAR)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static WCHAR upper(WCHAR c)
{
    return (WCHAR)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static SIZE_T length_of(
    enum routine routine, enum unit unit, const void *at, SIZE_T most)
{
    return copy_text_length(kernel_current(), routine, at, unit, most);
}

/* Below, at or above 0, of at most so many characters. */
static LONG compare(
    const struct text *first, const struct text *second, SIZE_T most, bool fold)
{
    for (SIZE_T i = 0; i < most; i++) {
        WCHAR a = get(first, i), b = get(second, i);

        if (fold) {
            a = lower(a);
            b = lower(b);
        }
        if (a != b) {
            return a < b ? -1 : 1;
        }
        if (a == 0) {
            break;
        }
    }
    return 0;
}

static PVOID address_of(const struct text *text, SIZE_T i)
{
    return units_behind(text->at, i * text->unit);
}

/* The first one, or the last; the NUL can be looked for, too. */
static PVOID find(const struct text *text, WCHAR wanted, bool last)
{
    PVOID found = NULL;
    WCHAR c;

    for (SIZE_T i = 0;; i++) {
        c = get(text, i);
        if (c == wanted) {
            found = address_of(text, i);
        }
        if (c == 0 || (found != NULL && !last)) {
            return found;
        }
    }
}

/* Where the other text begins in this one. */
static PVOID find_text(const struct text *text, const struct text *wanted)
{
    for (SIZE_T i = 0;; i++) {
        SIZE_T same = 0;
        WCHAR c;

        while ((c = get(wanted, same)) != 0 && get(text, i + same) == c) {
            same++;
        }
        if (c == 0) {
            return address_of(text, i);
        }
        if (get(text, i + same) == 0) {
            return NULL;
        }
    }
}

/* As many characters as the source has, `most` of them, to a place in a
 * driver's text; then a NUL, if it `ends`. */
static void put(const struct text *source, void *to, SIZE_T most, bool ends)
{
    static const WCHAR nul = 0;
    struct kernel *kernel = kernel_current();
    SIZE_T bytes = length_of(source->routine, source->unit, source->at, most) *
                   source->unit;

    copy_probe(
        kernel, source->routine, to, bytes + (ends ? source->unit : 0U), true);
    copy_move(kernel, source->routine, to, source->at, bytes);
    if (ends) {
        copy_out(
            kernel, source->routine, (uint8_t *)to + bytes, &nul, source->unit);
    }
}

static PVOID copy(const struct text *source, PVOID to)
{
    put(source, to, SIZE_MAX, true);
    return to;
}

/* NULs behind it fill what is left of `count` characters. */
static PVOID copy_counted(const struct text *source, PVOID to, SIZE_T count)
{
    struct kernel *kernel = kernel_current();
    SIZE_T length = length_of(source->routine, source->unit, source->at, count);
    SIZE_T left = (count - length) * source->unit;
    void *behind = units_behind(to, length * source->unit);

    put(source, to, count, false);
    copy_probe(kernel, source->routine, behind, left, true);
    if (left > 0) {
        memset(behind, 0, left);
    }
    return to;
}

static PVOID append(const struct text *source, PVOID to, SIZE_T most)
{
    SIZE_T length = length_of(source->routine, source->unit, to, SIZE_MAX);

    put(source, units_behind(to, length * source->unit), most, true);
    return to;
}

/* In place. */
static PVOID change_case(const struct text *text, WCHAR (*fold)(WCHAR c))
{
    struct kernel *kernel = kernel_current();
    WCHAR c;

    for (SIZE_T i = 0; (c = get(text, i)) != 0; i++) {
        WCHAR changed = fold(c);

        if (changed != c) {
            copy_out(kernel, text->routine, address_of(text, i), &changed,
                text->unit);
        }
    }
    return address_of(text, 0);
}

/* clang-format off */
#define TEXT(name, size, start) &(struct text){ROUTINE_##name, size, (const uint8_t *)(start)}
/* clang-format on */

SIZE_T crt_strlen_body(PCSTR String)
{
    return length_of(ROUTINE_crt_strlen, UNIT_NARROW, String, SIZE_MAX);
}

SIZE_T crt_strnlen_body(PCSTR String, SIZE_T Count)
{
    return length_of(ROUTINE_crt_strnlen, UNIT_NARROW, String, Count);
}

LONG crt_strcmp_body(PCSTR String1, PCSTR String2)
{
    return compare(TEXT(crt_strcmp, UNIT_NARROW, String1),
        TEXT(crt_strcmp, UNIT_NARROW, String2), SIZE_MAX, false);
}

LONG crt_strncmp_body(PCSTR String1, PCSTR String2, SIZE_T Count)
{
    return compare(TEXT(crt_strncmp, UNIT_NARROW, String1),
        TEXT(crt_strncmp, UNIT_NARROW, String2), Count, false);
}

LONG _stricmp_body(PCSTR String1, PCSTR String2)
{
    return compare(TEXT(_stricmp, UNIT_NARROW, String1),
        TEXT(_stricmp, UNIT_NARROW, String2), SIZE_MAX, true);
}

LONG _strnicmp_body(PCSTR String1, PCSTR String2, SIZE_T Count)
{
    return compare(TEXT(_strnicmp, UNIT_NARROW, String1),
        TEXT(_strnicmp, UNIT_NARROW, String2), Count, true);
}

PVOID crt_strcpy_body(PVOID Destination, PCSTR Source)
{
    return copy(TEXT(crt_strcpy, UNIT_NARROW, Source), Destination);
}

PVOID crt_strncpy_body(PVOID Destination, PCSTR Source, SIZE_T Count)
{
    return copy_counted(
        TEXT(crt_strncpy, UNIT_NARROW, Source), Destination, Count);
}

PVOID crt_strcat_body(PVOID Destination, PCSTR Source)
{
    return append(TEXT(crt_strcat, UNIT_NARROW, Source), Destination, SIZE_MAX);
}

PVOID crt_strncat_body(PVOID Destination, PCSTR Source, SIZE_T Count)
{
    return append(TEXT(crt_strncat, UNIT_NARROW, Source), Destination, Count);
}

PVOID crt_strchr_body(PCSTR String, LONG Character)
{
    return find(
        TEXT(crt_strchr, UNIT_NARROW, String), (uint8_t)Character, false);
}

PVOID crt_strrchr_body(PCSTR String, LONG Character)
{
    return find(
        TEXT(crt_strrchr, UNIT_NARROW, String), (uint8_t)Character, true);
}

PVOID crt_strstr_body(PCSTR String, PCSTR SubString)
{
    return find_text(TEXT(crt_strstr, UNIT_NARROW, String),
        TEXT(crt_strstr, UNIT_NARROW, SubString));
}

PVOID _strupr_body(PVOID String)
{
    return change_case(TEXT(_strupr, UNIT_NARROW, String), upper);
}

PVOID _strlwr_body(PVOID String)
{
    return change_case(TEXT(_strlwr, UNIT_NARROW, String), lower);
}

SIZE_T crt_wcslen_body(PCWSTR String)
{
    return length_of(ROUTINE_crt_wcslen, UNIT_WIDE, String, SIZE_MAX);
}

SIZE_T crt_wcsnlen_body(PCWSTR String, SIZE_T Count)
{
    return length_of(ROUTINE_crt_wcsnlen, UNIT_WIDE, String, Count);
}

LONG crt_wcscmp_body(PCWSTR String1, PCWSTR String2)
{
    return compare(TEXT(crt_wcscmp, UNIT_WIDE, String1),
        TEXT(crt_wcscmp, UNIT_WIDE, String2), SIZE_MAX, false);
}

LONG crt_wcsncmp_body(PCWSTR String1, PCWSTR String2, SIZE_T Count)
{
    return compare(TEXT(crt_wcsncmp, UNIT_WIDE, String1),
        TEXT(crt_wcsncmp, UNIT_WIDE, String2), Count, false);
}

LONG _wcsicmp_body(PCWSTR String1, PCWSTR String2)
{
    return compare(TEXT(_wcsicmp, UNIT_WIDE, String1),
        TEXT(_wcsicmp, UNIT_WIDE, String2), SIZE_MAX, true);
}

LONG _wcsnicmp_body(PCWSTR String1, PCWSTR String2, SIZE_T Count)
{
    return compare(TEXT(_wcsnicmp, UNIT_WIDE, String1),
        TEXT(_wcsnicmp, UNIT_WIDE, String2), Count, true);
}

PVOID crt_wcscpy_body(PVOID Destination, PCWSTR Source)
{
    return copy(TEXT(crt_wcscpy, UNIT_WIDE, Source), Destination);
}

PVOID crt_wcsncpy_body(PVOID Destination, PCWSTR Source, SIZE_T Count)
{
    return copy_counted(
        TEXT(crt_wcsncpy, UNIT_WIDE, Source), Destination, Count);
}

PVOID crt_wcscat_body(PVOID Destination, PCWSTR Source)
{
    return append(TEXT(crt_wcscat, UNIT_WIDE, Source), Destination, SIZE_MAX);
}

PVOID crt_wcsncat_body(PVOID Destination, PCWSTR Source, SIZE_T Count)
{
    return append(TEXT(crt_wcsncat, UNIT_WIDE, Source), Destination, Count);
}

PVOID crt_wcschr_body(PCWSTR String, WCHAR Character)
{
    return find(TEXT(crt_wcschr, UNIT_WIDE, String), Character, false);
}

PVOID crt_wcsrchr_body(PCWSTR String, WCHAR Character)
{
    return find(TEXT(crt_wcsrchr, UNIT_WIDE, String), Character, true);
}

PVOID crt_wcsstr_body(PCWSTR String, PCWSTR SubString)
{
    return find_text(TEXT(crt_wcsstr, UNIT_WIDE, String),
        TEXT(crt_wcsstr, UNIT_WIDE, SubString));
}

PVOID _wcsupr_body(PVOID String)
{
    return change_case(TEXT(_wcsupr, UNIT_WIDE, String), upper);
}

PVOID _wcslwr_body(PVOID String)
{
    return change_case(TEXT(_wcslwr, UNIT_WIDE, String), lower);
}

LONG crt_tolower_body(LONG Character)
{
    return Character >= 0 && Character <= UINT8_MAX ? lower((WCHAR)Character)
                                                    : Character;
}

LONG crt_toupper_body(LONG Character)
{
    return Character >= 0 && Character <= UINT8_MAX ? upper((WCHAR)Character)
                                                    : Character;
}

WCHAR crt_towlower_body(WCHAR Character)
{
    return lower(Character);
}

WCHAR crt_towupper_body(WCHAR Character)
{
    return upper(Character);
}

PVOID crt_memchr_body(PVOID Buffer, LONG Character, SIZE_T Count)
{
    const struct text text = {ROUTINE_crt_memchr, UNIT_NARROW, Buffer};

    for (SIZE_T i = 0; i < Count; i++) {
        if (get(&text, i) == (uint8_t)Character) {
            return address_of(&text, i);
        }
    }
    return NULL;
}

LONG crt_atoi_body(PCSTR String)
{
    const struct text text = {
        ROUTINE_crt_atoi, UNIT_NARROW, (const uint8_t *)String};
    uint32_t number = 0; /* what does not fit is cut [C] */
    bool negative;
    SIZE_T i = 0;

    while (get(&text, i) == ' ' ||
           (get(&text, i) >= '\t' && get(&text, i) <= '\r')) {
        i++;
    }
    negative = get(&text, i) == '-';
    i += negative || get(&text, i) == '+';
    for (; get(&text, i) >= '0' && get(&text, i) <= '9'; i++) {
        number = number * 10 + (get(&text, i) - '0');
    }
    return (LONG)(negative ? 0 - number : number);
}
