/* defects.h - the mistakes that can be planted in card, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef CARD_DEFECTS_H
#define CARD_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_NOT_ENABLED 1 /* it does not let the card answer */
#define DEFECT_TYPE_KEPT 2   /* it takes the type of an address for a part */
#define DEFECT_NOT_ACKNOWLEDGED 3 /* it writes 0 where 1 clears */
#define DEFECT_CAUSE_LOST 4       /* it reads twice what a read clears */
#define DEFECT_LEFT_RUNNING 5     /* it ends and has not stopped the card */
#define DEFECT_IMPATIENT 6        /* it does not wait until the card is ready */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
