/* volume_path.h - paths of files as drivers write them: what they begin with,
 * and which names may stand behind it. */
#ifndef API_FS_VOLUME_PATH_H
#define API_FS_VOLUME_PATH_H

#include "api/fs/volume.h"

/* The beginning of a path. */
struct volume_start {
    size_t length;    /* with the backslash behind it */
    bool system_root; /* \SystemRoot, which is \Windows; else the volume itself
                       */
};

/* Whether the path begins with one of the names that the volume has, without
 * case, or with \SystemRoot, and ends there or goes on with a backslash. */
bool volume_path_starts(
    const WCHAR *unit, size_t length, struct volume_start *start);

/* Whether a file can have that name: neither control characters nor any that
 * mean something else in a path. */
bool volume_name_is_right(const struct volume_name *name);

/* The next name of a path from `*at` on, which then stands behind the backslash
 * that follows. */
struct volume_name volume_path_name(
    const WCHAR *unit, size_t length, size_t *at);

#endif
