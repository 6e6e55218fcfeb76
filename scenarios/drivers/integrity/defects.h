/* defects.h - the mistakes that can be planted in integrity, one at a time,
 * with DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef INTEGRITY_DEFECTS_H
#define INTEGRITY_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_POOL 1           /* its block is in executable pool */
#define DEFECT_POOL_FLAG 2      /* the same, by ExAllocatePool2 */
#define DEFECT_LIST 3           /* its lookaside list is of executable pool */
#define DEFECT_WRITE_EXECUTE 4  /* a section is writable and executable */
#define DEFECT_INIT_WRITABLE 5  /* and that is INIT */
#define DEFECT_IMPORT_TABLE 6   /* its import table is among its code */
#define DEFECT_COOKIE_MISSING 7 /* its load configuration names no cookie */
#define DEFECT_COOKIE_ZERO 8    /* the cookie is 0 */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
