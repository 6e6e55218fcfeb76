/* object.h - the object namespace: what \Device\Sampler is. Windows' own
 * directories are \Device, \Driver, \BaseNamedObjects, \Callback and \??, which
 * \DosDevices and \GLOBAL?? mean too ([C]: there is one session); others are
 * objects of the list (directory.h). */
#ifndef API_IO_OBJECT_H
#define API_IO_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"

struct kernel;

enum {
    OBJECT_NAME_CHARS = 128,
    OBJECT_NAME_TEXT_BYTES = OBJECT_NAME_CHARS + 1, /* with its NUL */
};

enum object_kind {
    OBJECT_DEVICE,
    OBJECT_LINK,
    OBJECT_DRIVER,
    OBJECT_EVENT,
    OBJECT_CALLBACK,
    OBJECT_DIRECTORY,
};

/* Directory and name, as spelt by whoever made it; \DosDevices is \??. */
struct object_name {
    WCHAR text[OBJECT_NAME_CHARS];
    uint16_t length; /* characters; 0: no name */
};

/* The head of each kind's record. */
struct object {
    struct object_name name;
    enum object_kind kind;
    struct object *next; /* in the namespace */
};

/* A full path of `length` characters. STATUS_OBJECT_PATH_SYNTAX_BAD,
 * STATUS_OBJECT_PATH_NOT_FOUND (a directory that there is not),
 * STATUS_OBJECT_NAME_INVALID (an empty name), STATUS_NAME_TOO_LONG. */
NTSTATUS object_name_parse(
    struct object_name *name, const WCHAR *text, size_t length);

/* The name of one of Windows' own directories, \Device, however it is spelt.
 * Returns false when it is none. */
bool object_name_of_directory(
    struct object_name *name, const WCHAR *text, size_t length);

/* The same as object_name_parse(), also for names in directories that drivers
 * have made. */
NTSTATUS object_name_resolve(struct kernel *kernel, struct object_name *name,
    const WCHAR *text, size_t length);

/* The same for a driver's string, which may raise. */
NTSTATUS object_name_read(struct kernel *kernel, enum routine routine,
    struct object_name *name, const UNICODE_STRING *string);

/* The same for our own text. */
NTSTATUS object_name_parse_text(struct object_name *name, const char *text);

/* For people: what is not printable ASCII is a question mark. */
void object_name_text(
    const struct object_name *name, char text[OBJECT_NAME_TEXT_BYTES]);

/* A driver still holds the object of that name. */
void object_found(const struct leak_listing *listing, enum leak leak,
    const struct object_name *name, uint32_t step);

/* The object of that name in the list, whatever the letters' case;
 * NULL when there is none. */
struct object *object_find(
    struct object *first, const struct object_name *name);

/* Nothing in the list has its name, which is one. */
void object_insert(struct object **first, struct object *object);

/* The object is in the list. */
void object_remove(struct object **first, struct object *object);

#endif
