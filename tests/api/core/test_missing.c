/* test_missing.c - the list of what drivers import and nobody models. */
#include "api/core/missing.h"
#include "api/core/routine.h"
#include "tests/rows.h"

static const int owners[2];

static struct missing_import import_of(
    const char *name, const char *driver, const void *owner, uint64_t address)
{
    return (struct missing_import){.module = "ntoskrnl.exe",
        .name = name,
        .driver = driver,
        .owner = owner,
        .address = address};
}

static void entry_of_an_image_that_comes_again_is_used_again(void **state)
{
    struct missing_imports missing = {.count = 0};
    struct missing_import import = import_of("A", "a.sys", &owners[0], 0x1000);

    (void)state;
    missing_enter(&missing, &import);
    missing_leave(&missing, &owners[0]);
    assert_int_equal(missing.count, 1);
    assert_null(missing.item[0].owner);
    import = import_of("A", "a.sys", &owners[1], 0x5000);
    missing_enter(&missing, &import);
    assert_int_equal(missing.count, 1);
    assert_ptr_equal(missing.item[0].owner, &owners[1]);
    assert_int_equal(missing.item[0].address, 0x5000);
    missing_release(&missing);
}

/* What an entry differs in from the first, and is another one for it. */
static struct other_row {
    const char *name, *module, *import, *driver;
    const void *owner;
} other_rows[] = {
    {"another_name", "ntoskrnl.exe", "B", "a.sys", &owners[0]},
    {"another_image_s", "HAL.dll", "A", "a.sys", &owners[0]},
    {"another_driver_s", "ntoskrnl.exe", "A", "b.sys", &owners[1]},
    {"the_same_image_once_more", "ntoskrnl.exe", "A", "a.sys", &owners[1]},
};

static void other_row(void **state)
{
    const struct other_row *row = *state;
    struct missing_imports missing = {.count = 0};
    struct missing_import import = import_of("A", "a.sys", &owners[0], 0x1000);

    missing_enter(&missing, &import);
    import = import_of(row->import, row->driver, row->owner, 0x2000);
    import.module = row->module;
    missing_enter(&missing, &import);
    assert_int_equal(missing.count, 2);
    assert_int_equal(missing.item[0].address, 0x1000);
    assert_int_equal(
        missing_count(&missing, &owners[0]), row->owner == &owners[0] ? 2 : 1);
    missing_release(&missing);
}

/* What is modelled is not missing. */
static void variables_that_are_missing_are_in_no_other_table(void **state)
{
    static const char *const missing[] = {
#define VARIABLE(name) #name,
#include "api/core/missing_variables.def"
    };
    static const char *const modelled[] = {
#define DATA(name, ...) #name,
#include "api/core/data_exports.def"
    };
    enum routine routine;

    (void)state;
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
        assert_true(missing_is_variable(missing[i]));
        assert_false(routine_find(missing[i], &routine));
    }
    for (size_t i = 0; i < sizeof(modelled) / sizeof(modelled[0]); i++) {
        assert_false(missing_is_variable(modelled[i]));
    }
}

TEST_FILE(test_missing)
{
    test_add(list, "entry_of_an_image_that_comes_again_is_used_again",
        entry_of_an_image_that_comes_again_is_used_again, NULL);
    TEST_ADD_ROWS(list, other_row, other_rows);
    test_add(list, "variables_that_are_missing_are_in_no_other_table",
        variables_that_are_missing_are_in_no_other_table, NULL);
}
