/* defects.h - the mistakes that can be planted in porter, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef PORTER_DEFECTS_H
#define PORTER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_TOKEN_LEFT 1  /* a token's reference is not given back */
#define DEFECT_TOKEN_TWICE 2 /* it is given back twice */
#define DEFECT_BLOCK_LEFT 3  /* what it was told of a token is not freed */
#define DEFECT_LEVEL_FREED 4 /* a level of integrity is freed */
#define DEFECT_UNCHECKED 5   /* whether the program may write is not asked */
#define DEFECT_BY_OBJECT 6   /* none: it is given back as any object is */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
