/* image.h - a driver's image in the guest's memory: loaded whole or not at
 * all. */
#ifndef API_IMAGE_IMAGE_H
#define API_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/driver.h"
#include "api/core/place.h"
#include "api/core/show.h"
#include "api/image/patch.h"
#include "api/nt/nt.h"
#include "api/pe/pe.h"

struct io_driver;
struct kernel;

enum { IMAGE_NAME_BYTES = 64 };

struct image {
    char name[IMAGE_NAME_BYTES]; /* the file's, without directory */
    struct driver *driver;       /* who makes its calls; the loader's */
    struct pe pe;
    struct patch patch;
    uint8_t *base;           /* guest memory */
    uint8_t *missing;        /* the same: a page for each name; NULL: none is */
    uint64_t *missing_page;  /* its address, by import; 0: that is there */
    bool unloaded;           /* only its names are left */
    bool discarded;          /* its discardable sections are gone */
    bool leaving;            /* it was to end, and others import from it */
    size_t importers;        /* loaded images that do */
    struct image **exporter; /* those that it imports from, each once */
    size_t exporter_count;
    struct io_driver *io;
    struct image *next;
};

/* Is true: ends the process where something of it is not as it always is. */
bool image_check(const struct image *image);

/* Reads, checks and maps an image. `bytes` and `driver` must live as long as
 * the image does. `name` is the file's. `known` is what image_scan_file() found
 * in these bytes; NULL: nobody has looked. NULL when it cannot be loaded; then
 * `problems`, which the caller releases, says everything that is wrong, and
 * nothing has changed but that kernel->missing has the names for which it was
 * refused. */
struct image *image_load(struct kernel *kernel, const char *name,
    struct driver *driver, const uint8_t *bytes, size_t size,
    const struct patch *known, struct pe_problems *problems);

/* Ends the image, where others import from it when they have ended: its
 * addresses stay inaccessible, and places in it can still be named. */
void image_unload(struct kernel *kernel, struct image *image);

/* Takes away the sections that are for the initialisation only. */
void image_discard(struct kernel *kernel, struct image *image);

/* Gives back what images took on the host; their memory is the machine's. */
void image_release_all(struct kernel *kernel);

/* For rooms below (kernel_hooks): places in the code of images, and what their
 * addresses are in a trace (image_place.c). */
extern const struct place_finder image_places;
extern const struct show_namer image_namer;

/* The image that holds or held the address; NULL: none. */
struct image *image_ever_at(struct kernel *kernel, uint64_t address);

/* The loaded image of that file, in any case of letters; NULL: none. */
struct image *image_named(struct kernel *kernel, const char *name);

/* The loaded image that holds the address; NULL: none. */
struct image *image_at(struct kernel *kernel, uint64_t address);

/* Whether the address is in an executable section of a loaded image. */
bool image_is_code(struct kernel *kernel, uint64_t address);

/* The name of the pageable or discardable section of a loaded image that the
 * address lies in; NULL: it lies in none. */
const char *image_transient_section(struct kernel *kernel, uint64_t address);

#endif
