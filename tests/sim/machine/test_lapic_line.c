/* test_lapic_line.c - a level-triggered input, through everything that it and
 * its vector can go through. */
#include "sim/machine/lapic.h"
#include "tests/rows.h"

/* u, d: the line rises, falls; m, o, v, n: LVTPC is masked, open at FEH, open
 * at D3H, in NMI mode; b, l, i: open at FEH with bit 11, at the lowest legal
 * vector, at the highest illegal one; s: another processor sends FEH; t: what
 * is next is taken; e: end of interrupt. Masked and down to begin with. */
static struct line_row {
    const char *name, *steps;
    int want; /* what can be taken; -1: nothing */
} line_rows[] = {
    {"line_that_is_down_is_not_pending", "o", -1},
    {"line_that_is_up_is_pending", "ou", 0xFE},
    {"mask_holds_it_back", "u", -1},
    {"mask_loses_nothing", "uo", 0xFE},
    {"mask_holds_back_what_was_pending", "oum", -1},
    {"fall_recalls_it", "oud", -1},
    {"fall_behind_a_mask_recalls_it", "oumdo", -1},
    {"vector_changes_with_lvtpc", "ouv", 0xD3},
    {"nmi_mode_lets_no_line_through", "un", -1},
    {"bit_11_is_no_part_of_the_mode", "ub", 0xFE},
    {"lowest_legal_vector_lets_it_through", "ul", 0x10},
    {"illegal_vector_lets_no_line_through", "ui", -1},
    {"taken_it_is_not_pending", "out", -1},
    {"end_of_interrupt_brings_it_again", "oute", 0xFE},
    {"again_and_again", "outete", 0xFE},
    {"fallen_in_service_it_does_not_come_again", "outde", -1},
    {"risen_in_service_it_waits_for_the_end", "outdu", -1},
    {"risen_in_service_it_comes_after_the_end", "outdue", 0xFE},
    {"masked_in_service_it_does_not_come_again", "outme", -1},
    {"new_vector_in_service_is_lower_and_waits", "outv", -1},
    {"new_vector_in_service_comes_after_the_end", "outve", 0xD3},
    {"fall_leaves_what_was_sent_to_the_vector", "osud", 0xFE},
    {"fall_leaves_what_is_sent_later", "ousd", 0xFE},
    {"both_are_one_interrupt", "ousdte", -1},
};

static void line_step(struct lapic *lapic, char step)
{
    switch (step) {
    case 'u':
    case 'd':
        lapic_set_line(lapic, step == 'u');
        break;
    case 'm':
        lapic_set_lvtpc(lapic, 0x100FE);
        break;
    case 'o':
        lapic_set_lvtpc(lapic, 0xFE);
        break;
    case 'v':
        lapic_set_lvtpc(lapic, 0xD3);
        break;
    case 'n':
        lapic_set_lvtpc(lapic, 0x400);
        break;
    case 'b':
        lapic_set_lvtpc(lapic, 0x8FE);
        break;
    case 'l':
        lapic_set_lvtpc(lapic, 0x10);
        break;
    case 'i':
        lapic_set_lvtpc(lapic, 0x0F);
        break;
    case 's':
        assert_true(lapic_request(lapic, 0xFE));
        break;
    case 't':
        assert_int_not_equal(lapic_next(lapic), -1);
        lapic_accept(lapic, (uint8_t)lapic_next(lapic));
        break;
    default:
        assert_int_equal(step, 'e');
        lapic_eoi(lapic);
        break;
    }
}

static void line_row(void **state)
{
    const struct line_row *row = *state;
    struct lapic lapic;

    lapic_init(&lapic);
    lapic_set_lvtpc(&lapic, 0x100FE);
    for (const char *step = row->steps; *step != '\0'; step++) {
        line_step(&lapic, *step);
    }
    assert_int_equal(lapic_next(&lapic), row->want);
}

TEST_FILE(test_lapic_line)
{
    TEST_ADD_ROWS(list, line_row, line_rows);
}
