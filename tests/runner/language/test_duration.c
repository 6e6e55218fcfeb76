/* test_duration.c - times in a scenario: what is one, and how many cycles or
 * microseconds it is. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/duration.h"
#include "tests/runner/text_file.h"

enum { UNREAD = 99 };

static struct count_row {
    const char *name;
    const char *text;
    uint64_t per_us;
    uint64_t want; /* UNREAD: it is an error */
    const char *want_error;
} count_rows[] = {
    {"number_is_taken_as_it_is", "7", 2500, 7, ""},
    {"longest_run", "0x1000000000000", 2500, 0x1000000000000, ""},
    {"no_run_at_all", "0", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 0 is not from 1 to 281474976710656\n"},
    {"nanoseconds", "1000ns", 2500, 2500, ""},
    {"nanoseconds_of_half_cycles", "2ns", 2500, 5, ""},
    {"half_a_cycle", "1ns", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 1ns is no whole number of cycles at 2500 "
        "MHz: write a multiple of 2ns\n"},
    {"microseconds", "10us", 2500, 25000, ""},
    {"milliseconds", "3ms", 1, 3000, ""},
    {"seconds", "5s", 1000, 5000000000, ""},
    {"nanoseconds_as_microseconds", "2000ns", 1, 2, ""},
    {"part_of_a_microsecond", "1500ns", 1, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 1500ns is no whole number of "
        "microseconds: write a multiple of 1000ns\n"},
    {"no_time_at_all", "0ms", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 0ms is 0 cycles, not from 1 to "
        "281474976710656\n"},
    {"last_second", "112589s", 2500, 281472500000000, ""},
    {"second_behind_the_last", "112590s", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 112590s is 281475000000000 cycles, not "
        "from 1 to 281474976710656\n"},
    {"more_than_64_bits", "18446744073709551615s", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 18446744073709551615s is more cycles than "
        "64 bits hold\n"},
    {"digits_of_more_than_64_bits", "18446744073709551616ns", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0206]: 18446744073709551616ns is more cycles "
        "than 64 bits hold\n"},
    {"unit_of_a_minute", "1min", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0205]: '1min' is no time\n"
        "    1 | 1min\n"
        "      | ^~~~ write 10us: a number and ns, us, ms or s right behind "
        "it\n"},
    {"point", "1.5us", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0205]: '1.5us' is no time\n"
        "    1 | 1.5us\n"
        "      | ^~~~~ a time has no point: write 1500us for 1.5ms\n"},
    {"exponent_is_no_unit", "1e6", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0205]: expected a whole number\n"},
    {"hexadecimal_digits_are_no_unit", "0xus", 2500, UNREAD,
        "t.yaml:1:1: error[NTP0205]: expected a whole number\n"},
};

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct text_file file;
    uint64_t count = UNREAD;

    text_file_init(&file, row->text);
    assert_int_equal(
        duration_read_key(&(struct schema){file.diagnostics}, MAPPING_RUN,
            "cycles", text_file_tree(&file), row->per_us, &count),
        row->want != UNREAD);
    assert_int_equal(count, row->want);
    text_file_assert_errors(&file, row->want_error);
    text_file_release(&file);
}

static void only_what_is_named_after_its_unit_counts_microseconds(void **state)
{
    (void)state;
    assert_int_equal(duration_of_parameter("MicroSeconds"), 1);
    assert_int_equal(duration_of_parameter("Count"), 0);
}

TEST_FILE(test_duration)
{
    TEST_ADD_ROWS(list, count_row, count_rows);
    test_add(list, "only_what_is_named_after_its_unit_counts_microseconds",
        only_what_is_named_after_its_unit_counts_microseconds, NULL);
}
