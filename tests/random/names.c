/* names.c - the names of random programs, and a comparison that knows their
 * letters and no others. */
#include "tests/random/names.h"

#include <stddef.h>
#include <string.h>

const char *const name_sets[NAME_SETS] = {
    "Waves", "wAVES", "Tides", "\303\234ber", "\303\274BER", "Waves 2"};

const char name_blank[] = "  ";

const char *const name_created[NAME_CREATED] = {
    "lake", "LAKE", "Lake two", "", "\303\211t\303\251", "sea", "lakes"};

const char *const name_added[NAME_ADDED] = {
    "pond", "Pond", "pond*", "river 1", "\316\233\316\261", "a", "riverbed"};

const char *const name_patterns[NAME_PATTERNS] = {"*", "lake", "LAK*", "?ake",
    "*a*", "????", "", "**", "\303\251T\303\211", "*\316\273*", "p?nd", "*e?",
    "l*e*o", "river*?", "s??", "*two"};

/* One character: ASCII, or two bytes of UTF-8, in capitals. */
static unsigned next(const char **text)
{
    static const struct {
        const char *small, *capital;
    } letters[] = {
        {"\303\274", "\303\234"},
        {"\303\251", "\303\211"},
        {"\316\273", "\316\233"},
        {"\316\261", "\316\221"},
    };
    const unsigned char *at = (const unsigned char *)*text;
    unsigned character = at[0];

    if (character < 0x80) {
        ++*text;
        return character >= 'a' && character <= 'z' ? character - ('a' - 'A')
                                                    : character;
    }
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
        if (memcmp(at, letters[i].small, 2) == 0) {
            at = (const unsigned char *)letters[i].capital;
        }
    }
    *text += 2;
    return (unsigned)at[0] << 8 | at[1];
}

bool names_equal(const char *one, const char *other)
{
    while (*one != '\0' && *other != '\0') {
        if (next(&one) != next(&other)) {
            return false;
        }
    }
    return *one == *other;
}

bool names_match(const char *pattern, const char *name)
{
    if (*pattern == '\0') {
        return *name == '\0';
    }
    if (*pattern == '*') {
        const char *rest = name;

        if (names_match(pattern + 1, name)) {
            return true;
        }
        if (*name == '\0') {
            return false;
        }
        next(&rest);
        return names_match(pattern, rest);
    }
    if (*name == '\0') {
        return false;
    }
    if (*pattern == '?') {
        next(&name);
        return names_match(pattern + 1, name);
    }
    return next(&pattern) == next(&name) && names_match(pattern, name);
}
