/* test_image.c - images that are loaded whole or not at all, and what the
 * loader puts into them. */
#include <string.h>

#include "api/core/missing.h"
#include "api/image/image.h"
#include "api/image/native.h"
#include "tests/api/booted_kernel.h"
#include "tests/api/image/native_scene.h"
#include "tests/api/pe/pe_builder.h"

static struct refusal_row {
    const char *name;
    const char *driver; /* below the build's drivers */
    enum os os;
    enum arch arch;
    const char *want; /* one of the problems */
    size_t want_count;
} refusal_rows[] = {
    {"x64_image_on_x86", "hello_clang.sys", OS_WIN8, ARCH_X86,
        "an x64 image cannot run on x86; the machine's arch has to be x64", 1},
};

static void refusal_row(void **state)
{
    const struct refusal_row *row = *state;
    struct native_scene scene = {.size = 0};
    struct pe_problems problems;
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", NATIVE_DRIVERS, row->driver);
    native_read_file(&scene, path);
    booted_init(&scene.booted, row->os, row->arch, 1, 1);
    assert_null(image_load(&scene.booted.kernel, row->driver,
        &scene.booted.driver, scene.bytes, scene.size, NULL, &problems));
    assert_int_equal(problems.count, row->want_count);
    assert_string_equal(problems.item[0].text, row->want);
    pe_problems_release(&problems);
    assert_null(scene.booted.kernel.native->images);
    booted_release(&scene.booted);
    free(scene.bytes);
}

/* An image of the builder's on Windows of that version; `problems` say why it
 * is none. */
static struct image *load_built(struct booted_kernel *booted, enum os os,
    struct pe_image *built, struct pe_problems *problems)
{
    booted_init(booted, os, ARCH_X64, 1, 1);
    return image_load(&booted->kernel, "built.sys", &booted->driver,
        built->bytes, built->size, NULL, problems);
}

/* The builder's image, two of whose names nobody models, and one that is
 * modelled of another image than it names. */
static struct pe_image build_missing(void)
{
    struct pe_image built = image_build();

    image_put_text(&built, AT_RDATA + 0xB2, "DbgPrinx");
    image_put_text(&built, AT_RDATA + 0xC2, "CcFastReadWait");
    image_put_text(&built, AT_IMAGE_NAME + 0x10, "XYZ.dll");
    return built;
}

static const struct missing_import wanted_missing[] = {
    {.module = "ntoskrnl.exe", .name = "DbgPrinx", .driver = "sampler"},
    {.module = "ntoskrnl.exe",
        .name = "CcFastReadWait",
        .driver = "sampler",
        .variable = true},
    {.module = "XYZ.dll",
        .name = "HalAllocateHardwareCounters",
        .driver = "sampler",
        .foreign = true},
};

static void assert_missing(const struct missing_imports *missing)
{
    assert_int_equal(missing->count, 3);
    for (size_t i = 0; i < missing->count; i++) {
        const struct missing_import *import = &missing->item[i];

        assert_string_equal(import->module, wanted_missing[i].module);
        assert_string_equal(import->name, wanted_missing[i].name);
        assert_string_equal(import->driver, wanted_missing[i].driver);
        assert_int_equal(import->variable, wanted_missing[i].variable);
        assert_int_equal(import->foreign, wanted_missing[i].foreign);
    }
}

static void what_is_missing_has_pages_that_nobody_may_touch(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = build_missing();
    struct image *image = load_built(&booted, OS_WIN11, &built, &problems);
    const struct missing_imports *missing = booted.kernel.missing;
    uint64_t address;

    (void)state;
    assert_non_null(image);
    assert_missing(missing);
    for (size_t i = 0; i < missing->count; i++) {
        memcpy(&address, image->base + image->pe.import[i].slot_rva,
            sizeof(address));
        assert_ptr_equal(
            missing_at(&booted.kernel, address), &missing->item[i]);
        assert_ptr_equal(
            missing_at(&booted.kernel, address + 4095), &missing->item[i]);
        assert_false(memory_allows(&booted.machine.memory,
            (const void *)(uintptr_t)address, 1, MEMORY_READ));
    }
    assert_null(missing_at(&booted.kernel, missing->item[2].address + 4096));
    assert_null(missing_at(&booted.kernel, (uintptr_t)image->base));
    image_unload(&booted.kernel, image);
    assert_missing(missing);
    assert_null(missing_at(&booted.kernel, address));
    booted_release(&booted);
    free(built.bytes);
}

/* Where a slot lies is the image's to say: in another import's place, or where
 * nobody can read. */
static void a_page_is_known_without_its_slot(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = build_missing();
    const struct missing_imports *missing;

    (void)state;
    image_put(&built, AT_IMPORTS + 36, 4, 0x2068); /* as the first image's */
    image_put(&built, AT_SECTIONS + 76, 4, 0x40);  /* .rdata, no READ */
    assert_non_null(load_built(&booted, OS_WIN11, &built, &problems));
    missing = booted.kernel.missing;
    assert_missing(missing);
    assert_int_equal(missing->item[1].address, missing->item[0].address + 4096);
    assert_int_equal(missing->item[2].address, missing->item[0].address + 8192);
    booted_release(&booted);
    free(built.bytes);
}

static void loaded_again_it_misses_no_more(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = build_missing();
    struct image *image = load_built(&booted, OS_WIN11, &built, &problems);

    (void)state;
    assert_non_null(image);
    image_unload(&booted.kernel, image);
    image = image_load(&booted.kernel, "built.sys", &booted.driver, built.bytes,
        built.size, NULL, &problems);
    assert_non_null(image);
    assert_missing(booted.kernel.missing);
    assert_int_equal(missing_count(booted.kernel.missing, image), 3);
    booted_release(&booted);
    free(built.bytes);
}

static void one_name_twice_is_missing_once(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = image_build();
    struct image *image;
    uint64_t address[2];

    (void)state;
    image_put_text(&built, AT_RDATA + 0xB2, "DbgPrinx");
    image_put_text(&built, AT_RDATA + 0xC2, "DbgPrinx");
    built.bytes[AT_RDATA + 0xC2 + 8] = 0;
    image = load_built(&booted, OS_WIN11, &built, &problems);
    assert_non_null(image);
    assert_int_equal(booted.kernel.missing->count, 1);
    for (size_t i = 0; i < 2; i++) {
        memcpy(&address[i], image->base + image->pe.import[i].slot_rva,
            sizeof(address[i]));
    }
    assert_int_equal(address[0], address[1]);
    assert_non_null(missing_at(&booted.kernel, address[1]));
    booted_release(&booted);
    free(built.bytes);
}

static void where_nothing_may_be_missing_all_of_it_is_named(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = build_missing();

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 1, 1);
    booted.kernel.missing->refuse = true;
    assert_null(image_load(&booted.kernel, "built.sys", &booted.driver,
        built.bytes, built.size, NULL, &problems));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.item[0].text,
        "imports 3 names that are not modelled (docs/drivers.md, "
        "What is missing)");
    pe_problems_release(&problems);
    assert_missing(booted.kernel.missing);
    assert_null(booted.kernel.native->images);
    booted_release(&booted);
    free(built.bytes);
}

static void routine_of_a_later_windows_is_missing(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = image_build();

    (void)state;
    image_put_text(&built, AT_RDATA + 0xC2, "ExAllocatePool2");
    assert_null(load_built(&booted, OS_WIN10_1903, &built, &problems));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.item[0].text,
        "imports ExAllocatePool2, which WIN10_1903 does not export; choose a "
        "later os for the machine");
    pe_problems_release(&problems);
    booted_release(&booted);
    free(built.bytes);
}

/* IMP-01, IMP-02: the builder's image imports two routines from ntoskrnl.exe
 * and then one from HAL.dll. */
static struct module_row {
    const char *name;
    enum os os;
    bool hal_only; /* IMP-02 flipped */
    uint32_t at;   /* of a name in the image */
    const char *text;
    const char *want; /* the one problem; NULL: it is loaded */
} module_rows[] = {
    {"hal_s_routine_from_hal", OS_WIN7, false, AT_RDATA + 0xE2,
        "HalAllocateHardwareCounters", NULL},
    {"image_s_name_in_another_case", OS_WIN7, false, AT_IMAGE_NAME + 0x10,
        "hAL.DLL", NULL},
    {"what_only_the_dispatch_table_leads_to", OS_WIN11, false, AT_RDATA + 0xE2,
        "HalSetSystemInformation",
        "imports HalSetSystemInformation, which no image exports: drivers call "
        "it through HalDispatchTable"},
    {"kernel_s_routine_from_hal", OS_WIN7, false, AT_RDATA + 0xE2,
        "KeGetCurrentIrql",
        "imports KeGetCurrentIrql from HAL.dll, and WIN7 has it in "
        "ntoskrnl.exe "
        "alone (IMP-01)"},
    {"kernel_s_routine_from_hal_today", OS_WIN11, false, AT_RDATA + 0xE2,
        "KeGetCurrentIrql",
        "imports KeGetCurrentIrql from HAL.dll, and WIN11 has it in "
        "ntoskrnl.exe alone (IMP-01)"},
    {"kernel_s_variable_from_hal", OS_WIN11, false, AT_RDATA + 0xE2,
        "NtBuildNumber",
        "imports NtBuildNumber from HAL.dll, and WIN11 has it in ntoskrnl.exe "
        "alone (IMP-01)"},
    {"hal_s_routine_from_the_kernel_before_it_moved", OS_WIN10_1903, false,
        AT_RDATA + 0xC2, "HalFreeHardwareCounters",
        "imports HalFreeHardwareCounters from ntoskrnl.exe, and WIN10_1903 has "
        "it in HAL.dll alone (IMP-01, IMP-02)"},
    {"hal_s_routine_from_the_kernel", OS_WIN_FE, false, AT_RDATA + 0xC2,
        "HalFreeHardwareCounters", NULL},
    {"hal_s_routine_from_hal_after_it_moved", OS_WIN11, false, AT_RDATA + 0xE2,
        "HalFreeHardwareCounters", NULL},
    {"hal_s_routine_stays_in_hal_by_the_ruling", OS_WIN11, true,
        AT_RDATA + 0xC2, "HalFreeHardwareCounters",
        "imports HalFreeHardwareCounters from ntoskrnl.exe, and WIN11 has it "
        "in "
        "HAL.dll alone (IMP-01, IMP-02)"},
};

static void module_row(void **state)
{
    const struct module_row *row = *state;
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = image_build();
    const struct image *image;

    image_put_text(&built, row->at, row->text);
    built.bytes[row->at + strlen(row->text)] = 0;
    booted_init(&booted, row->os, ARCH_X64, 1, 1);
    if (row->hal_only) {
        booted.kernel.rulings.value[RULING_IMP_02] = RULED_IMP_02_hal_only;
    }
    image = image_load(&booted.kernel, "built.sys", &booted.driver, built.bytes,
        built.size, NULL, &problems);
    assert_int_equal(image != NULL, row->want == NULL);
    assert_int_equal(problems.count, row->want == NULL ? 0 : 1);
    if (row->want != NULL) {
        assert_string_equal(problems.item[0].text, row->want);
    }
    pe_problems_release(&problems);
    booted_release(&booted);
    free(built.bytes);
}

static struct page_row {
    const char *name;
    uint32_t rva;
    unsigned may, may_not;
    bool pageable;
    uint32_t text_flags; /* of the first section; 0: as built */
} page_rows[] = {
    {"headers_are_read", 0, MEMORY_READ, MEMORY_WRITE, false, 0},
    {"code_is_executed", 0x1000, MEMORY_READ | MEMORY_EXECUTE, MEMORY_WRITE,
        false, 0},
    {"constants_are_read", 0x2000, MEMORY_READ, MEMORY_EXECUTE, false, 0},
    {"data_are_written", 0x3000, MEMORY_READ | MEMORY_WRITE, MEMORY_EXECUTE,
        false, 0},
    {"pageable_code_is_pageable", 0x6000, MEMORY_READ | MEMORY_EXECUTE,
        MEMORY_WRITE, true, 0},
    {"initialisation_is_executed", 0x7000, MEMORY_EXECUTE, MEMORY_NONE, false,
        0},
    {"what_may_be_executed_alone_is_not_read", 0x1000, MEMORY_EXECUTE,
        MEMORY_READ, false, 0x20000020},
    {"nor_is_it_written", 0x1000, MEMORY_EXECUTE, MEMORY_WRITE, false,
        0x20000020},
    {"all_of_it_is_allowed", 0x1000,
        MEMORY_READ | MEMORY_WRITE | MEMORY_EXECUTE, MEMORY_NONE, false,
        0xE0000020},
};

static void page_row(void **state)
{
    const struct page_row *row = *state;
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = image_build();
    const struct memory *memory = &booted.machine.memory;
    struct image *image;

    if (row->text_flags != 0) {
        image_put(&built, AT_SECTIONS + 36, 4, row->text_flags);
    }
    image = load_built(&booted, OS_WIN11, &built, &problems);
    assert_non_null(image);
    assert_true(memory_allows(memory, image->base + row->rva, 1, row->may));
    if (row->may_not != MEMORY_NONE) {
        assert_false(
            memory_allows(memory, image->base + row->rva, 1, row->may_not));
    }
    assert_int_equal(
        memory_is_pageable(memory, image->base + row->rva, 1), row->pageable);
    booted_release(&booted);
    free(built.bytes);
}

static void loader_fills_the_image_in(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = image_build();
    struct image *image = load_built(&booted, OS_WIN11, &built, &problems);
    enum routine routine;
    uint64_t slot, cookie;

    (void)state;
    assert_non_null(image);
    assert_true(routine_find("DbgPrint", &routine));
    memcpy(&slot, image->base + image->pe.import[0].slot_rva, sizeof(slot));
    assert_int_equal(slot, native_thunk(&booted.kernel, routine));
    memcpy(&cookie, image->base + image->pe.cookie_rva, sizeof(cookie));
    assert_int_not_equal(cookie, 0);
    assert_int_not_equal(cookie, 0x2B992DDFA232); /* the linker's default */
    assert_int_equal(cookie >> 48, 0);
    booted_release(&booted);
    free(built.bytes);
}

static void discarded_and_unloaded_images_are_gone(void **state)
{
    struct booted_kernel booted;
    struct pe_problems problems;
    struct pe_image built = image_build();
    struct image *image = load_built(&booted, OS_WIN11, &built, &problems);
    uint64_t base;

    (void)state;
    assert_non_null(image);
    base = (uintptr_t)image->base;
    assert_true(image_is_code(&booted.kernel, base + 0x7000));
    image_discard(&booted.kernel, image);
    assert_false(image_is_code(&booted.kernel, base + 0x7000));
    assert_true(image_is_code(&booted.kernel, base + 0x1000));
    image_unload(&booted.kernel, image);
    assert_false(image_is_code(&booted.kernel, base + 0x1000));
    assert_null(image_at(&booted.kernel, base + 0x1000));
    assert_ptr_equal(image_ever_at(&booted.kernel, base + 0x1000), image);
    booted_release(&booted);
    free(built.bytes);
}

TEST_FILE(test_image)
{
    TEST_ADD_ROWS(list, refusal_row, refusal_rows);
    test_add(list, "what_is_missing_has_pages_that_nobody_may_touch",
        what_is_missing_has_pages_that_nobody_may_touch, NULL);
    test_add(list, "a_page_is_known_without_its_slot",
        a_page_is_known_without_its_slot, NULL);
    test_add(list, "loaded_again_it_misses_no_more",
        loaded_again_it_misses_no_more, NULL);
    test_add(list, "one_name_twice_is_missing_once",
        one_name_twice_is_missing_once, NULL);
    test_add(list, "where_nothing_may_be_missing_all_of_it_is_named",
        where_nothing_may_be_missing_all_of_it_is_named, NULL);
    test_add(list, "routine_of_a_later_windows_is_missing",
        routine_of_a_later_windows_is_missing, NULL);
    TEST_ADD_ROWS(list, module_row, module_rows);
    TEST_ADD_ROWS(list, page_row, page_rows);
    test_add(
        list, "loader_fills_the_image_in", loader_fills_the_image_in, NULL);
    test_add(list, "discarded_and_unloaded_images_are_gone",
        discarded_and_unloaded_images_are_gone, NULL);
}
