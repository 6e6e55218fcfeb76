/* defects.h - the mistakes that can be planted in profiler, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. The code where one is
 * planted says so by its name. */
#ifndef PROFILER_DEFECTS_H
#define PROFILER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_BUFFER_KEPT 1 /* STOP looks at what the handler was given */
#define DEFECT_ONE_TOO_MANY                                                    \
    2                         /* the handler reads an entry that is not there  \
                               */
#define DEFECT_SIZE_ASSUMED 3 /* entries are 200 bytes on every processor */
#define DEFECT_HANDLER_LOCKS 4
#define DEFECT_HANDLER_PAGED 5 /* in a pageable section */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
