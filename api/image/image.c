/* image.c - a driver's image loaded and unloaded: decoding, which can fail,
 * then mapping, which fails for lack of memory only. */
#include "api/image/image.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/core/integrity.h"
#include "api/core/kernel.h"
#include "api/core/missing.h"
#include "api/image/host.h"
#include "api/image/image_scan.h"
#include "api/image/imports.h"
#include "api/image/native.h"
#include "api/pe/pe_integrity.h"

static size_t pages_of(uint32_t bytes)
{
    return (bytes + (size_t)MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
}

bool image_check(const struct image *image)
{
    assert(image->name[IMAGE_NAME_BYTES - 1] == '\0');
    assert(image->base != NULL && image->driver != NULL);
    assert((uintptr_t)image->base % MEMORY_PAGE_BYTES == 0);
    assert(image->pe.image_size > 0 && image->pe.image_size <= PE_IMAGE_MAX);
    assert(pe_check(&image->pe));
    assert(patch_check(&image->patch, image->pe.image_size));
    return true;
}

struct image *image_ever_at(struct kernel *kernel, uint64_t address)
{
    struct image *image = kernel->native->images;

    while (image != NULL &&
           (address < (uintptr_t)image->base ||
               address - (uintptr_t)image->base >= image->pe.image_size)) {
        image = image->next;
    }
    return image;
}

struct image *image_at(struct kernel *kernel, uint64_t address)
{
    struct image *image = image_ever_at(kernel, address);

    return image == NULL || image->unloaded ? NULL : image;
}

struct image *image_named(struct kernel *kernel, const char *name)
{
    struct image *image = kernel->native->images;

    while (image != NULL &&
           (image->unloaded || strcasecmp(image->name, name) != 0)) {
        image = image->next;
    }
    return image;
}

bool image_is_code(struct kernel *kernel, uint64_t address)
{
    return image_at(kernel, address) != NULL &&
           memory_allows(&kernel->machine->memory,
               (const void *)(uintptr_t)address, 1, MEMORY_EXECUTE);
}

const char *image_transient_section(struct kernel *kernel, uint64_t address)
{
    const struct image *image = image_at(kernel, address);
    const struct pe_section *section =
        image == NULL
            ? NULL
            : pe_section_at(&image->pe, address - (uintptr_t)image->base, 1);

    return section != NULL && (section->pageable || section->discardable)
               ? section->name
               : NULL;
}

static unsigned section_access(const struct pe_section *section)
{
    return (section->readable ? MEMORY_READ : 0U) |
           (section->writable ? MEMORY_WRITE : 0U) |
           (section->executable ? MEMORY_EXECUTE : 0U);
}

/* As all that no section is: it can be read. */
static bool is_constant(const struct pe_section *section)
{
    return section_access(section) == MEMORY_READ && !section->pageable;
}

static bool protect(struct kernel *kernel, struct image *image)
{
    struct memory *memory = &kernel->machine->memory;
    bool all = memory_set(memory, image->base, pages_of(image->pe.image_size),
        MEMORY_READ, false);

    for (size_t i = 0; all && i < image->pe.section_count; i++) {
        const struct pe_section *section = &image->pe.section[i];

        all = is_constant(section) ||
              memory_set(memory, image->base + section->rva,
                  pages_of(section->size), section_access(section),
                  section->pageable);
    }
    return all;
}

static void store(struct image *image, uint32_t rva, uint64_t value)
{
    assert(rva <= image->pe.image_size - sizeof(value));
    memcpy(image->base + rva, &value, sizeof(value));
}

/* What the loader of Windows writes into an image besides its imports. */
static void fill_slots(struct kernel *kernel, struct image *image)
{
    const struct pe *pe = &image->pe;
    /* Of 48 bits, and not the default that a driver's own check refuses; the
     * same in every run. */
    const uint64_t cookie = UINT64_C(0x0000A5C3961E78D2);

    if (pe->cookie_rva != 0) {
        store(image, pe->cookie_rva, cookie);
    }
    if (pe->guard_check_rva != 0) {
        store(image, pe->guard_check_rva, kernel->native->nothing);
    }
    if (pe->guard_dispatch_rva != 0) {
        store(image, pe->guard_dispatch_rva, kernel->native->jump);
    }
}

/* Puts the image that was read into memory. */
static bool map(
    struct kernel *kernel, struct image *image, const struct patch *known)
{
    struct memory *memory = &kernel->machine->memory;
    size_t bytes = pages_of(image->pe.image_size) * MEMORY_PAGE_BYTES;

    image->base = memory_alloc(memory, bytes, 0);
    if (image->base == NULL) {
        return false;
    }
    memory_fetch(memory, image->base);
    pe_place(&image->pe, image->base, (uintptr_t)image->base);
    if (!imports_bind(kernel, image)) {
        return false;
    }
    fill_slots(kernel, image);
    if (!image_scan_known(&image->pe, image->base, known, &image->patch)) {
        return false;
    }
    patch_apply(&image->patch, image->base);
    return protect(kernel, image);
}

/* What memory integrity would have otherwise. */
static void report_integrity(struct kernel *kernel, const struct image *image)
{
    static const enum rule rules[] = {
        [PE_WRITE_EXECUTE] = RULE_INTEGRITY_WRITE_EXECUTE,
        [PE_IMPORT_TABLE] = RULE_INTEGRITY_IMPORT_TABLE,
        [PE_COOKIE] = RULE_INTEGRITY_COOKIE,
        [PE_CONTROL_FLOW] = RULE_INTEGRITY_CONTROL_FLOW,
    };
    struct pe_finding finding[PE_FINDINGS_MAX];
    size_t count = pe_integrity(&image->pe, finding);

    for (size_t i = 0; i < count; i++) {
        const struct pe_section *section = finding[i].section;
        const struct bugcheck_parameter parameter[3] = {{.name = image->name},
            {.name = "section header"},
            {.name = section == NULL ? NULL : section->name}};
        char subject[RULE_SUBJECT_BYTES];

        if (section == NULL) {
            snprintf(subject, sizeof(subject), "%s", finding[i].why);
        } else {
            snprintf(subject, sizeof(subject), "section %s%s", section->name,
                section->discardable ? ", which is discardable" : "");
        }
        integrity_report(kernel, rules[finding[i].kind], ROUTINE_COUNT, 0,
            subject, parameter);
    }
}

static void append(struct kernel *kernel, struct image *image)
{
    struct image **link = &kernel->native->images;

    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = image;
}

/* Microsoft's linkers have the versions of Visual C++, which had got to 12 when
 * the WDK of Windows 10 came with 14; others of today's say 14 or 2. */
static bool has_old_headers(const struct pe *pe)
{
    enum { VISUAL_C_6 = 6, VISUAL_C_2013 = 12 };

    return pe->linker >= VISUAL_C_6 && pe->linker <= VISUAL_C_2013;
}

static void free_pages(struct kernel *kernel, struct image *image)
{
    free(image->missing_page);
    image->missing_page = NULL;
    if (image->base != NULL) {
        memory_free(&kernel->machine->memory, image->base);
    }
    if (image->missing != NULL) {
        memory_free(&kernel->machine->memory, image->missing);
    }
}

/* Its pages are not touched. */
static void forget(struct image *image)
{
    patch_release(&image->patch);
    pe_release(&image->pe);
    free(image->exporter);
    free(image->missing_page);
    free(image);
}

/* It was to end, and others import from it: Windows has each image once. */
static bool still_mapped(
    struct kernel *kernel, const char *name, struct pe_problems *problems)
{
    const struct image *before = image_named(kernel, name);

    if (before == NULL || !before->leaving) {
        return false;
    }
    pe_problem(problems, 0,
        "it is still in memory, for others import from it: unload those first");
    return true;
}

struct image *image_load(struct kernel *kernel, const char *name,
    struct driver *driver, const uint8_t *bytes, size_t size,
    const struct patch *known, struct pe_problems *problems)
{
    struct image *image = calloc(1, sizeof(*image));

    assert(image != NULL);
    *problems = (struct pe_problems){0};
    snprintf(image->name, sizeof(image->name), "%s", name);
    image->driver = driver;
    if (kernel->arch_id != ARCH_X64) {
        pe_problem(problems, 0,
            "an x64 image cannot run on %s; the machine's "
            "arch has to be x64",
            kernel->arch->name);
    } else if (still_mapped(kernel, name, problems)) {
        /* It is said. */
    } else if (pe_read(&image->pe, bytes, size, problems)) {
        imports_check(kernel, image, problems);
        if (problems->count == 0 &&
            (!native_prepare(kernel) || !map(kernel, image, known))) {
            pe_problem(problems, 0, "there is no guest memory left for it");
        }
        if (problems->count == 0) {
            assert(image_ever_at(kernel, (uintptr_t)image->base) == NULL);
            append(kernel, image);
            imports_note_missing(kernel, image);
            imports_hold(kernel, image);
            driver->old_headers = has_old_headers(&image->pe);
            assert(image_check(image) && native_check(kernel->native));
            if (integrity_asked(kernel)) {
                report_integrity(kernel, image);
            }
            return image;
        }
        free_pages(kernel, image);
    }
    forget(image);
    return NULL;
}

static void leave(struct kernel *kernel, struct image *image)
{
    assert(!image->unloaded && image_check(image) && image->importers == 0);
    assert(image_at(kernel, (uintptr_t)image->base) == image);
    image->unloaded = true;
    missing_leave(kernel->missing, image);
    free_pages(kernel, image);
}

void image_unload(struct kernel *kernel, struct image *image)
{
    if (image->importers > 0) {
        image->leaving = true;
        return;
    }
    leave(kernel, image);
    /* Those it imports from were loaded before it, so this ends. */
    for (size_t i = 0; i < image->exporter_count; i++) {
        struct image *exporter = image->exporter[i];

        assert(exporter->importers > 0);
        exporter->importers--;
        if (exporter->leaving) {
            image_unload(kernel, exporter);
        }
    }
}

void image_release_all(struct kernel *kernel)
{
    while (kernel->native->images != NULL) {
        struct image *image = kernel->native->images;

        assert(image_check(image));
        kernel->native->images = image->next;
        forget(image);
    }
}

void image_discard(struct kernel *kernel, struct image *image)
{
    assert(!image->unloaded && !image->discarded);
    for (size_t i = 0; i < image->pe.section_count; i++) {
        const struct pe_section *section = &image->pe.section[i];

        if (section->discardable) {
            /* Only less than before: it cannot be refused. */
            memory_set(&kernel->machine->memory, image->base + section->rva,
                pages_of(section->size), MEMORY_NONE, false);
        }
    }
    image->discarded = true;
}
