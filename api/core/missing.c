/* missing.c - what drivers import that is not modelled: the list, and the end
 * of a run that needs one of them. */
#include "api/core/missing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/run_end.h"

bool missing_check(const struct missing_imports *missing)
{
    for (size_t i = 0; i < missing->count; i++) {
        const struct missing_import *import = &missing->item[i];

        assert(import->module != NULL && import->name != NULL);
        assert(import->driver != NULL);
        assert(import->address % MEMORY_PAGE_BYTES == 0);
        assert((import->owner == NULL) == (import->address == 0));
    }
    assert(missing->reached <= missing->count);
    return true;
}

void missing_release(struct missing_imports *missing)
{
    for (size_t i = 0; i < missing->count; i++) {
        free(missing->item[i].texts);
    }
    free(missing->item);
    *missing = (struct missing_imports){.count = 0};
}

static bool is_same(
    const struct missing_import *entry, const struct missing_import *import)
{
    return (entry->owner == NULL || entry->owner == import->owner) &&
           strcmp(entry->name, import->name) == 0 &&
           strcmp(entry->module, import->module) == 0 &&
           strcmp(entry->driver, import->driver) == 0;
}

/* With texts of its own, one behind the other. */
static struct missing_import copy_of(const struct missing_import *import)
{
    size_t module = strlen(import->module) + 1;
    size_t name = strlen(import->name) + 1;
    size_t driver = strlen(import->driver) + 1;
    struct missing_import copy = *import;

    copy.texts = malloc(module + name + driver);
    assert(copy.texts != NULL);
    copy.module = memcpy(copy.texts, import->module, module);
    copy.name = memcpy(copy.texts + module, import->name, name);
    copy.driver = memcpy(copy.texts + module + name, import->driver, driver);
    return copy;
}

void missing_append(
    struct missing_imports *missing, const struct missing_import *import)
{
    missing->item =
        realloc(missing->item, (missing->count + 1) * sizeof(*missing->item));
    assert(missing->item != NULL);
    missing->item[missing->count++] = copy_of(import);
    assert(missing_check(missing));
}

void missing_enter(
    struct missing_imports *missing, const struct missing_import *import)
{
    for (size_t i = 0; i < missing->count; i++) {
        struct missing_import *entry = &missing->item[i];

        if (is_same(entry, import)) {
            assert(entry->owner == NULL || entry->address == import->address);
            entry->owner = import->owner;
            entry->address = import->address;
            return;
        }
    }
    missing_append(missing, import);
}

void missing_leave(struct missing_imports *missing, const void *owner)
{
    assert(owner != NULL);
    for (size_t i = 0; i < missing->count; i++) {
        if (missing->item[i].owner == owner) {
            missing->item[i].owner = NULL;
            missing->item[i].address = 0;
        }
    }
}

size_t missing_count(const struct missing_imports *missing, const void *owner)
{
    size_t count = 0;

    for (size_t i = 0; i < missing->count; i++) {
        count += missing->item[i].owner == owner;
    }
    return count;
}

bool missing_is_variable(const char *name)
{
    static const char *const names[] = {
#define VARIABLE(name) #name,
#include "api/core/missing_variables.def"
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

struct missing_import *missing_at(const struct kernel *kernel, uint64_t address)
{
    const struct missing_imports *missing = kernel->missing;

    for (size_t i = 0; i < missing->count; i++) {
        struct missing_import *import = &missing->item[i];

        if (import->owner != NULL && address >= import->address &&
            address - import->address < MEMORY_PAGE_BYTES) {
            return import;
        }
    }
    return NULL;
}

static const char *why(const struct missing_import *import)
{
    if (import->foreign) {
        return "which is not modelled, and no driver of that name was loaded "
               "before";
    }
    return import->variable ? "a variable that is not modelled"
                            : "which is not modelled";
}

_Noreturn void missing_stop(struct kernel *kernel,
    struct missing_import *import, enum missing_use use, const char *routine)
{
    static const char *const verbs[] = {
        [MISSING_CALLED] = "called",
        [MISSING_READ] = "read",
        [MISSING_WRITTEN] = "wrote to",
    };
    uint64_t at = place_current(kernel);
    char place[PLACE_BYTES];

    kernel->missing->reached = (size_t)(import - kernel->missing->item) + 1;
    assert(missing_check(kernel->missing));
    if (missing_at(kernel, at) == import) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "the driver gave the kernel %.128s of %.64s to call, which is not "
            "modelled",
            import->name, import->module);
    }
    place_name(kernel, at, place, sizeof(place));
    run_end_stop(kernel, RUN_NOT_MODELLED, "%s %s %.128s of %.64s at %s, %s",
        routine == NULL ? "the driver" : routine, verbs[use], import->name,
        import->module, place, why(import));
}
