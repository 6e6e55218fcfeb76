/* test_strand_move.c - a strand leaves its processor and goes on elsewhere. */
#include "tests/sim/machine/stage.h"

static struct play_row move_rows[] = {
    {"strand_moves_and_takes_its_time_along", {{0, "r100m2nr100n"}},
        MACHINE_IDLE, "a2@100 a2@200"},
    {"strand_takes_along_what_it_spent_last", {{0, "k500m1n"}}, MACHINE_IDLE,
        "a1@500"},
    {"strand_moves_to_a_later_time", {{0, "r100m1n"}, {1, "k500"}},
        MACHINE_IDLE, "a1@500"},
    {"strand_moves_to_where_it_is", {{0, "r100m0n"}, {0, "n"}}, MACHINE_IDLE,
        "a0@100 b0@100"},
    {"strand_that_moves_leaves_its_processor_to_the_next",
        {{0, "r100m1r500n"}, {0, "n"}}, MACHINE_IDLE, "b0@100 a1@600"},
    {"strand_that_moves_waits_for_those_that_are_there",
        {{0, "r100m1n"}, {1, "r300n"}, {1, "n"}}, MACHINE_IDLE,
        "b1@300 c1@300 a1@300"},
    {"strand_moves_back", {{0, "nm1nm0n"}}, MACHINE_IDLE, "a0@0 a1@0 a0@0"},
    {"strand_that_moved_waits_where_it_is",
        {{0, "m1b0n"}, {1, "r10n"}, {0, "r1000f0"}}, MACHINE_IDLE,
        "b1@10 a1@1000"},
    {"move_to_a_processor_that_spins_for_ever_is_a_deadlock",
        {{0, "m1n"}, {1, "s0"}}, MACHINE_DEADLOCK, ""},
};

TEST_FILE(test_strand_move)
{
    TEST_ADD_ROWS(list, play_row, move_rows);
}
