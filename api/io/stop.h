/* stop.h - the end of the machine by a rule of the I/O manager's. */
#ifndef API_IO_STOP_H
#define API_IO_STOP_H

#include "api/core/rules.h"

/* Stops it with the name of what was wrong and the IRQL as the parameters.
 * `routine` may be ROUTINE_COUNT. */
_Noreturn void io_stop(struct kernel *kernel, enum rule rule,
    enum routine routine, const char *what);

#endif
