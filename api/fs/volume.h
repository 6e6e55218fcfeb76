/* volume.h - the one volume there is, C:, as a tree of directories and files
 * with what is in them. At each boot it has \Windows\System32\drivers and
 * \Windows\Temp, and no file. Knows nothing of handles and rights. */
#ifndef API_FS_VOLUME_H
#define API_FS_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/nt.h"

struct kernel;

enum {
    VOLUME_NAME_UNITS = 255,      /* the most in a file's name */
    VOLUME_FILE_BYTES = 16 << 20, /* the most in a file [C] */
    VOLUME_CLUSTER = 4096,
};

/* Characters of a name or a path. */
struct volume_name {
    const WCHAR *unit;
    size_t length;
};

/* In system time. */
struct volume_times {
    int64_t created, accessed, written, changed;
};

struct volume_file {
    WCHAR unit[VOLUME_NAME_UNITS];
    struct volume_name name;    /* those */
    struct volume_file *parent; /* NULL: the root */
    struct volume_file *first;  /* below it, made last */
    struct volume_file *next;
    uint8_t *data;
    uint64_t size, capacity;
    struct volume_times times;
    ULONG attributes;
    bool directory;
    bool pending; /* it goes when nobody has it open any more */
    uint32_t opens;
};

struct volume {
    struct volume_file *root;  /* NULL: nobody has asked yet */
    struct volume_file *spare; /* removed, with the room that their data had */
};

/* The name of the directory that \SystemRoot is. */
extern const struct volume_name volume_windows;

/* The paths of the directories that are there at each boot; then NULL. */
extern const char *const volume_boot_paths[];

/* The root, which is made with what is there at each boot. */
struct volume_file *volume_root(struct kernel *kernel);

/* NULL: there is none of that name, compared without case. */
struct volume_file *volume_find(
    const struct volume_file *directory, const struct volume_name *name);

/* One that is not there yet. NULL: no room. */
struct volume_file *volume_add(struct kernel *kernel,
    struct volume_file *directory, const struct volume_name *name,
    bool is_directory);

/* It is taken out of its directory, and gone; it is not the root, and empty. */
void volume_remove(struct kernel *kernel, struct volume_file *file);

/* Its size becomes this, at most VOLUME_FILE_BYTES; what is new is 0. False: no
 * room. */
bool volume_resize(
    struct kernel *kernel, struct volume_file *file, uint64_t size);

/* It has those attributes of the ones asked for that are kept. */
void volume_set_attributes(struct volume_file *file, ULONG asked);

/* The system's time, as times of files are. */
int64_t volume_now(struct kernel *kernel);

/* The path from the root on, \Windows\Temp; returns its characters, of which at
 * most `room` are written. */
size_t volume_path(const struct volume_file *file, WCHAR *unit, size_t room);

#endif
