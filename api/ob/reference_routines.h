/* reference_routines.h - a driver's reference as its routines give it back. */
#ifndef API_OB_REFERENCE_ROUTINES_H
#define API_OB_REFERENCE_ROUTINES_H

#include "api/core/routine.h"
#include "api/nt/nt.h"

/* Returns how many references are left. One that no driver holds stops the
 * machine (OB-03), and so does an address where no object is (OB-03b). */
LONGLONG reference_give_back(enum routine routine, const void *address);

#endif
