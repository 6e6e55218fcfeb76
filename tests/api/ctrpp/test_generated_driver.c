/* test_generated_driver.c - what a consumer gets of a driver that registers by
 * generated code: the counters of devices.man by its callback and Add, those of
 * its bus by Create and Close (CTR-GEN-02, CTR-GEN-03). */
#include "tests/api/image/native_scene.h"
#include "tests/api/pcw/pcw_scene.h"

enum { OBJECT_BYTES = 512 };

static struct rows_row {
    const char *name;
    const char *driver;
    struct pcw_text set;
    struct pcw_text instance;
    size_t values;
    uint16_t counter[7];
    uint64_t value[7];
} rows_rows[] = {
    {"added_by_the_callback", "../api/ctrpp/drivers/devices_clang.sys",
        PCW_TEXT_ROW(u"Example \"Devices\" <Z\u00E4hler>"),
        PCW_TEXT_ROW(u"Example \"Devices\" <Z\u00E4hler>"), 7,
        {0, 1, 2, 3, 63, 4, 5}, {0, 0, 2, 0, 0, 0, 0}},
    {"added_by_the_callback_of_mingw", "../api/ctrpp/drivers/devices_mingw.sys",
        PCW_TEXT_ROW(u"Example \"Devices\" <Z\u00E4hler>"),
        PCW_TEXT_ROW(u"Example \"Devices\" <Z\u00E4hler>"), 7,
        {0, 1, 2, 3, 63, 4, 5}, {0, 0, 2, 0, 0, 0, 0}},
    {"created", "../api/ctrpp/drivers/devices_clang.sys",
        PCW_TEXT_ROW(u"Example Bus"), PCW_TEXT_ROW(u""), 1, {1}, {0}},
    {"created_by_address", "../api/ctrpp/drivers/waves.sys",
        PCW_TEXT_ROW(u"Example \"Waves\""), PCW_TEXT_ROW(u"all"), 3, {1, 2, 3},
        {1, 3, 2}},
};

static uint64_t start_on(
    struct native_scene *scene, const char *driver, enum os os)
{
    native_init_os(scene, driver, os);
    return native_call(scene, "DriverEntry",
        (uintptr_t)booted_block(&scene->booted, OBJECT_BYTES, 0), 0);
}

static void start(struct native_scene *scene, const char *driver)
{
    assert_int_equal(start_on(scene, driver, OS_WIN11), 0);
}

/* The rows of that set, of all its instances. */
static size_t count_rows(struct native_scene *scene, struct pcw_text set,
    const struct pcw_row **first)
{
    struct pcw_consumer consumer = pcw_consumer_of(&scene->booted, set);
    const struct pcw_result *result =
        pcw_collect_once(&scene->booted, &consumer);

    *first = result->row;
    return result->row_count;
}

static void consumer_gets_row(void **state)
{
    const struct rows_row *row = *state;
    struct native_scene scene = {.size = 0};
    const struct pcw_row *got;

    start(&scene, row->driver);
    assert_int_equal(count_rows(&scene, row->set, &got), 1);
    pcw_assert_text(got->name, row->instance);
    assert_int_equal(got->value_count, row->values);
    for (size_t i = 0; i < row->values; i++) {
        assert_int_equal(got->column[i].counter, row->counter[i]);
        assert_int_equal(got->value[i], row->value[i]);
    }
    native_call(&scene, "unload", 0, 0);
    assert_int_equal(count_rows(&scene, row->set, &got), 0);
    assert_int_equal(scene.booted.kernel.bugcheck.code, BUGCHECK_NONE);
    native_release(&scene);
}

/* CTR-GEN-03: compiled for Windows 11, Register is refused before 19645; what
 * the driver registered itself, as version 1, was not. */
static void later_version_is_refused(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct pcw_row *got;

    (void)state;
    assert_int_equal(start_on(&scene, "../api/ctrpp/drivers/devices_clang.sys",
                         OS_WIN10_1903),
        0xC00000F0);
    assert_int_equal(count_rows(&scene, PCW_TEXT(u"Example Bus"), &got), 0);
    native_release(&scene);
}

/* The registrations of the bus, by their numbers. */
static void set_is_registered_again(void **state)
{
    struct native_scene scene = {.size = 0};
    struct kernel *kernel = &scene.booted.kernel;
    const struct pcw_row *got;

    (void)state;
    start(&scene, "../api/ctrpp/drivers/devices_clang.sys");
    assert_int_equal(
        native_call(&scene, "register_again", PcwRegistrationSiloNeutral, 0),
        0);
    assert_int_equal(kernel->rules.count, 0);
    assert_int_equal(native_call(&scene, "unregister_again", 0, 0), 1);
    assert_int_equal(count_rows(&scene, PCW_TEXT(u"Example Bus"), &got), 1);
    native_call(&scene, "unload", 0, 0);
    assert_int_equal(kernel->bugcheck.code, BUGCHECK_NONE);
    native_release(&scene);
}

/* CTR-CLI-07: without the routines there is no set, and no error. */
static void hidden_routines_leave_no_rows(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct pcw_row *got;

    (void)state;
    start(&scene, "../api/ctrpp/drivers/waves_hidden.sys");
    assert_int_equal(
        count_rows(&scene, PCW_TEXT(u"Example \"Waves\""), &got), 0);
    native_call(&scene, "unload", 0, 0);
    assert_int_equal(scene.booted.kernel.bugcheck.code, BUGCHECK_NONE);
    native_release(&scene);
}

TEST_FILE(test_generated_driver)
{
    TEST_ADD_ROWS(list, consumer_gets_row, rows_rows);
    test_add(list, "later_version_is_refused", later_version_is_refused, NULL);
    test_add(list, "set_is_registered_again", set_is_registered_again, NULL);
    test_add(list, "hidden_routines_leave_no_rows",
        hidden_routines_leave_no_rows, NULL);
}
