/* test_character.c - upper case, and what cannot be seen. */
#include "api/text/character.h"

#include "tests/rows.h"

static struct upper_row {
    const char *name;
    uint16_t unit, want;
} upper_rows[] = {
    {"nul", 0x0000, 0x0000},
    {"digit", '7', '7'},
    {"star", '*', '*'},
    {"small_a", 'a', 'A'},
    {"small_z", 'z', 'Z'},
    {"capital_a", 'A', 'A'},
    {"before_small_a", '`', '`'},
    {"behind_small_z", '{', '{'},
    {"e_acute", 0x00E9, 0x00C9},
    {"division_sign_has_no_case", 0x00F7, 0x00F7},
    {"sharp_s_has_no_single_capital", 0x00DF, 0x00DF},
    {"capital_sharp_s", 0x1E9E, 0x1E9E},
    {"y_diaeresis", 0x00FF, 0x0178},
    {"micro_sign_is_greek_mu", 0x00B5, 0x039C},
    {"dotless_i", 0x0131, 0x0049},
    {"capital_i_with_dot", 0x0130, 0x0130},
    {"long_s", 0x017F, 0x0053},
    {"dz_caron_title_case", 0x01C5, 0x01C4},
    {"dz_caron_small", 0x01C6, 0x01C4},
    {"sigma", 0x03C3, 0x03A3},
    {"final_sigma", 0x03C2, 0x03A3},
    {"cyrillic_a", 0x0430, 0x0410},
    {"georgian_an", 0x10D0, 0x1C90},
    {"cherokee_small_a", 0xAB70, 0x13A0},
    {"roman_numeral_one", 0x2170, 0x2160},
    {"circled_a", 0x24D0, 0x24B6},
    {"ligature_fi", 0xFB01, 0xFB01},
    {"fullwidth_a", 0xFF41, 0xFF21},
    {"cjk", 0x4E00, 0x4E00},
    {"first_high_half", 0xD800, 0xD800},
    {"high_half_of_deseret", 0xD801, 0xD801},
    {"low_half_of_small_deseret", 0xDC28, 0xDC28},
    {"last_low_half", 0xDFFF, 0xDFFF},
    {"last", 0xFFFF, 0xFFFF},
};

static void upper(void **state)
{
    const struct upper_row *row = *state;

    assert_int_equal(character_upper(row->unit), row->want);
}

/* What was folded stays as it is, and no half of a pair comes into being. */
static void folding_twice_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t unit = 0; unit <= 0xFFFF; unit++) {
        uint16_t once = character_upper((uint16_t)unit);

        assert_int_equal(character_upper(once), once);
        if (once >= 0xD800 && once <= 0xDFFF) {
            assert_int_equal(once, unit);
        }
    }
}

static struct kind_row {
    const char *name;
    uint32_t code;
    bool control, hidden;
} kind_rows[] = {
    {"letter_is_seen", 'a', false, false},
    {"space_is_seen", ' ', false, false},
    {"nul_is_a_control", 0x00, true, true},
    {"tab_is_a_control", '\t', true, true},
    {"delete_is_a_control", 0x7F, true, true},
    {"first_of_c1_is_a_control", 0x80, true, true},
    {"last_of_c1_is_a_control", 0x9F, true, true},
    {"no_break_space_is_seen", 0xA0, false, false},
    {"soft_hyphen_is_hidden", 0xAD, false, true},
    {"accent_that_combines_is_seen", 0x0301, false, false},
    {"space_of_no_width_is_hidden", 0x200B, false, true},
    {"line_separator_is_hidden", 0x2028, false, true},
    {"paragraph_separator_is_hidden", 0x2029, false, true},
    {"right_to_left_override_is_hidden", 0x202E, false, true},
    {"byte_order_mark_is_hidden", 0xFEFF, false, true},
    {"replacement_is_seen", 0xFFFD, false, false},
    {"emoji_is_seen", 0x1F600, false, false},
    {"tag_beyond_the_first_plane_is_hidden", 0xE0001, false, true},
};

static void kind(void **state)
{
    const struct kind_row *row = *state;

    assert_int_equal(character_is_control(row->code), row->control);
    assert_int_equal(character_is_hidden(row->code), row->hidden);
}

TEST_FILE(test_character)
{
    TEST_ADD_ROWS(list, upper, upper_rows);
    test_add(list, "folding_twice_changes_nothing",
        folding_twice_changes_nothing, NULL);
    TEST_ADD_ROWS(list, kind, kind_rows);
}
