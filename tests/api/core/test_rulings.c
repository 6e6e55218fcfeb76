/* test_rulings.c - the switches of our [C] rulings: what each is called, what
 * holds when nothing is flipped, and which cannot be (facts.md 11). */
#include "api/boot/kernel_boot.h"
#include "api/nt/rulings.h"
#include "tests/api/booted_kernel.h"

/* The id is the row's name. */
static struct default_row {
    const char *name;
    const char *want;
} default_rows[] = {
    {"IRQL-GEN-01", "fatal"},
    {"GEN-PTR-01", "fault"},
    {"HAL-TYPE-05b", "inclusive"},
    {"HAL-TYPE-06", "event"},
    {"HAL-ALLOC-03b", "selected"},
    {"HAL-ALLOC-04c", "fresh"},
    {"HAL-ALLOC-06", "every"},
    {"HAL-ALLOC-11", "invalid"},
    {"HAL-ALLOC-30", "invalid"},
    {"HAL-ALLOC-31b", "invalid"},
    {"HAL-ALLOC-33a", "drop"},
    {"HAL-ALLOC-33b", "union"},
    {"HAL-ALLOC-36b", "event"},
    {"HAL-ALLOC-34", "invalid"},
    {"HAL-ALLOC-35a", "type_2_first"},
    {"HAL-ALLOC-35b", "invalid"},
    {"HAL-ALLOC-36a", "event"},
    {"HAL-ALLOC-37a", "invalid"},
    {"HAL-ALLOC-37b", "invalid"},
    {"HAL-ALLOC-37c", "invalid"},
    {"HAL-ALLOC-38a", "invalid"},
    {"HAL-ALLOC-38b", "invalid"},
    {"HAL-ALLOC-38c", "event"},
    {"HAL-ALLOC-38d", "accept"},
    {"HAL-ALLOC-38e", "invalid"},
    {"HAL-ALLOC-39a", "invalid"},
    {"HAL-ALLOC-39b", "invalid"},
    {"HAL-ALLOC-39c", "invalid"},
    {"HAL-ALLOC-39d", "invalid"},
    {"HAL-ALLOC-39e", "not_supported"},
    {"HAL-ALLOC-40b", "invalid"},
    {"HAL-ALLOC-51", "processor"},
    {"HAL-ALLOC-52", "shared"},
    {"HAL-ALLOC-56b", "absent"},
    {"HAL-ALLOC-56c", "success"},
    {"HAL-ALLOC-59", "event"},
    {"HAL-ALLOC-60", "later"},
    {"HAL-FREE-03b", "event"},
    {"HAL-FREE-04b", "wait"},
    {"HAL-FREE-06", "event"},
    {"HAL-OVF-02c", "index"},
    {"HAL-OVF-02d", "never"},
    {"HAL-OVF-06b", "before"},
    {"HAL-OVF-08a", "fatal"},
    {"HAL-OVF-08b", "open"},
    {"HAL-OVF-10", "silent"},
    {"HAL-OVF-12", "event"},
    {"HAL-OVF-13", "number"},
    {"HAL-OVF-14", "silent"},
    {"HAL-OVF-16", "owner"},
    {"HAL-OVF-17", "arm"},
    {"PROF-07", "first"},
    {"PROF-08", "event"},
    {"NMI-03", "pending"},
    {"BUG-04", "refused"},
    {"BUG-06", "registered"},
    {"IO-57c", "last"},
    {"BUG-08", "abandoned"},
    {"HAL-EVB-03b", "min"},
    {"HAL-EVB-04b", "native"},
    {"HAL-EVB-06", "hal"},
    {"KHC-SET-04b", "accept"},
    {"KHC-SET-04c", "fault"},
    {"KHC-SET-11b", "event"},
    {"KHC-SET-13a", "invalid"},
    {"KHC-SET-13b", "event"},
    {"KHC-SET-13c", "accept"},
    {"KHC-SET-14a", "snapshot"},
    {"KHC-SET-14b", "accept"},
    {"KHC-SET-14c", "exclude"},
    {"KHC-SET-15", "given"},
    {"KHC-SET-17b", "none"},
    {"KHC-SET-20", "event"},
    {"KHC-QRY-03b", "elements"},
    {"KHC-QRY-05b", "untouched"},
    {"KHC-QRY-06", "success"},
    {"KHC-QRY-07", "fault"},
    {"KHC-QRY-08", "stored"},
    {"KHC-QRY-12", "too_small"},
    {"KHC-QRY-13", "size_first"},
    {"KHC-ARCH-01", "implemented"},
    {"KHC-ARCH-02", "not_implemented"},
    {"KHC-ARCH-05", "implemented"},
    {"HCP-EN-01b", "invalid"},
    {"HCP-EN-02b", "invalid"},
    {"HCP-EN-03b", "invalid"},
    {"HCP-EN-06a", "element"},
    {"HCP-EN-07b", "invalid"},
    {"HCP-EN-08", "accept"},
    {"HCP-EN-09", "already_enabled"},
    {"HCP-EN-10b", "accept"},
    {"HCP-EN-11", "invalid_function"},
    {"HCP-DIS-01b", "invalid"},
    {"HCP-QRY-01b", "invalid_handle"},
    {"HCP-QRY-01c", "invalid"},
    {"HCP-RD-02", "invalid"},
    {"HCP-RD-03b", "invalid"},
    {"HCP-RD-07b", "dispatching"},
    {"HCP-RD-09b", "configured"},
    {"HCP-RD-11", "invalid"},
    {"PCW-TYPE-06b", "full_mask"},
    {"PCW-REG-06b", "bits_32"},
    {"PCW-REG-08b", "fault"},
    {"PCW-REG-12a", "fault"},
    {"PCW-REG-12b", "accept"},
    {"PCW-REG-13", "event"},
    {"PCW-REG-14", "null"},
    {"PCW-UNR-03", "wait"},
    {"PCW-UNR-04", "fatal"},
    {"PCW-CRE-02b", "fault"},
    {"PCW-CRE-02c", "event"},
    {"PCW-CRE-03b", "silent"},
    {"PCW-CRE-04b", "minimum"},
    {"PCW-CRE-04c", "event"},
    {"PCW-CRE-04d", "any"},
    {"PCW-CRE-06b", "bits_32"},
    {"PCW-CRE-06c", "overflow_first"},
    {"PCW-CRE-08b", "name"},
    {"PCW-CRE-10a", "fault"},
    {"PCW-CRE-10b", "null"},
    {"PCW-CRE-15", "event"},
    {"PCW-CRE-18", "event"},
    {"PCW-CRE-19", "fatal"},
    {"PCW-CLS-03a", "fatal"},
    {"PCW-CLS-03b", "wait"},
    {"PCW-CLS-05", "event"},
    {"PCW-ADD-03b", "fault"},
    {"PCW-ADD-04b", "silent"},
    {"PCW-ADD-04c", "event"},
    {"PCW-ADD-07a", "buffer_size"},
    {"PCW-ADD-07b", "masked"},
    {"PCW-ADD-08", "filter"},
    {"PCW-ADD-09", "ignore"},
    {"PCW-ADD-10a", "fatal"},
    {"PCW-ADD-12", "event"},
    {"PCW-CB-07", "always"},
    {"PCW-CB-08", "created_first"},
    {"EXE-GEN-02", "fatal"},
    {"EXE-GEN-04", "event"},
    {"EXE-GEN-05", "fatal"},
    {"EXE-GEN-06", "timeout"},
    {"EXE-GEN-07", "exception"},
    {"WAIT-21", "fatal"},
    {"WAIT-22", "tick"},
    {"WAIT-34", "recorded"},
    {"MTX-10", "stops"},
    {"THR-05", "invalid"},
    {"TID-02", "fours"},
    {"WORK-09", "two"},
    {"WORK-10", "bound"},
    {"ILOCK-02", "irql"},
    {"TIME-06", "fixed"},
    {"TIME-07", "utc"},
    {"TMR-32", "fixed"},
    {"XTMR-10", "invalid"},
    {"DPC-27", "unbound"},
    {"CTR-CLI-08b", "reject"},
    {"CTR-MAN-03c", "default_struct"},
    {"LOCK-05b", "fatal"},
    {"LOCK-08", "profile"},
    {"PAGED-01b", "checked"},
    {"DPC-09", "idle"},
    {"DPC-11", "event"},
};

static void ruling_has_its_default(void **state)
{
    const struct default_row *row = *state;
    const struct rulings rulings = rulings_default();
    enum ruling ruling;

    assert_true(ruling_find(row->name, &ruling));
    assert_string_equal(ruling_rows[ruling].id, row->name);
    assert_int_equal(rulings.value[ruling], ruling_rows[ruling].usual);
    assert_string_equal(ruled_rows[rulings.value[ruling]].name, row->want);
}

static struct refused_row {
    const char *name;
    enum ruling_state want;
} refused_rows[] = {
    {"HAL-ALLOC-04c", RULING_FIXED},
    {"HAL-ALLOC-35a", RULING_FIXED},
    {"HAL-FREE-04b", RULING_FIXED},
    {"HAL-OVF-02c", RULING_FIXED},
    {"HAL-OVF-08a", RULING_FIXED},
    {"HAL-OVF-16", RULING_FIXED},
    {"KHC-SET-14c", RULING_NOT_MODELLED},
    {"CTR-CLI-08b", RULING_OF_CTRPP},
    {"CTR-MAN-03c", RULING_OF_CTRPP},
    {"PAGED-01b", RULING_NOT_MODELLED},
    {"MTX-10", RULING_NOT_MODELLED},
    {"WAIT-34", RULING_NOT_MODELLED},
    {"ILOCK-02", RULING_NOT_MODELLED},
    {"DPC-27", RULING_NOT_MODELLED},
};

static void ruling_cannot_be_flipped(void **state)
{
    const struct refused_row *row = *state;
    enum ruling ruling;

    assert_true(ruling_find(row->name, &ruling));
    assert_int_equal(ruling_rows[ruling].state, row->want);
    assert_non_null(ruling_rows[ruling].why);
}

static void flipped_is_one_word_or_number_that_is_not_the_default(void **state)
{
    struct rulings rulings = rulings_default();

    (void)state;
    assert_false(rulings_are_flipped(&rulings));
    rulings.value[RULING_HAL_FREE_06] = RULED_HAL_FREE_06_fatal;
    assert_true(rulings_are_flipped(&rulings));
    rulings = rulings_default();
    rulings.number[RULING_HAL_OVF_13]++;
    assert_true(rulings_are_flipped(&rulings));
}

static void other_ids_have_no_switch(void **state)
{
    static const char *const ids[] = {"HAL-ALLOC-20", "HAL-ALLOC-55",
        "HAL-ALLOC-37", "HAL-ALLOC-37A", "hal-alloc-37a", ""};
    enum ruling ruling;

    (void)state;
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        assert_false(ruling_find(ids[i], &ruling));
    }
}

/* Whoever reads a value goes through them so. */
static void values_lie_side_by_side_the_default_first(void **state)
{
    (void)state;
    for (size_t n = 0; n < RULED_COUNT; n++) {
        enum ruling ruling = ruled_rows[n].ruling;
        bool first = n == 0 || ruled_rows[n - 1].ruling != ruling;

        assert_int_equal(first, ruling_rows[ruling].usual == n);
    }
}

static void every_ruling_has_another_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULING_COUNT; i++) {
        assert_int_equal(ruled_rows[ruling_rows[i].usual + 1].ruling, i);
    }
}

static void handlers_have_25_microseconds(void **state)
{
    const struct rulings rulings = rulings_default();

    (void)state;
    assert_int_equal(rulings.number[RULING_HAL_OVF_13], 25);
}

static void flipped_value_holds_until_the_next_boot(void **state)
{
    struct booted_kernel booted;
    struct rulings *rulings = &booted.kernel.rulings;

    (void)state;
    booted_init_usual(&booted);
    assert_true(ruling_is(&booted.kernel, RULED_HAL_ALLOC_34_invalid));
    rulings->value[RULING_HAL_ALLOC_34] = RULED_HAL_ALLOC_34_all;
    rulings->number[RULING_HAL_OVF_13] = 40;
    assert_false(ruling_is(&booted.kernel, RULED_HAL_ALLOC_34_invalid));
    assert_false(ruling_is(&booted.kernel, RULED_HAL_ALLOC_34_success));
    assert_true(ruling_is(&booted.kernel, RULED_HAL_ALLOC_34_all));
    assert_int_equal(ruling_number(&booted.kernel, RULING_HAL_OVF_13), 40);
    machine_reset(&booted.machine,
        &(struct machine_config){
            .processors = 1, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]});
    kernel_boot(&booted.kernel, &booted.machine, OS_WIN11, ARCH_X64);
    assert_true(ruling_is(&booted.kernel, RULED_HAL_ALLOC_34_invalid));
    assert_int_equal(ruling_number(&booted.kernel, RULING_HAL_OVF_13), 25);
    booted_release(&booted);
}

TEST_FILE(test_rulings)
{
    TEST_ADD_GROUP(list, "default", ruling_has_its_default, default_rows);
    TEST_ADD_GROUP(list, "refused", ruling_cannot_be_flipped, refused_rows);
    test_add(list, "flipped_is_one_word_or_number_that_is_not_the_default",
        flipped_is_one_word_or_number_that_is_not_the_default, NULL);
    test_add(list, "other_ids_have_no_switch", other_ids_have_no_switch, NULL);
    test_add(list, "values_lie_side_by_side_the_default_first",
        values_lie_side_by_side_the_default_first, NULL);
    test_add(list, "every_ruling_has_another_value",
        every_ruling_has_another_value, NULL);
    test_add(list, "handlers_have_25_microseconds",
        handlers_have_25_microseconds, NULL);
    test_add(list, "flipped_value_holds_until_the_next_boot",
        flipped_value_holds_until_the_next_boot, NULL);
}
