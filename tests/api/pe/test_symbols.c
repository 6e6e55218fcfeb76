/* test_symbols.c - names by address and addresses by name, whatever the order
 * in which they were added. */
#include "api/pe/symbols.h"
#include "tests/rows.h"

/* Two orders of the same names. */
static const struct added {
    enum symbol_kind kind;
    uint32_t rva, limit;
    const char *name;
} added[] = {
    {SYMBOL_EXPORT, 0x100, 0x200, "exported"},
    {SYMBOL_EXTERNAL, 0x100, 0x200, "zebra"},
    {SYMBOL_STATIC, 0x100, 0x200, "ant"},
    {SYMBOL_EXTERNAL, 0x100, 0x200, "yak"},
    {SYMBOL_LABEL, 0x180, 0x200, "label"},
    {SYMBOL_STATIC, 0x300, 0x400, "twin"},
    {SYMBOL_STATIC, 0x340, 0x400, "twin"},
    {SYMBOL_EXTERNAL, 0x380, 0x400, "shadowed"},
    {SYMBOL_STATIC, 0x310, 0x400, "shadowed"},
    {SYMBOL_UNNAMED, 0x3C0, 0x400, "function_3c0"},
};

enum { ADDED = sizeof(added) / sizeof(added[0]) };

static void add_all(struct symbols *symbols, bool backwards)
{
    *symbols = (struct symbols){0};
    for (size_t i = 0; i < ADDED; i++) {
        const struct added *one = &added[backwards ? ADDED - 1 - i : i];

        if (one->kind == SYMBOL_STATIC) {
            symbols_add_short(
                symbols, one->kind, one->rva, one->limit, one->name);
        } else {
            symbols_add(symbols, one->kind, one->rva, one->limit, one->name);
        }
    }
    symbols_sort(symbols);
}

static struct at_row {
    const char *name;
    uint32_t rva;
    const char *want; /* NULL: none */
    uint32_t want_offset;
} at_rows[] = {
    {"of_one_address_the_first_external_name_wins", 0x100, "yak", 0},
    {"nearest_name_below_wins", 0x17F, "yak", 0x7F},
    {"last_byte_of_the_section_has_a_name", 0x1FF, "label", 0x7F},
    {"past_the_section_there_is_none", 0x200, NULL, 0},
    {"below_the_first_there_is_none", 0xFF, NULL, 0},
    {"behind_the_last_it_is_the_last", 0x3FF, "function_3c0", 0x3F},
};

static void at_row(void **state)
{
    const struct at_row *row = *state;

    for (int backwards = 0; backwards < 2; backwards++) {
        struct symbols symbols;
        uint32_t offset = 0;
        const char *name;

        add_all(&symbols, backwards != 0);
        name = symbols_at(&symbols, row->rva, &offset);
        if (row->want == NULL) {
            assert_null(name);
        } else {
            assert_non_null(name);
            assert_string_equal(name, row->want);
            assert_int_equal(offset, row->want_offset);
        }
        symbols_release(&symbols);
    }
}

static struct find_row {
    const char *name, *symbol;
    uint32_t want; /* 0: none */
} find_rows[] = {
    {"every_name_of_an_address_is_found", "exported", 0x100},
    {"of_two_static_functions_the_lower_is_found", "twin", 0x300},
    {"external_function_is_found_before_a_static_one", "shadowed", 0x380},
    {"unknown_name_is_not_found", "gnu", 0},
};

static void find_row(void **state)
{
    const struct find_row *row = *state;

    for (int backwards = 0; backwards < 2; backwards++) {
        struct symbols symbols;
        uint32_t rva = 0;

        add_all(&symbols, backwards != 0);
        assert_int_equal(
            symbols_find(&symbols, row->symbol, &rva), row->want != 0);
        assert_int_equal(rva, row->want);
        symbols_release(&symbols);
    }
}

static void empty_symbols_have_no_names(void **state)
{
    struct symbols symbols = {0};
    uint32_t number = 0;

    (void)state;
    symbols_sort(&symbols);
    assert_null(symbols_at(&symbols, 0, &number));
    assert_false(symbols_find(&symbols, "yak", &number));
}

/* Each number below a prime once, in as many orders: ascending, descending, and
 * in steps. */
static void symbols_are_in_order(void **state)
{
    enum { PRIME = 101, PAGE = 0x1000 };

    (void)state;
    for (uint32_t step = 1; step < PRIME; step++) {
        struct symbols symbols = {0};

        for (uint32_t i = 0; i < PRIME; i++) {
            symbols_add(
                &symbols, SYMBOL_STATIC, i * step % PRIME, PAGE, "name");
        }
        symbols_sort(&symbols);
        assert_int_equal(symbols.count, PRIME);
        for (uint32_t i = 0; i < PRIME; i++) {
            assert_int_equal(symbols.item[i].rva, i);
        }
        symbols_release(&symbols);
    }
}

TEST_FILE(test_symbols)
{
    TEST_ADD_ROWS(list, at_row, at_rows);
    TEST_ADD_ROWS(list, find_row, find_rows);
    test_add(
        list, "empty_symbols_have_no_names", empty_symbols_have_no_names, NULL);
    test_add(list, "symbols_are_in_order_whatever_it_was_before",
        symbols_are_in_order, NULL);
}
