/* file_access.h - shares, attributes, dispositions and options of files (wdm.h;
 * REG-20a), with their rights. */
#ifndef API_NT_FILE_ACCESS_H
#define API_NT_FILE_ACCESS_H

#include "api/nt/access_right.h"

enum { FILE_WRITES = FILE_WRITE_DATA | FILE_APPEND_DATA };

enum { FILE_SHARE_READ = 1, FILE_SHARE_WRITE = 2, FILE_SHARE_DELETE = 4 };

enum {
    FILE_ATTRIBUTE_READONLY = 0x1,
    FILE_ATTRIBUTE_HIDDEN = 0x2,
    FILE_ATTRIBUTE_SYSTEM = 0x4,
    FILE_ATTRIBUTE_DIRECTORY = 0x10,
    FILE_ATTRIBUTE_ARCHIVE = 0x20,
    FILE_ATTRIBUTE_NORMAL = 0x80,
    FILE_ATTRIBUTES_KEPT = FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_HIDDEN |
                           FILE_ATTRIBUTE_SYSTEM | FILE_ATTRIBUTE_ARCHIVE,
};

enum file_disposition {
    FILE_SUPERSEDE,
    FILE_OPEN,
    FILE_CREATE,
    FILE_OPEN_IF,
    FILE_OVERWRITE,
    FILE_OVERWRITE_IF,
    FILE_DISPOSITIONS
};

/* What IO_STATUS_BLOCK's Information says of an open. */
enum {
    FILE_SUPERSEDED,
    FILE_OPENED,
    FILE_CREATED,
    FILE_OVERWRITTEN,
};

enum {
    FILE_DIRECTORY_FILE = 0x1,
    FILE_WRITE_THROUGH = 0x2,
    FILE_SEQUENTIAL_ONLY = 0x4,
    FILE_SYNCHRONOUS_IO_ALERT = 0x10,
    FILE_SYNCHRONOUS_IO_NONALERT = 0x20,
    FILE_SYNCHRONOUS_IO = 0x30,
    FILE_NON_DIRECTORY_FILE = 0x40,
    FILE_RANDOM_ACCESS = 0x800,
    FILE_DELETE_ON_CLOSE = 0x1000,
    FILE_OPEN_FOR_BACKUP_INTENT = 0x4000,
    FILE_NO_COMPRESSION = 0x8000,
    /* Those that are as asked, or make no difference to what is in memory. */
    FILE_OPTIONS_MODELLED = FILE_DIRECTORY_FILE | FILE_WRITE_THROUGH |
                            FILE_SEQUENTIAL_ONLY | FILE_SYNCHRONOUS_IO |
                            FILE_NON_DIRECTORY_FILE | FILE_RANDOM_ACCESS |
                            FILE_DELETE_ON_CLOSE | FILE_OPEN_FOR_BACKUP_INTENT |
                            FILE_NO_COMPRESSION,
};

#endif
