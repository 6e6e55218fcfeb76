/* imports.c - what an image imports: routines by their thunks, variables in a
 * page of their own, what other images export, and a page for each name that
 * nobody models; and MmGetSystemRoutineAddress, which finds the kernel's by
 * name. */
#include "api/image/imports.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/core/answers.h"
#include "api/core/kernel.h"
#include "api/core/missing.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/image/dispatch_table.h"
#include "api/image/image.h"
#include "api/image/native.h"
#include "api/mm/user_memory.h"
#include "api/ob/object_type.h"
#include "api/pe/pe_problems.h"
#include "api/ps/process.h"
#include "api/rtl/counted_string.h"
#include "api/se/well_known.h"

/* No export's name is longer. */
enum { ROUTINE_NAME_CHARS = 64 };

/* A name of exports is plain ASCII; the text is not. */
static bool is_ascii(const WCHAR *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 0 || text[i] > 0x7F) {
            return false;
        }
    }
    return true;
}

/* Of a name that has no row in exports.def nobody knows here whether this
 * Windows has it: it is not there [C], as callers have to expect. */
PVOID MmGetSystemRoutineAddress_body(PUNICODE_STRING SystemRoutineName)
{
    struct kernel *kernel = kernel_current();
    WCHAR text[ROUTINE_NAME_CHARS];
    char name[ROUTINE_NAME_CHARS];
    size_t length =
        unicode_string_read(kernel, ROUTINE_MmGetSystemRoutineAddress,
            SystemRoutineName, text, ROUTINE_NAME_CHARS);

    if (length >= ROUTINE_NAME_CHARS || !is_ascii(text, length)) {
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        name[i] = (char)text[i];
    }
    name[length] = '\0';
    assert(strlen(name) == length);
    return (PVOID)(uintptr_t)imports_find(kernel, name);
}

enum data_export {
#define DATA(name, ...) DATA_##name,
#include "api/core/data_exports.def"
    DATA_COUNT
};

static const struct {
    const char *name;
    enum routine_image image;
} data_exports[DATA_COUNT] = {
#define DATA(name, image, ...) [DATA_##name] = {#name, IMAGE_##image},
#include "api/core/data_exports.def"
};

/* Each at an address that suits any type. */
struct data_page {
#define DATA(name, image, type, value)                                         \
    union {                                                                    \
        type value_of;                                                         \
        uint64_t aligned;                                                      \
    } name;
#include "api/core/data_exports.def"
};

_Static_assert(
    sizeof(struct data_page) <= MEMORY_PAGE_BYTES, "variables have a page");

static const size_t data_offsets[DATA_COUNT] = {
#define DATA(name, ...) [DATA_##name] = offsetof(struct data_page, name),
#include "api/core/data_exports.def"
};

static const char *const image_files[] = {
    [IMAGE_HAL] = "HAL.dll",
    [IMAGE_NTOSKRNL] = "ntoskrnl.exe",
};

/* One of the images that a driver may name. */
static bool find_image(const char *name, enum routine_image *image)
{
    for (enum routine_image i = IMAGE_HAL; i <= IMAGE_NTOSKRNL; i++) {
        if (strcasecmp(name, image_files[i]) == 0) {
            *image = i;
            return true;
        }
    }
    return false;
}

/* Whether what is `of` one image can be imported `from` the other. */
static bool is_exported(
    const struct kernel *kernel, enum routine_image of, enum routine_image from)
{
    return of == from || (of == IMAGE_HAL && kernel->os->hal_moved &&
                             !ruling_is(kernel, RULED_IMP_02_hal_only));
}

static bool find_data(const char *name, enum data_export *data)
{
    for (enum data_export i = 0; i < DATA_COUNT; i++) {
        if (strcmp(data_exports[i].name, name) == 0) {
            *data = i;
            return true;
        }
    }
    return false;
}

/* One that drivers can come by: IoTryQueueWorkItem has no page (WORK-10 [C]).
 */
static bool find_routine(
    const struct kernel *kernel, const char *name, enum routine *routine)
{
    return routine_find(name, routine) &&
           (*routine != ROUTINE_IoTryQueueWorkItem ||
               !ruling_is(kernel, RULED_WORK_10_unbound));
}

static void check_image(const struct kernel *kernel,
    const struct pe_import *import, enum routine_image of,
    enum routine_image from, struct pe_problems *problems)
{
    if (!is_exported(kernel, of, from)) {
        pe_problem(problems, 0,
            "imports %s from %s, and %s has it in %s alone (%s)", import->name,
            import->image, kernel->os->name, image_files[of],
            of == IMAGE_HAL ? "IMP-01, IMP-02" : "IMP-01");
    }
}

static void check_routine(const struct kernel *kernel,
    const struct pe_import *import, enum routine routine,
    enum routine_image from, struct pe_problems *problems)
{
    if (!routine_exists(routine, (enum os)(kernel->os - os_rows))) {
        pe_problem(problems, 0,
            "imports %s, which %s does not export; choose a later os for "
            "the machine",
            import->name, kernel->os->name);
    } else if (routine_rows[routine].image > IMAGE_NTOSKRNL) {
        pe_problem(problems, 0,
            "imports %s, which no image exports: drivers call it through "
            "HalDispatchTable",
            import->name);
    } else {
        check_image(
            kernel, import, routine_rows[routine].image, from, problems);
    }
}

/* From a driver that is loaded. */
static void check_export(const struct image *exporter,
    const struct pe_import *import, struct pe_problems *problems)
{
    const struct pe_export *exported = pe_export_of(&exporter->pe, import);

    if (exported == NULL) {
        pe_problem(problems, 0,
            "imports %s from %s, which is loaded and exports no such thing",
            import->name, import->image);
    } else if (exported->forwarded) {
        pe_problem(problems, 0,
            "imports %s from %s, which forwards it to another image: that is "
            "not modelled",
            import->name, import->image);
    }
}

/* Whether nobody models it. What makes Windows itself refuse the image is a
 * problem; that something is missing is none. */
static bool check_import(struct kernel *kernel, const struct pe_import *import,
    struct pe_problems *problems)
{
    const struct image *exporter;
    enum routine_image from;
    enum routine routine;
    enum data_export data;
    size_t answer;
    bool answered = answers_find(kernel, import->name, &answer);

    if (!find_image(import->image, &from)) {
        exporter = image_named(kernel, import->image);
        if (exporter == NULL) {
            return !answered;
        }
        check_export(exporter, import, problems);
        return false;
    }
    if (answered) {
        return false;
    }
    if (find_routine(kernel, import->name, &routine)) {
        check_routine(kernel, import, routine, from, problems);
        return false;
    }
    if (find_data(import->name, &data)) {
        check_image(kernel, import, data_exports[data].image, from, problems);
        return false;
    }
    return true;
}

static void note_missing(struct kernel *kernel, const struct image *image,
    const struct pe_import *import, uint64_t address)
{
    enum routine_image of;
    const struct missing_import missing = {
        .module = import->image,
        .name = import->name,
        .driver = image->driver->name,
        .variable = missing_is_variable(import->name),
        .foreign = !find_image(import->image, &of),
        .owner = address == 0 ? NULL : image,
        .address = address,
    };

    missing_enter(kernel->missing, &missing);
}

void imports_check(struct kernel *kernel, const struct image *image,
    struct pe_problems *problems)
{
    size_t missing = 0;

    for (size_t i = 0; i < image->pe.import_count; i++) {
        const struct pe_import *import = &image->pe.import[i];

        if (check_import(kernel, import, problems) && kernel->missing->refuse) {
            note_missing(kernel, image, import, 0);
            missing++;
        }
    }
    if (missing > 0) {
        pe_problem(problems, 0,
            "imports %zu name%s that %s not modelled (docs/drivers.md, What "
            "is missing)",
            missing, missing == 1 ? "" : "s", missing == 1 ? "is" : "are");
    }
}

/* The page of variables, made when the first is asked for. NULL: the host has
 * no room. */
static uint8_t *data_page(struct kernel *kernel)
{
    struct native *native = kernel->native;
    struct data_page *page;
    bool set;

    if (native->data == NULL) {
        native->data =
            memory_alloc(&kernel->machine->memory, MEMORY_PAGE_BYTES, 0);
        if (native->data == NULL) {
            return NULL;
        }
        page = (struct data_page *)native->data;
#define DATA(name, image, type, value) page->name.value_of = value;
#include "api/core/data_exports.def"
        set = memory_set(
            &kernel->machine->memory, native->data, 1, MEMORY_READ, false);
        assert(set);
        (void)set;
    }
    return native->data;
}

/* Drivers read what lies there, and nobody but the kernel writes it. */
static void store_data(struct kernel *kernel, enum data_export data,
    const void *value, size_t size)
{
    struct memory *memory = &kernel->machine->memory;
    uint8_t *page = kernel->native->data;
    bool set = memory_set(memory, page, 1, MEMORY_WRITE, false);

    assert(set && data_offsets[data] + size <= MEMORY_PAGE_BYTES);
    memcpy(page + data_offsets[data], value, size);
    set = memory_set(memory, page, 1, MEMORY_READ, false);
    assert(set);
    (void)set;
}

void imports_processor_added(struct kernel *kernel)
{
    CHAR processors = (CHAR)kernel->machine->topology.group_size[0];

    if (kernel->native->data != NULL) {
        store_data(
            kernel, DATA_KeNumberProcessors, &processors, sizeof(processors));
    }
}

/* Of what is answered for; 0: it is not. */
static uint64_t find_answer(struct kernel *kernel, const char *name)
{
    size_t answer;

    if (!answers_find(kernel, name, &answer)) {
        return 0;
    }
    kernel->answers->item[answer].imported = true;
    return native_answer_thunk(kernel, answer);
}

uint64_t imports_find(struct kernel *kernel, const char *name)
{
    enum routine routine;
    enum data_export data;
    const uint8_t *page;
    uint64_t answer = find_answer(kernel, name);

    if (answer != 0) {
        return answer;
    }
    if (find_routine(kernel, name, &routine)) {
        if (routine_rows[routine].image > IMAGE_NTOSKRNL) {
            return 0; /* no image exports it */
        }
        return routine_exists(routine, (enum os)(kernel->os - os_rows))
                   ? native_thunk(kernel, routine)
                   : 0;
    }
    if (!find_data(name, &data)) {
        return 0;
    }
    assert(data < DATA_COUNT && kernel->native->thunks != NULL);
    page = data_page(kernel);
    return page == NULL ? 0 : (uintptr_t)(page + data_offsets[data]);
}

/* Of an image that was not refused. */
static bool is_missing(struct kernel *kernel, const struct pe_import *import)
{
    struct pe_problems problems = {.count = 0};
    bool missing = check_import(kernel, import, &problems);

    assert(problems.count == 0);
    return missing;
}

/* The same name as an import before the n-th, which has a page; 0: none has. */
static uint64_t page_before(const struct image *image, size_t n)
{
    const struct pe_import *import = image->pe.import;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(import[i].name, import[n].name) == 0 &&
            strcmp(import[i].image, import[n].image) == 0) {
            return image->missing_page[i];
        }
    }
    return 0;
}

/* A page for each missing name, which nobody may touch. */
static bool make_pages(struct kernel *kernel, struct image *image)
{
    struct memory *memory = &kernel->machine->memory;
    size_t pages = 0;

    for (size_t i = 0; i < image->pe.import_count; i++) {
        pages += is_missing(kernel, &image->pe.import[i]);
    }
    if (pages == 0) {
        return true;
    }
    image->missing_page =
        calloc(image->pe.import_count, sizeof(*image->missing_page));
    assert(image->missing_page != NULL);
    image->missing = memory_alloc(memory, pages * MEMORY_PAGE_BYTES, 0);
    return image->missing != NULL &&
           memory_set(memory, image->missing, pages, MEMORY_NONE, false);
}

/* Of one that is there. */
static uint64_t address_of(
    struct kernel *kernel, const struct pe_import *import)
{
    const struct image *exporter;
    enum routine_image from;

    if (find_image(import->image, &from)) {
        return imports_find(kernel, import->name);
    }
    exporter = image_named(kernel, import->image);
    if (exporter == NULL) {
        return find_answer(kernel, import->name);
    }
    return (uintptr_t)exporter->base + pe_export_of(&exporter->pe, import)->rva;
}

bool imports_bind(struct kernel *kernel, struct image *image)
{
    uint64_t page;

    if (!make_pages(kernel, image)) {
        return false;
    }
    page = (uintptr_t)image->missing;
    for (size_t i = 0; i < image->pe.import_count; i++) {
        const struct pe_import *import = &image->pe.import[i];
        uint64_t address;

        if (image->missing != NULL && is_missing(kernel, import)) {
            address = page_before(image, i);
            address = address == 0 ? page : address;
            image->missing_page[i] = address;
            page += MEMORY_PAGE_BYTES;
        } else {
            address = address_of(kernel, import);
        }
        /* It exists, and native_prepare() was granted more than a page. */
        assert(address != 0);
        assert(import->slot_rva <= image->pe.image_size - sizeof(address));
        memcpy(image->base + import->slot_rva, &address, sizeof(address));
    }
    return true;
}

void imports_note_missing(struct kernel *kernel, const struct image *image)
{
    /* Its slots may be another import's as well, or where nobody can read. */
    for (size_t i = 0; image->missing != NULL && i < image->pe.import_count;
         i++) {
        if (image->missing_page[i] != 0) {
            note_missing(
                kernel, image, &image->pe.import[i], image->missing_page[i]);
        }
    }
}

static void hold(struct image *image, struct image *exporter)
{
    for (size_t i = 0; i < image->exporter_count; i++) {
        if (image->exporter[i] == exporter) {
            return;
        }
    }
    image->exporter = realloc(
        image->exporter, (image->exporter_count + 1) * sizeof(struct image *));
    assert(image->exporter != NULL && exporter != image);
    image->exporter[image->exporter_count++] = exporter;
    exporter->importers++;
}

void imports_hold(struct kernel *kernel, struct image *image)
{
    for (size_t i = 0; i < image->pe.import_count; i++) {
        const struct pe_import *import = &image->pe.import[i];
        enum routine_image from;
        struct image *exporter = find_image(import->image, &from)
                                     ? NULL
                                     : image_named(kernel, import->image);

        if (exporter != NULL && exporter != image) {
            hold(image, exporter);
        }
    }
}
