/* missing.h - what drivers import that is not modelled. Each name has a page
 * that nobody may touch; whoever calls or touches it ends the run by the name.
 * Knows nothing of images: who loads one gives its names pages. */
#ifndef API_CORE_MISSING_H
#define API_CORE_MISSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

/* One name that an image imports; a list has its own copies of the texts. */
struct missing_import {
    const char *module, *name; /* as the image has them */
    const char *driver;        /* whose image it is, by name */
    bool variable;             /* it is known as one; else as nothing */
    bool foreign;              /* its module is none of the kernel's */
    const void *owner;         /* the image; NULL: it is gone */
    uint64_t address;          /* of its page, while there is an owner */
    char *texts;               /* those copies; NULL: in no list */
};

struct missing_imports {
    struct missing_import *item; /* in order of loading */
    size_t count;
    size_t reached; /* the one that has ended the run, from 1; 0: none has */
    bool refuse;    /* an image that has any is not loaded */
};

enum missing_use { MISSING_CALLED, MISSING_READ, MISSING_WRITTEN };

/* Is true: ends the process where they are not as they always are. */
bool missing_check(const struct missing_imports *missing);

void missing_release(struct missing_imports *missing);

/* Adds one behind the others. */
void missing_append(
    struct missing_imports *missing, const struct missing_import *import);

/* Enters one that an image of that name has not had before; its entry is used
 * again when the image is loaded again. */
void missing_enter(
    struct missing_imports *missing, const struct missing_import *import);

/* The image is gone: nobody comes to its names any more. */
void missing_leave(struct missing_imports *missing, const void *owner);

/* How many of them are of that owner. */
size_t missing_count(const struct missing_imports *missing, const void *owner);

/* Whether the name is that of a variable of the kernel. */
bool missing_is_variable(const char *name);

/* The one in whose page the address lies; NULL: it is none's. */
struct missing_import *missing_at(
    const struct kernel *kernel, uint64_t address);

/* Ends the run: the driver's code has used it, or the routine has for the
 * driver; NULL: no routine has. */
_Noreturn void missing_stop(struct kernel *kernel,
    struct missing_import *import, enum missing_use use, const char *routine);

#endif
