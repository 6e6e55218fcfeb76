/* pageable.h - a routine that begins as those of pageable code do. */
#ifndef ASKED_PAGEABLE_H
#define ASKED_PAGEABLE_H

/* Goes up to that level behind PAGED_CODE, and down again. */
VOID pageable(KIRQL behind);

#endif
