/* test_pcw_text.c - names without case, wildcards, UTF-8 (PCW-REG-08a,
 * PCW-CRE-03a, PCW-TYPE-05). */
#include "api/pcw/text.h"

#include <stdlib.h>
#include <string.h>

#include "tests/rows.h"

enum { TEXT_MAX = 16 };

/* Text of a literal: u"...". */
#define TEXT(literal)                                                          \
    {                                                                          \
        (const uint16_t *)(literal), sizeof(literal) / sizeof(uint16_t) - 1    \
    }

/* Halves of pairs that stand alone. */
static const uint16_t lone_high[] = {'a', 0xD801, 'b'};
static const uint16_t lone_high_at_end[] = {'a', 0xD801};
static const uint16_t lone_low[] = {0xDC28, 'b'};
static const uint16_t swapped[] = {0xDC28, 0xD801};

static struct equal_row {
    const char *name;
    struct pcw_text left, right;
    bool want;
} equal_rows[] = {
    {"empty_equals_empty", TEXT(u""), TEXT(u""), true},
    {"empty_is_no_text", TEXT(u""), TEXT(u"a"), false},
    {"case_is_ignored", TEXT(u"Geometric Wave"), TEXT(u"gEOMETRIC wAVE"), true},
    {"last_differs", TEXT(u"wave1"), TEXT(u"wave2"), false},
    {"first_differs", TEXT(u"1wave"), TEXT(u"2wave"), false},
    {"one_is_longer", TEXT(u"wave"), TEXT(u"waves"), false},
    {"accents_count", TEXT(u"e"), TEXT(u"\u00E9"), false},
    {"accent_case", TEXT(u"\u00E9"), TEXT(u"\u00C9"), true},
    {"sigmas", TEXT(u"\u03C3\u03C2"), TEXT(u"\u03A3\u03A3"), true},
    {"sharp_s_is_not_ss", TEXT(u"stra\u00DFe"), TEXT(u"STRASSE"), false},
    {"ligature_is_not_fi", TEXT(u"\uFB01"), TEXT(u"FI"), false},
    {"behind_a_nul", TEXT(u"a\0b"), TEXT(u"a\0c"), false},
    {"pairs_have_no_case", TEXT(u"\U00010428"), TEXT(u"\U00010400"), false},
    {"same_pairs", TEXT(u"\U00010428"), TEXT(u"\U00010428"), true},
    {"a_star_is_a_star", TEXT(u"a"), TEXT(u"*"), false},
};

static struct order_row {
    const char *name;
    struct pcw_text left, right;
    int want;
} order_rows[] = {
    {"empty_is_level_with_empty", TEXT(u""), TEXT(u""), 0},
    {"case_makes_no_order", TEXT(u"Wave"), TEXT(u"wAVE"), 0},
    {"first_unit_decides", TEXT(u"bA"), TEXT(u"aZ"), 1},
    {"upper_case_decides", TEXT(u"_"), TEXT(u"a"), 1},
    {"shorter_is_before", TEXT(u"wave"), TEXT(u"waves"), -1},
};

static void order_row(void **state)
{
    const struct order_row *row = *state;

    assert_int_equal(pcw_text_compare(row->left, row->right), row->want);
    assert_int_equal(pcw_text_compare(row->right, row->left), -row->want);
}

static void equal(void **state)
{
    const struct equal_row *row = *state;
    uint32_t left = pcw_text_hash(row->left);
    uint32_t right = pcw_text_hash(row->right);

    assert_int_equal(pcw_text_equal(row->left, row->right), row->want);
    assert_int_equal(pcw_text_equal(row->right, row->left), row->want);
    assert_int_not_equal(left, 0);
    assert_int_not_equal(right, 0);
    /* Of the texts here none that differ have the same by chance. */
    assert_int_equal(left == right, row->want);
}

static const uint16_t disk_and_more[] = u"disk* disk?";

static struct match_row {
    const char *name;
    struct pcw_text text, mask;
    bool want;
} match_rows[] = {
    {"empty_mask_matches_empty", TEXT(u""), TEXT(u""), true},
    {"empty_mask_matches_nothing_else", TEXT(u"a"), TEXT(u""), false},
    {"star_matches_empty", TEXT(u""), TEXT(u"*"), true},
    {"stars_match_empty", TEXT(u""), TEXT(u"***"), true},
    {"question_mark_needs_one", TEXT(u""), TEXT(u"?"), false},
    {"star_matches_all", TEXT(u"anything at all"), TEXT(u"*"), true},
    {"no_wildcard", TEXT(u"default"), TEXT(u"DEFAULT"), true},
    {"no_wildcard_but_longer", TEXT(u"default2"), TEXT(u"default"), false},
    {"no_wildcard_but_shorter", TEXT(u"defaul"), TEXT(u"default"), false},
    {"beginning", TEXT(u"disk 0"), TEXT(u"disk*"), true},
    {"beginning_alone", TEXT(u"disk"), TEXT(u"disk*"), true},
    {"another_beginning", TEXT(u"my disk"), TEXT(u"disk*"), false},
    {"end", TEXT(u"0 disk"), TEXT(u"*DISK"), true},
    {"end_comes_twice", TEXT(u"disk disk"), TEXT(u"*disk"), true},
    {"end_has_more_behind", TEXT(u"0 disk 0"), TEXT(u"*disk"), false},
    {"middle", TEXT(u"a disk 0"), TEXT(u"*disk*"), true},
    {"begin_and_end_may_not_share", TEXT(u"aba"), TEXT(u"ab*ba"), false},
    {"begin_and_end_may_touch", TEXT(u"abba"), TEXT(u"ab*ba"), true},
    {"question_mark_is_one", TEXT(u"a1c"), TEXT(u"a?c"), true},
    {"question_mark_is_not_none", TEXT(u"ac"), TEXT(u"a?c"), false},
    {"question_mark_is_not_two", TEXT(u"a12c"), TEXT(u"a?c"), false},
    {"question_marks_and_star", TEXT(u"ab"), TEXT(u"??*"), true},
    {"question_marks_and_star_need_two", TEXT(u"a"), TEXT(u"?*?"), false},
    {"question_mark_is_half_a_pair", TEXT(u"\U00010428"), TEXT(u"?"), false},
    {"two_question_marks_are_a_pair", TEXT(u"\U00010428"), TEXT(u"??"), true},
    {"question_mark_is_a_lone_half", {lone_low, 1}, TEXT(u"?"), true},
    {"last_star_goes_on", TEXT(u"abcabd"), TEXT(u"*abd"), true},
    {"star_behind_star_goes_on", TEXT(u"xaybzb"), TEXT(u"*a*b"), true},
    {"wildcards_of_the_text_are_text", TEXT(u"*"), TEXT(u"a"), false},
    {"star_in_the_text", TEXT(u"a*b"), TEXT(u"a?b"), true},
    {"brackets_are_text", TEXT(u"a"), TEXT(u"[a]"), false},
    {"dot_is_text", TEXT(u"ab"), TEXT(u"a*.*"), false},
    {"mask_ends_before_a_star", TEXT(u"disk 0"), {disk_and_more, 4}, false},
    {"mask_ends_before_a_question_mark", TEXT(u"disk 0"),
        {disk_and_more + 6, 4}, false},
    {"all_of_a_mask_before_a_star", TEXT(u"disk"), {disk_and_more, 4}, true},
    {"case_behind_a_star", TEXT(u"x\u00E9"), TEXT(u"*\u00C9"), true},
};

static void match(void **state)
{
    const struct match_row *row = *state;

    assert_int_equal(pcw_text_matches(row->text, row->mask), row->want);
}

static struct shown_row {
    const char *name;
    struct pcw_text text;
    const char *want, *want_shown;
} shown_rows[] = {
    {"shown_as_it_is", TEXT(u"Disk \u00E9 0"), "Disk \u00E9 0",
        "Disk \u00E9 0"},
    {"quotation_mark_is_shown_as_a_dot", TEXT(u"a\"b"), "a\"b", "a.b"},
    {"control_character_is_shown_as_a_dot", TEXT(u"a\nb\x7F"), "a\nb\x7F",
        "a.b."},
    {"second_control_characters_too", TEXT(u"\x9B\x33\x31m"),
        "\xC2\x9B\x33\x31m", ".31m"},
    {"turn_of_direction_too", TEXT(u"a\u202Eb"), "a\u202Eb", "a.b"},
    {"end_of_a_line_too", TEXT(u"a\u2028b"), "a\u2028b", "a.b"},
    {"nul_is_another", TEXT(u"a\0b"), "a\uFFFDb", "a.b"},
    {"lone_half_is_another", {lone_low, 1}, "\uFFFD", "\uFFFD"},
};

static void shown(void **state)
{
    const struct shown_row *row = *state;
    char text[40];

    pcw_text_utf8(row->text, text, sizeof(text));
    assert_string_equal(text, row->want);
    pcw_text_shown(row->text, text, sizeof(text));
    assert_string_equal(text, row->want_shown);
}

/* *a*a*...*b of a text without b: one that goes back to every star would not
 * end in a lifetime. */
static void a_mask_of_500_stars_ends(void **state)
{
    static uint16_t text[4000];
    static uint16_t mask[1001];

    (void)state;
    for (size_t i = 0; i < 4000; i++) {
        text[i] = 'a';
    }
    for (size_t i = 0; i < 1000; i++) {
        mask[i] = i % 2 == 0 ? '*' : 'a';
    }
    mask[1000] = 'b';
    assert_false(pcw_text_matches(
        (struct pcw_text){text, 4000}, (struct pcw_text){mask, 1001}));
    text[3999] = 'B';
    assert_true(pcw_text_matches(
        (struct pcw_text){text, 4000}, (struct pcw_text){mask, 1001}));
}

/* What a mask means, word by word. */
static bool naive_match(struct pcw_text text, struct pcw_text mask)
{
    struct pcw_text next = {text.at + 1, text.length - 1};
    struct pcw_text rest = {mask.at + 1, mask.length - 1};

    if (mask.length == 0) {
        return text.length == 0;
    }
    if (mask.at[0] == '*') {
        return naive_match(text, rest) ||
               (text.length != 0 && naive_match(next, mask));
    }
    return text.length != 0 &&
           (mask.at[0] == '?' || (mask.at[0] | 0x20) == (text.at[0] | 0x20)) &&
           naive_match(next, rest);
}

static uint32_t random_next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static size_t random_text(
    uint32_t *seed, const char *letters, size_t most, uint16_t *text)
{
    size_t length = random_next(seed) % (most + 1);

    for (size_t i = 0; i < length; i++) {
        text[i] = (uint16_t)letters[random_next(seed) % strlen(letters)];
    }
    return length;
}

static void random_masks_mean_what_they_say(void **state)
{
    uint32_t seed = 20260801;
    size_t matched = 0;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        uint16_t units[TEXT_MAX + 1], masks[TEXT_MAX + 1];
        struct pcw_text text = {units, random_text(&seed, "aAb", 9, units)};
        struct pcw_text mask = {masks, random_text(&seed, "abB?**", 7, masks)};
        bool want = naive_match(text, mask);

        if (pcw_text_matches(text, mask) != want) {
            fail_msg("round %d", round);
        }
        matched += want;
    }
    /* Neither always nor never. */
    assert_in_range(matched, 20000, 180000);
}

static struct utf8_row {
    const char *name;
    struct pcw_text text;
    size_t size;
    const char *want;
} utf8_rows[] = {
    {"empty", TEXT(u""), 1, ""},
    {"ascii", TEXT(u"wave"), 5, "wave"},
    {"ascii_cut", TEXT(u"wave"), 4, "wav"},
    {"only_the_nul_fits", TEXT(u"wave"), 1, ""},
    {"two_bytes", TEXT(u"\u00E9"), 3, "\xC3\xA9"},
    {"two_bytes_do_not_fit", TEXT(u"a\u00E9z"), 3, "a"},
    {"three_bytes", TEXT(u"\u4E00"), 4, "\xE4\xB8\x80"},
    {"three_bytes_do_not_fit", TEXT(u"\u4E00"), 3, ""},
    {"pair", TEXT(u"\U00010428"), 5, "\xF0\x90\x90\xA8"},
    {"pair_does_not_fit", TEXT(u"\U00010428"), 4, ""},
    {"lone_high_half", {lone_high, 3}, 16,
        "a\xEF\xBF\xBD"
        "b"},
    {"lone_high_half_at_the_end", {lone_high_at_end, 2}, 16, "a\xEF\xBF\xBD"},
    {"lone_low_half", {lone_low, 2}, 16,
        "\xEF\xBF\xBD"
        "b"},
    {"swapped_halves", {swapped, 2}, 16, "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"nul_does_not_end_it", TEXT(u"a\0b"), 16,
        "a\xEF\xBF\xBD"
        "b"},
    {"replacement_does_not_fit", {lone_low, 2}, 3, ""},
    {"last_of_the_bmp", TEXT(u"\uFFFF"), 16, "\xEF\xBF\xBF"},
};

static void utf8(void **state)
{
    const struct utf8_row *row = *state;
    char *got = malloc(row->size); /* exact, so that no byte more is touched */

    assert_non_null(got);
    memset(got, 'x', row->size);
    pcw_text_utf8(row->text, got, row->size);

    assert_string_equal(got, row->want);
    free(got);
}

/* FNV-1a of W, A, V, E, each a unit of its own; both halves of it by exclusive
 * or. */
static void hash_is_the_same_for_ever(void **state)
{
    struct pcw_text text = TEXT(u"Wave");

    (void)state;
    assert_int_equal(pcw_text_hash(text), 0x5454BF36);
}

TEST_FILE(test_pcw_text)
{
    TEST_ADD_ROWS(list, order_row, order_rows);
    TEST_ADD_ROWS(list, equal, equal_rows);
    test_add(
        list, "hash_is_the_same_for_ever", hash_is_the_same_for_ever, NULL);
    TEST_ADD_ROWS(list, match, match_rows);
    TEST_ADD_ROWS(list, shown, shown_rows);
    test_add(list, "a_mask_of_500_stars_ends", a_mask_of_500_stars_ends, NULL);
    test_add(list, "random_masks_mean_what_they_say",
        random_masks_mean_what_they_say, NULL);
    TEST_ADD_ROWS(list, utf8, utf8_rows);
}
