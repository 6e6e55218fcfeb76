/* test_imports.c - what an image's imports are bound to: routines, variables,
 * what somebody answers for, and a page for each name that is missing. */
#include "api/core/answers.h"
#include "api/core/missing.h"
#include "api/image/imports.h"
#include "tests/api/image/native_scene.h"

enum { MOST = 3 };

/* answered.sys imports these, in the order of the file, and some more that are
 * modelled. */
static const char *const asked[] = {
    "NtpmuAnswered", "NtpmuNorThis", "NtpmuOfAnother"};

struct imports_scene {
    struct native_scene native;
    struct answer answer[MOST];
    struct answers answers;
    struct pe_problems problems;
    uint64_t given[ANSWER_ARGUMENTS];
    size_t gave; /* the answer that was asked for, from 1; 0: none was */
};

static uint64_t give(
    void *context, size_t n, const uint64_t argument[ANSWER_ARGUMENTS])
{
    struct imports_scene *scene = context;

    scene->gave = n + 1;
    memcpy(scene->given, argument, sizeof(scene->given));
    return 0x1234567890;
}

/* Loads the image; NULL as native.image: it is refused. */
static void load(
    struct imports_scene *scene, const char *const answered[MOST], bool refuse)
{
    struct native_scene *native = &scene->native;
    struct kernel *kernel = &native->booted.kernel;

    *scene = (struct imports_scene){.native = {.size = 0}};
    while (
        scene->answers.count < MOST && answered[scene->answers.count] != NULL) {
        scene->answer[scene->answers.count].name =
            answered[scene->answers.count];
        scene->answers.count++;
    }
    scene->answers.item = scene->answer;
    scene->answers.give = give;
    scene->answers.context = scene;
    native_read_file(native, NATIVE_DRIVERS "/answered.sys");
    booted_init(&native->booted, OS_WIN11, ARCH_X64, 2, 1);
    assert_true(trap_install());
    kernel->answers = &scene->answers;
    kernel->missing->refuse = refuse;
    native->image = image_load(kernel, "answered.sys", &native->booted.driver,
        native->bytes, native->size, NULL, &scene->problems);
}

/* What its slot has; the image imports it. */
static uint64_t bound(const struct imports_scene *scene, const char *name)
{
    const struct image *image = scene->native.image;
    const struct pe_import *import = image->pe.import;
    uint64_t address;
    size_t n = 0;

    while (n < image->pe.import_count && strcmp(import[n].name, name) != 0) {
        n++;
    }
    assert_true(n < image->pe.import_count);
    memcpy(&address, image->base + import[n].slot_rva, sizeof(address));
    return address;
}

static struct bound_row {
    const char *name;
    const char *answered[MOST];
    size_t want[MOST];  /* the answer that each of `asked` is, from 1; 0: it is
                           missing */
    bool want_modelled; /* KeQueryMaximumProcessorCountEx is the kernel's */
} bound_rows[] = {
    {"nothing_is_answered_for", {NULL}, {0, 0, 0}, true},
    {"first", {"NtpmuAnswered"}, {1, 0, 0}, true},
    {"last_of_another_image", {"NtpmuOfAnother"}, {0, 0, 1}, true},
    {"all_in_another_order",
        {"NtpmuOfAnother", "NtpmuAnswered", "NtpmuNorThis"}, {2, 3, 1}, true},
    {"beginning_of_a_name", {"NtpmuAnswere", "NtpmuNorThis2"}, {0, 0, 0}, true},
    {"modelled_one", {"NtpmuNorThis", "KeQueryMaximumProcessorCountEx"},
        {0, 1, 0}, false},
};

/* What the address is called where it is shown. */
static void assert_called(
    struct kernel *kernel, uint64_t address, const char *want)
{
    char text[64] = "";

    assert_true(image_namer.address(kernel, address, text, sizeof(text)));
    assert_string_equal(text, want);
}

static void bound_row(void **state)
{
    const struct bound_row *row = *state;
    struct imports_scene scene;
    struct kernel *kernel = &scene.native.booted.kernel;
    uint64_t modelled;
    size_t missing = 0, answer;

    load(&scene, row->answered, false);
    assert_non_null(scene.native.image);
    assert_int_equal(scene.problems.count, 0);
    for (size_t i = 0; i < MOST; i++) {
        uint64_t address = bound(&scene, asked[i]);
        struct missing_import *import = missing_at(kernel, address);

        assert_called(kernel, address, asked[i]);
        assert_int_equal(import != NULL, row->want[i] == 0);
        if (import != NULL) {
            assert_string_equal(import->name, asked[i]);
            assert_string_equal(
                import->module, i == 2 ? "another.sys" : "ntoskrnl.exe");
            assert_int_equal(import->foreign, i == 2);
            assert_ptr_equal(import->owner, scene.native.image);
            missing++;
            continue;
        }
        assert_true(native_answer_at(kernel, address, &answer));
        assert_int_equal(answer, row->want[i] - 1);
        assert_true(scene.answer[answer].imported);
    }
    assert_int_equal(kernel->missing->count, missing);
    assert_int_equal(
        missing_count(kernel->missing, scene.native.image), missing);
    modelled = bound(&scene, "KeQueryMaximumProcessorCountEx");
    assert_called(kernel, modelled, "KeQueryMaximumProcessorCountEx");
    assert_int_equal(modelled == native_thunk(kernel,
                                     ROUTINE_KeQueryMaximumProcessorCountEx),
        row->want_modelled);
    assert_int_equal(
        native_answer_at(kernel, modelled, &answer), !row->want_modelled);
    native_release(&scene.native);
}

/* Each name's page is its own, and none is that of an answer. */
static void missing_names_have_pages_of_their_own(void **state)
{
    const char *const answered[MOST] = {"NtpmuNorThis"};
    struct imports_scene scene;
    struct kernel *kernel = &scene.native.booted.kernel;
    uint64_t first, other;

    (void)state;
    load(&scene, answered, false);
    first = bound(&scene, "NtpmuAnswered");
    other = bound(&scene, "NtpmuOfAnother");
    assert_int_not_equal(first, other);
    assert_int_equal(first % MEMORY_PAGE_BYTES, 0);
    assert_ptr_equal(missing_at(kernel, first + MEMORY_PAGE_BYTES - 1),
        missing_at(kernel, first));
    assert_ptr_not_equal(missing_at(kernel, first), missing_at(kernel, other));
    assert_null(missing_at(kernel, bound(&scene, "NtpmuNorThis")));
    native_release(&scene.native);
}

static struct refused_row {
    const char *name;
    const char *answered[MOST];
    const char *want; /* NULL: it is loaded */
    size_t want_missing;
} refused_rows[] = {
    {"three", {NULL}, "imports 3 names that are not modelled", 3},
    {"one", {"NtpmuAnswered", "NtpmuOfAnother"},
        "imports 1 name that is not modelled", 1},
    {"none", {"NtpmuAnswered", "NtpmuNorThis", "NtpmuOfAnother"}, NULL, 0},
};

/* Where nothing may be missing. */
static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct imports_scene scene;

    load(&scene, row->answered, true);
    assert_int_equal(scene.native.image == NULL, row->want != NULL);
    assert_int_equal(scene.problems.count, row->want != NULL);
    assert_int_equal(
        scene.native.booted.kernel.missing->count, row->want_missing);
    if (row->want != NULL) {
        assert_non_null(strstr(scene.problems.item[0].text, row->want));
    }
    pe_problems_release(&scene.problems);
    native_release(&scene.native);
}

static struct found_row {
    const char *name;
    const char *asked;
    size_t want; /* the answer, from 1; 0: it is none */
    bool want_found;
} found_rows[] = {
    {"answer", "NtpmuByName", 2, true},
    {"other_answer", "NtpmuAnswered", 1, true},
    {"modelled_one_that_is_replaced", "KeGetCurrentIrql", 3, true},
    {"modelled_one", "KfRaiseIrql", 0, true},
    {"nothing", "NtpmuNorThis", 0, false},
};

/* By name, as MmGetSystemRoutineAddress does. */
static void found_row(void **state)
{
    const char *const answered[MOST] = {
        "NtpmuAnswered", "NtpmuByName", "KeGetCurrentIrql"};
    const struct found_row *row = *state;
    struct imports_scene scene;
    struct kernel *kernel = &scene.native.booted.kernel;
    uint64_t address;
    size_t answer;

    load(&scene, answered, false);
    assert_false(scene.answer[1].imported);
    address = imports_find(kernel, row->asked);
    assert_int_equal(address != 0, row->want_found);
    assert_int_equal(
        native_answer_at(kernel, address, &answer), row->want != 0);
    if (row->want != 0) {
        assert_int_equal(answer, row->want - 1);
        assert_true(scene.answer[answer].imported);
    }
    assert_int_equal(scene.answer[1].imported, row->want == 2);
    native_release(&scene.native);
}

static void call(void *argument)
{
    struct imports_scene *scene = argument;
    struct kernel *kernel = &scene->native.booted.kernel;
    const uint64_t given[ANSWER_ARGUMENTS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    scene->native.result = answers_call(kernel, 1, given);
}

static void answer_is_given_what_the_call_has(void **state)
{
    const char *const answered[MOST] = {"NtpmuAnswered", "NtpmuNorThis"};
    struct imports_scene scene;

    (void)state;
    load(&scene, answered, false);
    booted_run(&scene.native.booted, 0, call, &scene);
    assert_int_equal(scene.native.result, 0x1234567890);
    assert_int_equal(scene.gave, 2);
    for (size_t i = 0; i < ANSWER_ARGUMENTS; i++) {
        assert_int_equal(scene.given[i], i + 1);
    }
    native_release(&scene.native);
}

TEST_FILE(test_imports)
{
    TEST_ADD_GROUP(list, "bound", bound_row, bound_rows);
    test_add(list, "missing_names_have_pages_of_their_own",
        missing_names_have_pages_of_their_own, NULL);
    TEST_ADD_GROUP(list, "refused", refused_row, refused_rows);
    TEST_ADD_GROUP(list, "found", found_row, found_rows);
    test_add(list, "answer_is_given_what_the_call_has",
        answer_is_given_what_the_call_has, NULL);
}
