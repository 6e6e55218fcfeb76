/* test_format.c - DbgPrint's formats: literal output for literal arguments
 * (page Format specification syntax; page DbgPrint). */
#include "api/rtl/format.h"

#include <stdio.h>
#include <string.h>

#include "tests/rows.h"

/* The driver's memory: 1,024 bytes at 10000H. The arguments lie at its
 * beginning, the format in the middle, and text at fixed places. */
#define BASE UINT64_C(0x10000)
enum {
    MEMORY = 1024,
    ARGUMENTS = 4,
    FORMAT_AT = 512,
    NARROW_AT = 0x40,    /* "narrow" */
    WIDE_AT = 0x50,      /* L"wide" */
    UNICODE_AT = 0x60,   /* a UNICODE_STRING of the first 3 of WIDE */
    ANSI_AT = 0x70,      /* an ANSI_STRING of the first 4 of NARROW */
    EMPTY_AT = 0x80,     /* a UNICODE_STRING without a buffer */
    FOREIGN_AT = 0x90,   /* L"\x00E9!\x0141" */
    ODD_AT = 0xA0,       /* a UNICODE_STRING of 5 bytes of WIDE */
    LONG_AT = 0xC0,      /* 130 letters, a to z again and again */
    END_AT = MEMORY - 3, /* "xyz", with no NUL */
};

#define AT(offset) (BASE + (offset))
#define LETTERS "abcdefghijklmnopqrstuvwxyz"

struct guest {
    uint8_t byte[MEMORY];
};

static bool read_guest(void *context, void *to, uint64_t address, size_t size)
{
    const struct guest *guest = context;

    if (address < BASE || address - BASE > MEMORY - size) {
        return false;
    }
    memcpy(to, guest->byte + (address - BASE), size);
    return true;
}

static void put_string(struct guest *guest, size_t at, uint16_t length,
    uint16_t maximum, uint64_t buffer)
{
    memcpy(guest->byte + at, &length, 2);
    memcpy(guest->byte + at + 2, &maximum, 2);
    memcpy(guest->byte + at + 8, &buffer, 8);
}

static void guest_init(
    struct guest *guest, const char *format, const uint64_t *argument)
{
    static const uint16_t wide[] = {'w', 'i', 'd', 'e', 0};
    static const uint16_t foreign[] = {0xE9, '!', 0x141, 0};

    *guest = (struct guest){{0}};
    memcpy(guest->byte, argument, ARGUMENTS * sizeof(*argument));
    memcpy(guest->byte + NARROW_AT, "narrow", 7);
    memcpy(guest->byte + WIDE_AT, wide, sizeof(wide));
    memcpy(guest->byte + FOREIGN_AT, foreign, sizeof(foreign));
    put_string(guest, UNICODE_AT, 6, 10, AT(WIDE_AT));
    put_string(guest, ANSI_AT, 4, 7, AT(NARROW_AT));
    put_string(guest, EMPTY_AT, 0, 0, 0);
    put_string(guest, ODD_AT, 5, 10, AT(WIDE_AT));
    for (size_t i = 0; i < 130; i++) {
        guest->byte[LONG_AT + i] = (uint8_t)('a' + i % 26);
    }
    memcpy(guest->byte + END_AT, "xyz", 3);
    memcpy(guest->byte + FORMAT_AT, format, strlen(format) + 1);
}

static struct format_row {
    const char *name;
    const char *format;
    uint64_t argument[ARGUMENTS];
    const char *want;
} format_rows[] = {
    {"text_alone", "hello", {0}, "hello"},
    {"nothing", "", {0}, ""},
    {"percent", "100%%", {0}, "100%"},
    {"decimal", "%d", {42}, "42"},
    {"negative_decimal_of_a_dirty_slot", "%d", {0x1234FFFFFFFE}, "-2"},
    {"i_is_d", "%i", {0xFFFFFFFF}, "-1"},
    {"lowest_int", "%d", {0x80000000}, "-2147483648"},
    {"unsigned_takes_32_bits", "%u", {0x1FFFFFFFF}, "4294967295"},
    {"hexadecimal", "%x", {0xBEEF}, "beef"},
    {"upper_hexadecimal", "%X", {0xBEEF}, "BEEF"},
    {"octal", "%o", {8}, "10"},
    {"zero", "%d", {0}, "0"},
    {"zero_with_precision_0_is_nothing", "[%.0d]", {0}, "[]"},
    {"several", "%u-%x-%d", {1, 0x1F, 3}, "1-1f-3"},
    {"width", "[%5d]", {42}, "[   42]"},
    {"width_left", "[%-5d]", {42}, "[42   ]"},
    {"width_zeros", "[%05d]", {42}, "[00042]"},
    {"width_zeros_behind_the_sign", "[%05d]", {0xFFFFFFD6}, "[-0042]"},
    {"left_beats_zeros", "[%-05d]", {42}, "[42   ]"},
    {"precision", "[%.4x]", {0xAB}, "[00ab]"},
    {"precision_beats_zeros", "[%06.3d]", {7}, "[   007]"},
    {"width_is_no_limit", "[%2d]", {12345}, "[12345]"},
    {"plus", "%+d", {5}, "+5"},
    {"space", "% d", {5}, " 5"},
    {"plus_beats_space", "%+ d", {5}, "+5"},
    {"alternate_hexadecimal", "%#x", {0xAB}, "0xab"},
    {"alternate_upper_hexadecimal", "%#X", {0xAB}, "0XAB"},
    {"alternate_of_zero", "%#x", {0}, "0"},
    {"alternate_octal", "%#o", {8}, "010"},
    {"alternate_zeros", "%#010x", {0xAB}, "0x000000ab"},
    {"star_width", "[%*d]", {6, 42}, "[    42]"},
    {"negative_star_width", "[%*d]", {0xFFFFFFFA, 42}, "[42    ]"},
    {"star_precision", "[%.*x]", {4, 0xA}, "[000a]"},
    {"negative_star_precision_is_none", "[%.*s]", {0xFFFFFFFF, AT(NARROW_AT)},
        "[narrow]"},
    {"pointer", "%p", {0xFFFF80001234ABCD}, "FFFF80001234ABCD"},
    {"small_pointer", "%p", {0x10}, "0000000000000010"},
    {"pointer_in_a_field", "[%20p]", {0x10}, "[    0000000000000010]"},
    {"i64_decimal", "%I64d", {0x8000000000000000}, "-9223372036854775808"},
    {"i64_unsigned", "%I64u", {0xFFFFFFFFFFFFFFFF}, "18446744073709551615"},
    {"i64_hexadecimal", "%I64x", {0x123456789ABCDEF0}, "123456789abcdef0"},
    {"i64_octal", "%I64o", {0xFFFFFFFFFFFFFFFF}, "1777777777777777777777"},
    {"i64_in_zeros", "%016I64X", {0xAB}, "00000000000000AB"},
    {"i32", "%I32x", {0x1234567890}, "34567890"},
    {"i_alone_is_a_pointer_s_size", "%Ix", {0x1234567890}, "1234567890"},
    {"ll", "%lld", {0xFFFFFFFFFFFFFFFF}, "-1"},
    {"l_is_32_bits", "%ld", {0x1FFFFFFFF}, "-1"},
    {"lx_is_32_bits", "%lx", {0x1FFFFFFFF}, "ffffffff"},
    {"h", "%hu", {0x12345}, "9029"},
    {"hh", "%hhu", {0x1FF}, "255"},
    {"hh_signed", "%hhd", {0xFF}, "-1"},
    {"z", "%zu", {0x100000000}, "4294967296"},
    {"character", "%c", {'A'}, "A"},
    {"character_in_a_field", "[%3c]", {'A'}, "[  A]"},
    {"wide_character", "%C", {'B'}, "B"},
    {"wc", "%wc", {'B'}, "B"},
    {"lc", "%lc", {'B'}, "B"},
    {"hC_is_narrow", "%hC", {0x141}, "A"},
    {"wide_character_beyond_ascii", "%C", {0x20AC}, "?"},
    {"string", "<%s>", {AT(NARROW_AT)}, "<narrow>"},
    {"hs", "<%hs>", {AT(NARROW_AT)}, "<narrow>"},
    {"hS_is_narrow", "<%hS>", {AT(NARROW_AT)}, "<narrow>"},
    {"string_with_precision", "<%.3s>", {AT(NARROW_AT)}, "<nar>"},
    {"string_with_precision_0", "<%.0s>", {AT(NARROW_AT)}, "<>"},
    {"string_in_a_field", "<%8s>", {AT(NARROW_AT)}, "<  narrow>"},
    {"string_left", "<%-8s>", {AT(NARROW_AT)}, "<narrow  >"},
    {"null_string", "%s", {0}, "(null)"},
    {"wide_string", "%S", {AT(WIDE_AT)}, "wide"},
    {"ws", "%ws", {AT(WIDE_AT)}, "wide"},
    {"ls", "%ls", {AT(WIDE_AT)}, "wide"},
    {"ws_with_precision", "%.2ws", {AT(WIDE_AT)}, "wi"},
    {"null_ws", "%ws", {0}, "(null)"},
    {"ws_beyond_ascii", "%ws", {AT(FOREIGN_AT)}, "?!?"},
    {"wZ", "<%wZ>", {AT(UNICODE_AT)}, "<wid>"},
    {"wZ_with_precision", "<%.2wZ>", {AT(UNICODE_AT)}, "<wi>"},
    {"wZ_in_a_field", "<%6wZ>", {AT(UNICODE_AT)}, "<   wid>"},
    {"wZ_without_a_buffer", "%wZ", {AT(EMPTY_AT)}, "(null)"},
    {"wZ_of_null", "%wZ", {0}, "(null)"},
    {"Z", "<%Z>", {AT(ANSI_AT)}, "<narr>"},
    {"hZ", "<%hZ>", {AT(ANSI_AT)}, "<narr>"},
    {"argument_behind_a_string", "%s %d", {AT(NARROW_AT), 7}, "narrow 7"},
    {"format_longer_than_a_piece",
        "0123456789012345678901234567890123456789012345678901234567890123%d",
        {7},
        "01234567890123456789012345678901234567890123456789012345678901237"},
    {"directive_across_the_end_of_a_piece",
        "012345678901234567890123456789012345678901234567890123456789012%05d",
        {7},
        "01234567890123456789012345678901234567890123456789012345678901200007"},
    {"float_is_copied_and_skipped", "%5.2f %d", {99, 7}, "%5.2f 7"},
    {"n_is_copied_and_skipped", "%n %d", {AT(0), 7}, "%n 7"},
    {"no_conversion_is_copied", "%y %d", {7}, "%y 7"},
    {"percent_at_the_end", "100%", {0}, "100%"},
    {"i64_text_is_narrow", "<%I64s>", {AT(NARROW_AT)}, "<narrow>"},
    {"i32_text_is_narrow", "<%I32s>", {AT(NARROW_AT)}, "<narrow>"},
    {"i_text_is_narrow", "<%Is>", {AT(NARROW_AT)}, "<narrow>"},
    {"ll_text_is_narrow", "<%lls>", {AT(NARROW_AT)}, "<narrow>"},
    {"z_text_is_narrow", "<%zs>", {AT(NARROW_AT)}, "<narrow>"},
    {"t_text_is_narrow", "<%ts>", {AT(NARROW_AT)}, "<narrow>"},
    {"j_text_is_narrow", "<%js>", {AT(NARROW_AT)}, "<narrow>"},
    {"hhS_is_narrow", "<%hhS>", {AT(NARROW_AT)}, "<narrow>"},
    {"i64_S_is_wide", "<%I64S>", {AT(WIDE_AT)}, "<wide>"},
    {"i32_takes_32_bits", "%I32x", {0x1F12345678}, "12345678"},
    {"i_takes_64_bits", "%Ix", {0x8000000000000001}, "8000000000000001"},
    {"ll_takes_64_bits", "%lld", {0x8000000000000000}, "-9223372036854775808"},
    {"z_takes_64_bits", "%zx", {0x8000000000000001}, "8000000000000001"},
    {"t_takes_64_bits", "%tx", {0x8000000000000001}, "8000000000000001"},
    {"j_takes_64_bits", "%jx", {0x8000000000000001}, "8000000000000001"},
    {"w_takes_32_bits", "%wx", {0x1FFFFFFFF}, "ffffffff"},
    {"h_signed", "%hd", {0x18000}, "-32768"},
    {"hh_lowest", "%hhd", {0x180}, "-128"},
    {"hh_takes_8_bits", "%hhx", {0x17F}, "7f"},
    {"pointer_of_any_size", "%hp", {0xFFFF80001234ABCD}, "FFFF80001234ABCD"},
    {"zeros_then_left", "[%0-5d]", {42}, "[42   ]"},
    {"space_then_plus", "[% +d]", {5}, "[+5]"},
    {"alternate_then_left", "[%#-6x]", {0xAB}, "[0xab  ]"},
    {"plus_of_a_negative", "%+d", {0xFFFFFFFB}, "-5"},
    {"space_of_a_negative", "% d", {0xFFFFFFFB}, "-5"},
    {"plus_of_an_unsigned", "%+u", {5}, "5"},
    {"precision_without_digits", "[%.d]", {0}, "[]"},
    {"width_of_two_digits", "[%19d]", {1}, "[                  1]"},
    {"slash_is_no_digit", "%/d", {7}, "%/d"},
    {"colon_is_no_digit", "%:d", {7}, "%:d"},
    {"width_of_2_for_a_character", "[%2c]", {'A'}, "[ A]"},
    {"width_left_for_a_character", "[%-2c]", {'A'}, "[A ]"},
    {"last_of_ascii", "%C", {0x7F}, "\x7F"},
    {"first_beyond_ascii", "%C", {0x80}, "?"},
    {"byte_beyond_ascii", "%c", {0xE9}, "\xE9"},
    {"text_of_many_pieces", "%.130s|", {AT(LONG_AT)},
        LETTERS LETTERS LETTERS LETTERS LETTERS "|"},
    {"text_of_a_piece", "%.64s|", {AT(LONG_AT)},
        LETTERS LETTERS "abcdefghijkl|"},
    {"text_of_a_piece_and_1", "%.65s|", {AT(LONG_AT)},
        LETTERS LETTERS "abcdefghijklm|"},
    {"text_of_pieces_with_a_nul", "[%135s]", {AT(LONG_AT)},
        "[     " LETTERS LETTERS LETTERS LETTERS LETTERS "]"},
    {"text_with_no_nul", "%.3s|", {AT(END_AT)}, "xyz|"},
    {"wide_text_with_no_nul", "%.1ws|", {AT(END_AT + 1)}, "?|"},
    {"wZ_of_half_a_character", "<%wZ>", {AT(ODD_AT)}, "<wi>"},
    {"precision_beyond_a_counted_string", "<%.9wZ>", {AT(UNICODE_AT)}, "<wid>"},
    {"star_precision_0", "[%.*d]", {0, 0}, "[]"},
    {"star_width_0", "[%*d]", {0, 5}, "[5]"},
    {"star_width_1_less_than_0", "[%*c]", {0xFFFFFFFF, 'A'}, "[A]"},
    {"pointer_takes_no_zeros", "[%020p]", {0x10}, "[    0000000000000010]"},
    {"pointer_takes_no_precision", "%.3p", {0x10}, "0000000000000010"},
    {"i64_beyond_half", "%I64d", {0x4000000000000000}, "4611686018427387904"},
    {"alternate_of_1", "%#x", {1}, "0x1"},
    {"alternate_zeros_of_octal", "[%#05o]", {8}, "[00010]"},
    {"alternate_left_octal", "[%#-5o]", {8}, "[010  ]"},
    {"alternate_decimal", "%#d", {8}, "8"},
    {"percent_takes_no_argument", "%% %d", {7}, "% 7"},
    {"no_conversion_takes_no_argument", "%-y %d", {7}, "%-y 7"},
    {"format_of_a_piece", LETTERS LETTERS "abcdefghijkl", {0},
        LETTERS LETTERS "abcdefghijkl"},
};

static void format_row(void **state)
{
    const struct format_row *row = *state;
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text = {
        .length = 3, .faulted = true}; /* of another message */

    guest_init(&guest, row->format, row->argument);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_false(text.faulted);
    assert_int_equal(text.length, strlen(row->want));
    assert_memory_equal(text.byte, row->want, text.length);
}

/* As _snwprintf has it: what is put is kept, in 16 bits. */
struct kept {
    uint16_t unit[64];
    size_t count;
};

static void keep(void *context, uint16_t c)
{
    struct kept *kept = context;

    assert_true(kept->count < 64);
    kept->unit[kept->count++] = c;
}

static struct wide_row {
    const char *name;
    const char *format; /* made UTF-16; ~ is U+20AC */
    uint64_t argument[ARGUMENTS];
    size_t most;
    const char *want; /* ~ is U+20AC, ^ U+00E9, | U+0141 */
} wide_rows[] = {
    {"wide_text_alone", "a~b", {0}, 64, "a~b"},
    {"wide_number", "%d", {7}, 64, "7"},
    {"wide_s_is_wide", "%s", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_S_is_narrow", "%S", {AT(NARROW_AT)}, 64, "narrow"},
    {"wide_hs_is_narrow", "%hs", {AT(NARROW_AT)}, 64, "narrow"},
    {"wide_ls_is_wide", "%ls", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_c_is_wide", "%c", {0x20AC}, 64, "~"},
    {"wide_C_is_narrow", "%C", {0xE9}, 64, "^"},
    {"wide_Z_is_narrow", "%Z", {AT(ANSI_AT)}, 64, "narr"},
    {"wide_wZ_is_wide", "%wZ", {AT(UNICODE_AT)}, 64, "wid"},
    {"wide_every_character_stays", "%s", {AT(FOREIGN_AT)}, 64, "^!|"},
    {"wide_no_directive_beyond_ascii", "%~d", {0}, 64, "%~d"},
    {"wide_stops_at_the_most", "%s%d", {AT(WIDE_AT), 5}, 3, "wid"},
    {"wide_null", "[%7s]", {0}, 64, "[ (null)]"},
    {"wide_i64_text_is_wide", "%I64s", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_i32_text_is_wide", "%I32s", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_i_text_is_wide", "%Is", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_ll_text_is_wide", "%lls", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_z_text_is_wide", "%zs", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_t_text_is_wide", "%ts", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_j_text_is_wide", "%js", {AT(WIDE_AT)}, 64, "wide"},
    {"wide_hhs_is_narrow", "%hhs", {AT(NARROW_AT)}, 64, "narrow"},
    {"wide_i64_S_is_narrow", "%I64S", {AT(NARROW_AT)}, 64, "narrow"},
    {"wide_hc_is_narrow", "%hc", {0x141}, 64, "A"},
    {"wide_wc_is_wide", "%wc", {0x141}, 64, "|"},
    {"wide_C_takes_a_byte", "%C", {0x141}, 64, "A"},
    {"wide_c_takes_16_bits", "%c", {0x100E9}, 64, "^"},
    {"wide_no_directive_by_a_low_byte", "%|%d", {7}, 64, "%|7"},
    {"wide_percent", "%%~", {0}, 64, "%~"},
    {"wide_no_conversion", "%y%d", {7}, 64, "%y7"},
    {"wide_float_is_copied_and_skipped", "%f%d", {99, 7}, 64, "%f7"},
    {"wide_stops_in_text", "abc~", {0}, 3, "abc"},
    {"wide_stops_in_a_field", "[%5d", {7}, 3, "[  "},
    {"wide_stops_in_null", "%s", {0}, 3, "(nu"},
    {"wide_makes_nothing", "%d", {7}, 0, ""},
};

static uint16_t unit_of(char c)
{
    return c == '~' ? 0x20AC : c == '^' ? 0xE9 : c == '|' ? 0x141 : (uint8_t)c;
}

static void wide_row(void **state)
{
    const struct wide_row *row = *state;
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    struct kept kept = {.count = 0};
    const struct format_output output = {
        .wide = true, .most = row->most, .put = keep, .context = &kept};
    struct format_outcome outcome;

    guest_init(&guest, "", row->argument);
    for (size_t i = 0; i <= strlen(row->format); i++) {
        uint16_t unit = unit_of(row->format[i]);

        memcpy(guest.byte + FORMAT_AT + 2 * i, &unit, sizeof(unit));
    }
    outcome = format_write(&output, &reader, AT(FORMAT_AT), BASE);
    assert_false(outcome.faulted);
    assert_int_equal(outcome.length, strlen(row->want));
    assert_int_equal(kept.count, strlen(row->want));
    for (size_t i = 0; i < kept.count; i++) {
        assert_int_equal(kept.unit[i], unit_of(row->want[i]));
    }
}

static struct flag_row {
    const char *name;
    const char *format;
    bool want_unicode, want_unsupported;
} flag_rows[] = {
    {"d_is_neither", "%d", false, false},
    {"ld_is_neither", "%ld", false, false},
    {"s_is_neither", "%s", false, false},
    {"Z_is_neither", "%Z", false, false},
    {"hC_is_neither", "%hC", false, false},
    {"C_is_unicode", "%C", true, false},
    {"S_is_unicode", "%S", true, false},
    {"lc_is_unicode", "%lc", true, false},
    {"ls_is_unicode", "%ls", true, false},
    {"wc_is_unicode", "%wc", true, false},
    {"ws_is_unicode", "%ws", true, false},
    {"wZ_is_unicode", "%wZ", true, false},
    {"f_is_unsupported", "%f", false, true},
    {"F_is_unsupported", "%F", false, true},
    {"hS_is_neither", "%hS", false, false},
    {"I64c_is_neither", "%I64c", false, false},
    {"percent_is_neither", "%%", false, false},
    {"lp_is_neither", "%lp", false, false},
    {"wn_is_unsupported", "%wn", false, true},
    {"end_is_unsupported", "%", false, true},
    {"e_is_unsupported", "%e", false, true},
    {"E_is_unsupported", "%E", false, true},
    {"g_is_unsupported", "%g", false, true},
    {"G_is_unsupported", "%G", false, true},
    {"a_is_unsupported", "%a", false, true},
    {"A_is_unsupported", "%A", false, true},
    {"n_is_unsupported", "%n", false, true},
    {"q_is_unsupported", "%q", false, true},
};

static void flag_row(void **state)
{
    const struct flag_row *row = *state;
    const uint64_t argument[ARGUMENTS] = {0};
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text;

    guest_init(&guest, row->format, argument);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_int_equal(text.unicode, row->want_unicode);
    assert_int_equal(text.unsupported, row->want_unsupported);
}

static struct fault_row {
    const char *name;
    const char *format;
    uint64_t argument;
    const char *want;
} fault_rows[] = {
    {"string_at_no_address", "a%sb", 0x10, "a"},
    {"wide_string_at_no_address", "a%wsb", 0x10, "a"},
    {"counted_string_at_no_address", "a%wZb", 0x10, "a"},
    {"string_that_runs_off_the_end", "a%sb", AT(MEMORY - 3), "a"},
};

/* Text that is not there: what came before it stays. */
static void fault_row(void **state)
{
    const struct fault_row *row = *state;
    const uint64_t argument[ARGUMENTS] = {row->argument};
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text;

    guest_init(&guest, row->format, argument);
    memset(guest.byte + MEMORY - 3, 'x', 3);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_true(text.faulted);
    assert_int_equal(text.length, strlen(row->want));
    assert_memory_equal(text.byte, row->want, text.length);
}

static void format_at_no_address_is_a_fault(void **state)
{
    struct guest guest = {{0}};
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text;

    (void)state;
    format_text(&text, &reader, 0x10, BASE);
    assert_true(text.faulted);
    assert_int_equal(text.length, 0);
}

static void message_is_cut_at_512_bytes(void **state)
{
    const uint64_t argument[ARGUMENTS] = {7, 8};
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text;

    (void)state;
    guest_init(&guest, "%511d%d%d", argument);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_int_equal(text.length, 512);
    assert_int_equal(text.byte[509], ' ');
    assert_int_equal(text.byte[510], '7');
    assert_int_equal(text.byte[511], '8');
}

static void width_of_a_billion_is_cut_at_512_bytes(void **state)
{
    const uint64_t argument[ARGUMENTS] = {7};
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text;

    (void)state;
    guest_init(&guest, "%.1000000000d", argument);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_int_equal(text.length, 512);
    assert_int_equal(text.byte[510], '0');
    assert_int_equal(text.byte[511], '0');
    guest_init(&guest, "%513d", argument);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_int_equal(text.length, 512);
    assert_int_equal(text.byte[511], ' ');
    guest_init(&guest, "%512d", argument);
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_int_equal(text.length, 512);
    assert_int_equal(text.byte[511], '7');
}

static void count_alone(void *context, uint16_t c)
{
    size_t *count = context;

    assert_true(c == ' ' || c == '0' || c == '7');
    (*count)++;
}

/* A width and a precision are at most 65,536 [C]. */
static struct bound_row {
    const char *name;
    const char *format;
    uint64_t argument[ARGUMENTS];
    size_t want;
} bound_rows[] = {
    {"width_of_the_most", "%65536d", {7}, 65536},
    {"width_beyond_the_most", "%65537d", {7}, 65536},
    {"width_of_six_digits", "%655360d", {7}, 65536},
    {"precision_beyond_the_most", "%.70000d", {7}, 65536},
    {"star_width_beyond_the_most", "%*d", {70000, 7}, 65536},
    {"negative_star_width_beyond_the_most", "%*d", {0xFFFEEE90, 7}, 65536},
    {"lowest_star_width", "%*d", {0x80000000, 7}, 65536},
    {"star_precision_beyond_the_most", "%.*d", {70000, 7}, 65536},
};

static void bound_row(void **state)
{
    const struct bound_row *row = *state;
    struct guest guest;
    const struct guest_reader reader = {&guest, read_guest};
    size_t count = 0;
    const struct format_output output = {
        .most = 100000, .put = count_alone, .context = &count};
    struct format_outcome outcome;

    guest_init(&guest, row->format, row->argument);
    outcome = format_write(&output, &reader, AT(FORMAT_AT), BASE);
    assert_false(outcome.faulted);
    assert_int_equal(outcome.length, row->want);
    assert_int_equal(count, row->want);
}

/* %n stores nothing: the formatter has no way to write. */
static void memory_stays_as_it_is(void **state)
{
    const uint64_t argument[ARGUMENTS] = {AT(NARROW_AT)};
    struct guest guest, before;
    const struct guest_reader reader = {&guest, read_guest};
    struct format_text text;

    (void)state;
    guest_init(&guest, "abc%n", argument);
    before = guest;
    format_text(&text, &reader, AT(FORMAT_AT), BASE);
    assert_memory_equal(&guest, &before, sizeof(guest));
}

TEST_FILE(test_format)
{
    TEST_ADD_ROWS(list, format_row, format_rows);
    TEST_ADD_ROWS(list, wide_row, wide_rows);
    TEST_ADD_ROWS(list, flag_row, flag_rows);
    TEST_ADD_ROWS(list, fault_row, fault_rows);
    TEST_ADD_ROWS(list, bound_row, bound_rows);
    test_add(list, "format_at_no_address_is_a_fault",
        format_at_no_address_is_a_fault, NULL);
    test_add(
        list, "message_is_cut_at_512_bytes", message_is_cut_at_512_bytes, NULL);
    test_add(list, "width_of_a_billion_is_cut_at_512_bytes",
        width_of_a_billion_is_cut_at_512_bytes, NULL);
    test_add(list, "memory_stays_as_it_is", memory_stays_as_it_is, NULL);
}
