/* requestor.c - IoIs32bitProcess, IoValidateDeviceIoControlAccess,
 * IoIsWdmVersionAvailable: whose request it is and what that may, and what the
 * system has. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/file.h"
#include "api/io/irp.h"

enum { WDM_MAJOR = 6, WDM_MINOR = 0 }; /* RTL-22a, RTL-22b [C] */

enum {
    FILE_READ_WRITE_ACCESS = 0x3, /* FILE_READ_ACCESS, FILE_WRITE_ACCESS */
    IRP_MJ_FILE_SYSTEM_CONTROL = 0x0D,
};

/* Programs of 32 bits are not modelled, and drivers have none (IO-37). */
BOOLEAN IoIs32bitProcess_body(PIRP Irp)
{
    if (Irp != NULL) {
        io_request_at(kernel_current(), ROUTINE_IoIs32bitProcess, Irp);
    }
    return 0;
}

/* The stack location of the driver that has it; NULL: nobody has. */
static const IO_STACK_LOCATION *location_of(const struct io_request *request)
{
    return io_request_is_placed(request) &&
                   request->irp->CurrentLocation <= request->locations
               ? io_request_location(request, request->irp->CurrentLocation)
               : NULL;
}

/* IO-63. What is wrong is refused whoever asks (IO-63b [C]). */
NTSTATUS IoValidateDeviceIoControlAccess_body(PIRP Irp, ULONG RequiredAccess)
{
    struct kernel *kernel = kernel_current();
    const struct io_request *request =
        io_request_at(kernel, ROUTINE_IoValidateDeviceIoControlAccess, Irp);
    const IO_STACK_LOCATION *location = location_of(request);
    const struct io_file *file;

    if (location == NULL ||
        (location->MajorFunction != IRP_MJ_DEVICE_CONTROL &&
            location->MajorFunction != IRP_MJ_FILE_SYSTEM_CONTROL) ||
        (RequiredAccess & ~(ULONG)FILE_READ_WRITE_ACCESS) != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    if (request->irp->RequestorMode == KERNEL_MODE) {
        return STATUS_SUCCESS;
    }
    file = io_file_at(kernel, location->FileObject);
    return file != NULL && (RequiredAccess & ~file->access) == 0
               ? STATUS_SUCCESS
               : STATUS_ACCESS_DENIED;
}

BOOLEAN IoIsWdmVersionAvailable_body(UCHAR MajorVersion, UCHAR MinorVersion)
{
    return MajorVersion < WDM_MAJOR ||
           (MajorVersion == WDM_MAJOR && MinorVersion <= WDM_MINOR);
}
