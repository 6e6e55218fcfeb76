/* requestor.c - IoIs32bitProcess, IoIsWdmVersionAvailable: whose request it is,
 * and what the system has. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/irp.h"

enum { WDM_MAJOR = 6, WDM_MINOR = 0 }; /* RTL-22a, RTL-22b [C] */

/* Programs of 32 bits are not modelled, and drivers have none (IO-37). */
BOOLEAN IoIs32bitProcess_body(PIRP Irp)
{
    if (Irp != NULL) {
        io_request_at(kernel_current(), ROUTINE_IoIs32bitProcess, Irp);
    }
    return 0;
}

BOOLEAN IoIsWdmVersionAvailable_body(UCHAR MajorVersion, UCHAR MinorVersion)
{
    return MajorVersion < WDM_MAJOR ||
           (MajorVersion == WDM_MAJOR && MinorVersion <= WDM_MINOR);
}
