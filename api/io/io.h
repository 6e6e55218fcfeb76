/* io.h - the I/O manager's state: what drivers there are, and what is known by
 * name. Made anew with the machine. */
#ifndef API_IO_IO_H
#define API_IO_IO_H

#include <stdint.h>

#include "api/io/record.h"

struct io_driver;
struct io_link;
struct io_request;
struct object;

struct io {
    struct io_driver *drivers;   /* the newest first */
    struct io_link *links;       /* the newest first */
    struct io_request *requests; /* that are not completed */
    struct object *objects;      /* all that have a name */
    struct record_pool driver_pool, device_pool, link_pool, file_pool,
        request_pool;
    uint32_t generated; /* device names that the I/O manager has made up */
};

#endif
