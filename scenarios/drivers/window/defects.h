/* defects.h - the mistakes that can be planted in window, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef WINDOW_DEFECTS_H
#define WINDOW_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_MAPPING_LEFT 1 /* the program keeps what it has mapped */
#define DEFECT_ELSEWHERE 2    /* a work item unmaps it, in no program */
#define DEFECT_WRITABLE 3     /* the program can write, too */
#define DEFECT_CACHED 4       /* the registers are mapped cached for it */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
