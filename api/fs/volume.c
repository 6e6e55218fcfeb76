/* volume.c - the volume C: in memory: its directories and files found, made,
 * grown and removed. What was removed is used again. */
#include "api/fs/volume.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/ke/clock.h"
#include "api/nt/file_access.h"
#include "api/text/character.h"

static bool same_name(
    const struct volume_name *first, const struct volume_name *second)
{
    if (first->length != second->length) {
        return false;
    }
    for (size_t i = 0; i < first->length; i++) {
        if (character_upper(first->unit[i]) !=
            character_upper(second->unit[i])) {
            return false;
        }
    }
    return true;
}

int64_t volume_now(struct kernel *kernel)
{
    return (int64_t)(CLOCK_BOOT_TIME + (kernel->machine->running == NULL
                                               ? 0 /* nothing has run yet */
                                               : clock_interrupt_time(kernel)));
}

struct volume_file *volume_find(
    const struct volume_file *directory, const struct volume_name *name)
{
    struct volume_file *found = directory->first;

    while (found != NULL && !same_name(&found->name, name)) {
        found = found->next;
    }
    return found;
}

/* Memory of the guest's, or of what is there before any driver asks. */
typedef void *volume_memory(struct arena *arena, size_t size);

static struct volume_file *take_file(struct kernel *kernel, volume_memory *take)
{
    struct volume_file *file = kernel->volume->spare;

    if (file == NULL) {
        return take(&kernel->machine->arena, sizeof(*file)); /* without room */
    }
    kernel->volume->spare = file->next;
    return file;
}

static struct volume_file *add(struct kernel *kernel, volume_memory *take,
    struct volume_file *directory, const struct volume_name *name)
{
    struct volume_file *file = take_file(kernel, take);
    int64_t now = volume_now(kernel);

    assert(name->length <= VOLUME_NAME_UNITS);
    if (file == NULL) {
        return NULL;
    }
    *file = (struct volume_file){.parent = directory,
        .name = {file->unit, name->length},
        .data = file->data,
        .capacity = file->capacity,
        .times = {now, now, now, now}};
    memcpy(file->unit, name->unit, name->length * sizeof(WCHAR));
    if (directory != NULL) {
        assert(directory->directory && volume_find(directory, name) == NULL);
        file->next = directory->first;
        directory->first = file;
        directory->times.written = directory->times.changed = now;
    }
    return file;
}

struct volume_file *volume_add(struct kernel *kernel,
    struct volume_file *directory, const struct volume_name *name,
    bool is_directory)
{
    struct volume_file *file =
        add(kernel, arena_alloc_for_guest, directory, name);

    if (file != NULL) {
        file->directory = is_directory;
        volume_set_attributes(file, 0);
    }
    return file;
}

void volume_set_attributes(struct volume_file *file, ULONG asked)
{
    file->attributes = (asked & FILE_ATTRIBUTES_KEPT) |
                       (file->directory ? FILE_ATTRIBUTE_DIRECTORY : 0);
    if (file->attributes == 0) {
        file->attributes = FILE_ATTRIBUTE_NORMAL;
    }
}

void volume_remove(struct kernel *kernel, struct volume_file *file)
{
    struct volume_file **link = &file->parent->first;

    assert(file->first == NULL);
    while (*link != file) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = file->next;
    file->next = kernel->volume->spare;
    kernel->volume->spare = file;
}

/* Twice as much as before at least, so that files that grow by a little do not
 * take room each time. */
static bool grow(struct kernel *kernel, struct volume_file *file, uint64_t size)
{
    uint64_t capacity = file->capacity == 0 ? VOLUME_CLUSTER : file->capacity;
    uint8_t *data;

    while (capacity < size) {
        capacity *= 2;
    }
    data = arena_alloc_for_guest(&kernel->machine->arena, capacity);
    if (data == NULL) {
        return false;
    }
    if (file->size > 0) {
        memcpy(data, file->data, file->size);
    }
    file->data = data;
    file->capacity = capacity;
    return true;
}

bool volume_resize(
    struct kernel *kernel, struct volume_file *file, uint64_t size)
{
    assert(!file->directory && size <= VOLUME_FILE_BYTES);
    if (size > file->capacity && !grow(kernel, file, size)) {
        return false;
    }
    if (size > file->size) {
        memset(file->data + file->size, 0, size - file->size);
    }
    file->size = size;
    return true;
}

static const WCHAR windows[] = {'W', 'i', 'n', 'd', 'o', 'w', 's'};

const struct volume_name volume_windows = {
    windows, sizeof(windows) / sizeof(windows[0])};

const char *const volume_boot_paths[] = {
    "Windows\\System32\\drivers", "Windows\\Temp", NULL};

static struct volume_file *make(
    struct kernel *kernel, struct volume_file *directory, const char *text)
{
    WCHAR unit[VOLUME_NAME_UNITS];
    const struct volume_name name = {unit, strcspn(text, "\\")};
    struct volume_file *made = NULL;

    for (size_t i = 0; i < name.length; i++) {
        unit[i] = (uint8_t)text[i];
    }
    if (directory != NULL) {
        made = volume_find(directory, &name);
    }
    if (made == NULL) {
        made = add(kernel, arena_alloc, directory, &name);
        assert(made != NULL); /* no guest gets at the reserve */
        made->directory = true;
        volume_set_attributes(made, 0);
    }
    return made;
}

struct volume_file *volume_root(struct kernel *kernel)
{
    struct volume *volume = kernel->volume;

    if (volume->root != NULL) {
        return volume->root;
    }
    volume->root = make(kernel, NULL, "");
    for (const char *const *path = volume_boot_paths; *path != NULL; path++) {
        struct volume_file *at = volume->root;

        for (const char *name = *path; *name != '\0';) {
            at = make(kernel, at, name);
            name += strcspn(name, "\\");
            name += *name == '\\';
        }
    }
    return volume->root;
}

size_t volume_path(const struct volume_file *file, WCHAR *unit, size_t room)
{
    size_t total = 0, at;

    for (const struct volume_file *f = file; f->parent != NULL; f = f->parent) {
        total += 1 + f->name.length;
    }
    if (total == 0) {
        if (room > 0) {
            unit[0] = '\\';
        }
        return 1;
    }
    at = total;
    for (const struct volume_file *f = file; f->parent != NULL; f = f->parent) {
        at -= 1 + f->name.length;
        for (size_t i = 0; i <= f->name.length && at + i < room; i++) {
            unit[at + i] = i == 0 ? '\\' : f->name.unit[i - 1];
        }
    }
    return total;
}
