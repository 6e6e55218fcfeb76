/* test_sddl.c - descriptors of devices as text (IO-10b, IO-10e). */
#include "api/driver_support/sddl.h"

#include <uchar.h>

#include "tests/rows.h"

enum { TERMS = 2 };

static struct sddl_row {
    const char *name;
    const char16_t *text;
    bool wrong;
    unsigned terms; /* that it has, or has before it is wrong */
    struct sddl_term want[TERMS];
} sddl_rows[] = {
    {"no_terms", u"D:P", false, 0, {{0, 0}}},
    {"right_ga", u"D:P(A;;GA;;;SY)", false, 1, {{0x10000000, SDDL_SY}}},
    {"right_gr", u"D:P(A;;GR;;;SY)", false, 1, {{0x80000000, SDDL_SY}}},
    {"right_gw", u"D:P(A;;GW;;;SY)", false, 1, {{0x40000000, SDDL_SY}}},
    {"right_gx", u"D:P(A;;GX;;;SY)", false, 1, {{0x20000000, SDDL_SY}}},
    {"right_rc", u"D:P(A;;RC;;;SY)", false, 1, {{0x20000, SDDL_SY}}},
    {"right_sd", u"D:P(A;;SD;;;SY)", false, 1, {{0x10000, SDDL_SY}}},
    {"right_wd", u"D:P(A;;WD;;;SY)", false, 1, {{0x40000, SDDL_SY}}},
    {"right_wo", u"D:P(A;;WO;;;SY)", false, 1, {{0x80000, SDDL_SY}}},
    {"sid_sy", u"D:P(A;;GA;;;SY)", false, 1, {{0x10000000, SDDL_SY}}},
    {"sid_ls", u"D:P(A;;GA;;;LS)", false, 1, {{0x10000000, SDDL_LS}}},
    {"sid_ns", u"D:P(A;;GA;;;NS)", false, 1, {{0x10000000, SDDL_NS}}},
    {"sid_ba", u"D:P(A;;GA;;;BA)", false, 1, {{0x10000000, SDDL_BA}}},
    {"sid_bu", u"D:P(A;;GA;;;BU)", false, 1, {{0x10000000, SDDL_BU}}},
    {"sid_bg", u"D:P(A;;GA;;;BG)", false, 1, {{0x10000000, SDDL_BG}}},
    {"sid_au", u"D:P(A;;GA;;;AU)", false, 1, {{0x10000000, SDDL_AU}}},
    {"sid_an", u"D:P(A;;GA;;;AN)", false, 1, {{0x10000000, SDDL_AN}}},
    {"sid_iu", u"D:P(A;;GA;;;IU)", false, 1, {{0x10000000, SDDL_IU}}},
    {"sid_nu", u"D:P(A;;GA;;;NU)", false, 1, {{0x10000000, SDDL_NU}}},
    {"sid_wd", u"D:P(A;;GA;;;WD)", false, 1, {{0x10000000, SDDL_WD}}},
    {"sid_rc", u"D:P(A;;GA;;;RC)", false, 1, {{0x10000000, SDDL_RC}}},
    {"sid_ud", u"D:P(A;;GA;;;UD)", false, 1, {{0x10000000, SDDL_UD}}},
    {"rights_add_up", u"D:P(A;;GRGWGR;;;BA)", false, 1,
        {{0xC0000000, SDDL_BA}}},
    {"number", u"D:P(A;;0x1f01Ff;;;BA)", false, 1, {{0x1F01FF, SDDL_BA}}},
    {"number_of_eight_digits", u"D:P(A;;0xFEDCBA98;;;BA)", false, 1,
        {{0xFEDCBA98, SDDL_BA}}},
    {"number_of_zeroes", u"D:P(A;;0x00000000;;;BA)", false, 1,
        {{0x0, SDDL_BA}}},
    {"two_terms", u"D:P(A;;GA;;;SY)(A;;GR;;;WD)", false, 2,
        {{0x10000000, SDDL_SY}, {0x80000000, SDDL_WD}}},
    {"nothing", u"", true, 0, {{0, 0}}},
    {"begins_too_short", u"D:", true, 0, {{0, 0}}},
    {"begins_small", u"d:p", true, 0, {{0, 0}}},
    {"owner_first", u"O:BAD:P", true, 0, {{0, 0}}},
    {"blank", u"D:P (A;;GA;;;SY)", true, 0, {{0, 0}}},
    {"term_that_denies", u"D:P(D;;GA;;;SY)", true, 0, {{0, 0}}},
    {"term_with_flags", u"D:P(A;OI;GA;;;SY)", true, 0, {{0, 0}}},
    {"term_with_object", u"D:P(A;;GA;1;;SY)", true, 0, {{0, 0}}},
    {"no_rights", u"D:P(A;;;;;SY)", true, 0, {{0, 0}}},
    {"half_a_right", u"D:P(A;;G;;;SY)", true, 0, {{0, 0}}},
    {"unknown_right", u"D:P(A;;GAFA;;;SY)", true, 0, {{0, 0}}},
    {"number_without_digits", u"D:P(A;;0x;;;SY)", true, 0, {{0, 0}}},
    {"number_of_nine_digits", u"D:P(A;;0x000000001;;;SY)", true, 0, {{0, 0}}},
    {"number_with_a_right", u"D:P(A;;0x1GA;;;SY)", true, 0, {{0, 0}}},
    {"unknown_sid", u"D:P(A;;GA;;;XY)", true, 0, {{0, 0}}},
    {"sid_by_numbers", u"D:P(A;;GA;;;S-1-1-0)", true, 0, {{0, 0}}},
    {"no_sid", u"D:P(A;;GA;;;)", true, 0, {{0, 0}}},
    {"no_end", u"D:P(A;;GA;;;SY", true, 0, {{0, 0}}},
    {"one_behind_a_term", u"D:P(A;;GA;;;SY)x", true, 1,
        {{0x10000000, SDDL_SY}}},
};

static void sddl_row(void **state)
{
    const struct sddl_row *row = *state;
    struct sddl_term term;
    struct sddl sddl;
    size_t units = 0;
    unsigned terms = 0;

    while (row->text[units] != 0) {
        units++;
    }
    sddl = sddl_begin(row->text, units);
    while (sddl_next(&sddl, &term)) {
        assert_true(terms < row->terms);
        assert_int_equal(term.access, row->want[terms].access);
        assert_int_equal(term.sid, row->want[terms].sid);
        terms++;
    }
    assert_int_equal(terms, row->terms);
    assert_int_equal(sddl.wrong, row->wrong);
}

TEST_FILE(test_sddl)
{
    TEST_ADD_ROWS(list, sddl_row, sddl_rows);
}
