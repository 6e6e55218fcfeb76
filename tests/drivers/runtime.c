/* runtime.c - a driver for which the compilers call helpers of their own: a
 * guarded frame of several pages, floating point, copies of structures. Linked
 * without imports: it has to find them all in itself. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
ULONG64 intrinsics(ULONG index);
void fill(UCHAR *bytes, ULONG size);

struct block {
    UCHAR bytes[600];
};

static volatile struct block source, target;
static volatile double scale = 2.5;

__attribute__((__noinline__)) void fill(UCHAR *bytes, ULONG size)
{
    RtlFillMemory(bytes, size, 0xA5);
}

static ULONG sum(ULONG size)
{
    UCHAR frame[3 * PAGE_SIZE];
    ULONG total = 0;

    fill(frame, size);
    RtlMoveMemory(frame, frame + 1, size);
    for (ULONG i = 0; i < size; i++) {
        total += frame[i];
    }
    return total;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    struct block zero = {{0}};

    UNREFERENCED_PARAMETER(driver);
    target = source;
    if (memcmp((void *)&target, &zero, path->Length) != 0) {
        return STATUS_UNSUCCESSFUL;
    }
    return sum(path->Length) * scale > (double)intrinsics(0)
               ? STATUS_SUCCESS
               : STATUS_UNSUCCESSFUL;
}
