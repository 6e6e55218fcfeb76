/* defects.h - the mistakes that can be planted in signaler, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef SIGNALER_DEFECTS_H
#define SIGNALER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_TRUSTED 1    /* the program's handle is taken for KernelMode */
#define DEFECT_ANY_OBJECT 2 /* no type is asked for */
#define DEFECT_GIVEN_BACK_TWICE 3 /* one dereference too many */
#define DEFECT_KEPT 4             /* the reference is never given back */
#define DEFECT_HANDLE_KEPT 5      /* the handle is used in another process */
#define DEFECT_HANDLE_OF_SYSTEM                                                \
    6 /* one without OBJ_KERNEL_HANDLE is used later */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
