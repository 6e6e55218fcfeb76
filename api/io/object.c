/* object.c - names of objects: parsed, compared, and found in the one list
 * that there is. */
#include "api/io/object.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/io/io.h"
#include "api/rtl/counted_string.h"
#include "api/text/character.h"

static const struct {
    const char *spelling, *meaning;
} directories[] = {
    {"\\Device\\", "\\Device\\"},
    {"\\Driver\\", "\\Driver\\"},
    {"\\Callback\\", "\\Callback\\"},
    {"\\BaseNamedObjects\\", "\\BaseNamedObjects\\"},
    {"\\??\\", "\\??\\"},
    {"\\DosDevices\\", "\\??\\"},
    {"\\GLOBAL\?\?\\", "\\??\\"},
};

enum {
    DIRECTORIES = sizeof(directories) / sizeof(directories[0]),
    OBJECT_PATH_CHARS = OBJECT_NAME_CHARS + 16, /* before it is shortened */
};

/* The text begins as the first `most` characters of `start` are. */
static bool begins_with(
    const WCHAR *text, size_t length, const char *start, size_t most)
{
    size_t i = 0;

    while (i < most && i < length &&
           character_upper(text[i]) == character_upper((WCHAR)start[i])) {
        i++;
    }
    return i == most;
}

static bool has_separator(const WCHAR *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            return true;
        }
    }
    return false;
}

/* What is in the list: full paths of directories that there are. */
static bool name_check(const struct object_name *name)
{
    assert(name->length > 0 && name->length <= OBJECT_NAME_CHARS);
    assert(name->text[0] == '\\' && name->text[name->length - 1] != '\\');
    return true;
}

/* ASCII behind what there is. */
static void append(struct object_name *name, const char *text)
{
    while (*text != '\0') {
        name->text[name->length++] = (WCHAR)*text++;
    }
}

/* The name behind a directory's own. */
static NTSTATUS parse_in(struct object_name *name, const char *directory,
    const WCHAR *text, size_t length)
{
    size_t start = strlen(directory);

    if (length == 0) {
        return STATUS_OBJECT_NAME_INVALID;
    }
    if (has_separator(text, length)) {
        return STATUS_OBJECT_PATH_NOT_FOUND; /* no directory has directories */
    }
    if (length > OBJECT_NAME_CHARS - start) {
        return STATUS_NAME_TOO_LONG;
    }
    name->length = 0;
    append(name, directory);
    memcpy(&name->text[name->length], text, length * sizeof(*text));
    name->length = (uint16_t)(name->length + length);
    assert(name_check(name));
    return STATUS_SUCCESS;
}

NTSTATUS object_name_parse(
    struct object_name *name, const WCHAR *text, size_t length)
{
    if (length == 0 || text[0] != '\\') {
        return STATUS_OBJECT_PATH_SYNTAX_BAD;
    }
    for (unsigned i = 0; i < DIRECTORIES; i++) {
        size_t skip = strlen(directories[i].spelling);

        if (begins_with(text, length, directories[i].spelling, skip)) {
            return parse_in(
                name, directories[i].meaning, text + skip, length - skip);
        }
    }
    return STATUS_OBJECT_PATH_NOT_FOUND;
}

bool object_name_of_directory(
    struct object_name *name, const WCHAR *text, size_t length)
{
    for (unsigned i = 0; i < DIRECTORIES; i++) {
        size_t end = strlen(directories[i].spelling) - 1;

        if (length != end ||
            !begins_with(text, length, directories[i].spelling, end)) {
            continue;
        }
        name->length = 0;
        append(name, directories[i].meaning);
        name->length--; /* without the backslash at its end */
        return true;
    }
    return false;
}

/* The name of what lies in a directory that a driver has made. */
static NTSTATUS resolve_in_made(struct kernel *kernel, struct object_name *name,
    const WCHAR *text, size_t length)
{
    size_t end = length;
    struct object_name directory;
    const struct object *found;

    while (end > 0 && text[end - 1] != '\\') {
        end--;
    }
    if (end < 2 ||
        !NT_SUCCESS(object_name_resolve(kernel, &directory, text, end - 1))) {
        return STATUS_OBJECT_PATH_NOT_FOUND;
    }
    found = object_find(kernel->io->objects, &directory);
    if (found == NULL || found->kind != OBJECT_DIRECTORY) {
        return STATUS_OBJECT_PATH_NOT_FOUND;
    }
    if (end == length) {
        return STATUS_OBJECT_NAME_INVALID;
    }
    if (directory.length + 1 + (length - end) > OBJECT_NAME_CHARS) {
        return STATUS_NAME_TOO_LONG;
    }
    *name = directory;
    name->text[name->length++] = '\\';
    memcpy(
        &name->text[name->length], &text[end], (length - end) * sizeof(*text));
    name->length = (uint16_t)(name->length + (length - end));
    assert(name_check(name));
    return STATUS_SUCCESS;
}

NTSTATUS object_name_resolve(struct kernel *kernel, struct object_name *name,
    const WCHAR *text, size_t length)
{
    NTSTATUS status = object_name_parse(name, text, length);

    return status == STATUS_OBJECT_PATH_NOT_FOUND
               ? resolve_in_made(kernel, name, text, length)
               : status;
}

NTSTATUS object_name_read(struct kernel *kernel, enum routine routine,
    struct object_name *name, const UNICODE_STRING *string)
{
    WCHAR text[OBJECT_PATH_CHARS];
    size_t length =
        unicode_string_read(kernel, routine, string, text, OBJECT_PATH_CHARS);

    if (length > OBJECT_PATH_CHARS) {
        return STATUS_NAME_TOO_LONG;
    }
    return object_name_resolve(kernel, name, text, length);
}

NTSTATUS object_name_parse_text(struct object_name *name, const char *text)
{
    WCHAR wide[OBJECT_PATH_CHARS];
    size_t length = strlen(text);

    assert(length <= OBJECT_PATH_CHARS);
    for (size_t i = 0; i < length; i++) {
        wide[i] = (uint8_t)text[i];
    }
    return object_name_parse(name, wide, length);
}

void object_name_text(
    const struct object_name *name, char text[OBJECT_NAME_TEXT_BYTES])
{
    size_t length = name->length;

    assert(length <= OBJECT_NAME_CHARS);
    for (size_t i = 0; i < length; i++) {
        WCHAR c = name->text[i];

        text[i] = (char)(c >= ' ' && c <= '~' ? c : '?');
    }
    text[length] = '\0';
}

static bool same_name(const struct object_name *a, const struct object_name *b)
{
    if (a->length != b->length) {
        return false;
    }
    for (unsigned i = 0; i < a->length; i++) {
        if (character_upper(a->text[i]) != character_upper(b->text[i])) {
            return false;
        }
    }
    return true;
}

struct object *object_find(struct object *first, const struct object_name *name)
{
    struct object *object = first;

    assert(name_check(name));
    while (object != NULL && !same_name(&object->name, name)) {
        object = object->next;
    }
    return object;
}

void object_insert(struct object **first, struct object *object)
{
    assert(object_find(*first, &object->name) == NULL);
    object->next = *first;
    *first = object;
}

void object_remove(struct object **first, struct object *object)
{
    struct object **link = first;

    while (*link != object) {
        assert(*link != NULL);
        link = &(*link)->next;
    }
    *link = object->next;
}

void object_found(const struct leak_listing *listing, enum leak leak,
    const struct object_name *name, uint32_t step)
{
    char text[OBJECT_NAME_TEXT_BYTES];

    object_name_text(name, text);
    leaks_found(
        listing, leak, name->length == 0 ? "without a name" : text, step);
}
