/* io.h - the I/O manager's state: what drivers there are, and what is known by
 * name. Made anew with the machine. */
#ifndef API_IO_IO_H
#define API_IO_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/rules.h"
#include "sim/base/record_pool.h"

struct io_driver;
struct io_file;
struct io_link;
struct io_request;
struct kernel;
struct object;
struct safe_completion;
struct shutdown_notification;

enum { IO_CELLS = 16 };

struct io {
    struct io_driver *drivers;           /* the newest first */
    struct io_link *links;               /* the newest first */
    struct io_request *requests;         /* that are not completed */
    struct safe_completion *completions; /* that have not been called */
    struct object *objects;              /* all that have a name */
    KSPIN_LOCK *cancel_lock; /* guest memory; NULL: not needed yet */
    KIRQL *cell[IO_CELLS];   /* likewise, for callbacks that write one */
    bool cell_used[IO_CELLS];
    struct io_file *files;                   /* all that are there */
    struct shutdown_notification *shutdowns; /* the newest first */
    struct record_pool driver_pool, device_pool, link_pool, file_pool,
        request_pool, event_pool, section_pool, callback_pool,
        registration_pool, completion_pool, timer_pool, extension_pool,
        directory_pool, shutdown_pool;
    uint32_t registrations; /* of callbacks, so far */
    uint32_t generated;     /* device names that the I/O manager has made up */
};

/* The end of the machine by a rule of the I/O manager's: with the name of what
 * was wrong and the IRQL as the parameters. `routine` may be ROUTINE_COUNT. */
_Noreturn void io_stop(struct kernel *kernel, enum rule rule,
    enum routine routine, const char *what);

#endif
