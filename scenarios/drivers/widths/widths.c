/* widths.c - a driver that reads and writes registers of a device by each of
 * READ_REGISTER_xxx and WRITE_REGISTER_xxx; all in its DriverEntry. */
#include <ntddk.h>

#include "scenarios/drivers/widths/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum { BASE = 0x10000000, BYTES = 0x1000, COUNT = 2 };

/* Its registers. */
enum {
    REG_BYTE = 0x00,
    REG_WORD = 0x02,
    REG_LONG = 0x04,
    REG_BYTES = 0x08, /* two of each */
    REG_WORDS = 0x0C,
    REG_LONGS = 0x10,
    REG_QUAD = 0x18,
    REG_BELL = 0x20,   /* every write counts */
    REG_EVENTS = 0x28, /* every read, which clears it */
};

enum { EVENTS_TAG = 'htdW' };

static BOOLEAN read_each(PUCHAR at)
{
    return READ_REGISTER_UCHAR(at + REG_BYTE) == 0x11 &&
           READ_REGISTER_USHORT((PUSHORT)(at + REG_WORD)) == 0x2222 &&
           READ_REGISTER_ULONG((PULONG)(at + REG_LONG)) == 0x44444444 &&
           READ_REGISTER_ULONG64((PULONG64)(at + REG_QUAD)) ==
               0x8888888888888888;
}

static BOOLEAN read_several(PUCHAR at)
{
    UCHAR bytes[COUNT];
    USHORT words[COUNT];
    ULONG longs[COUNT];

    READ_REGISTER_BUFFER_UCHAR(at + REG_BYTES, bytes, COUNT);
    READ_REGISTER_BUFFER_USHORT((PUSHORT)(at + REG_WORDS), words, COUNT);
    READ_REGISTER_BUFFER_ULONG((PULONG)(at + REG_LONGS), longs, COUNT);
    return bytes[0] == 0x51 && bytes[1] == 0x52 && words[0] == 0x6161 &&
           words[1] == 0x6262 && longs[0] == 0x71717171 &&
           longs[1] == 0x72727272;
}

/* One instruction takes it from there to here, where nobody has been yet. */
static BOOLEAN read_events(PUCHAR at)
{
    PULONG events = ExAllocatePool2(
        (DEFECT == DEFECT_PAGED ? POOL_FLAG_PAGED : POOL_FLAG_NON_PAGED) |
            POOL_FLAG_UNINITIALIZED,
        sizeof(*events), EVENTS_TAG);
    BOOLEAN right;
    KIRQL before;

    if (events == NULL) {
        return FALSE;
    }
    KeRaiseIrql(DISPATCH_LEVEL, &before);
    READ_REGISTER_BUFFER_ULONG((PULONG)(at + REG_EVENTS), events, 1);
    right = *events == 0xE7E7E7E7;
    KeLowerIrql(before);
    ExFreePoolWithTag(events, EVENTS_TAG);
    return right;
}

static VOID write_each(PUCHAR at)
{
    WRITE_REGISTER_UCHAR(at + REG_BYTE, 0x91);
    WRITE_REGISTER_USHORT((PUSHORT)(at + REG_WORD), 0x9292);
    WRITE_REGISTER_ULONG((PULONG)(at + REG_LONG), 0x94949494);
    WRITE_REGISTER_ULONG64((PULONG64)(at + REG_QUAD), 0x9898989898989898);
}

static VOID write_several(PUCHAR at)
{
    UCHAR bytes[COUNT] = {0xA1, 0xA2};
    USHORT words[COUNT] = {0xB1B1, 0xB2B2};
    ULONG longs[COUNT] = {0xC1C1C1C1, 0xC2C2C2C2};

    WRITE_REGISTER_BUFFER_UCHAR(at + REG_BYTES, bytes, COUNT);
    WRITE_REGISTER_BUFFER_USHORT((PUSHORT)(at + REG_WORDS), words, COUNT);
    WRITE_REGISTER_BUFFER_ULONG((PULONG)(at + REG_LONGS), longs, COUNT);
}

/* Of two stores to memory the compiler keeps the last. */
static VOID ring_twice(PUCHAR at)
{
    PULONG bell = (PULONG)(at + REG_BELL);

    if (DEFECT == DEFECT_PLAIN) {
        *bell = 1;
        *bell = 2;
    } else {
        WRITE_REGISTER_ULONG(bell, 1);
        WRITE_REGISTER_ULONG(bell, 2);
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PHYSICAL_ADDRESS base;
    BOOLEAN right;
    PUCHAR at;

    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    base.QuadPart = (LONGLONG)BASE << 8;
    at = MmMapIoSpace(base, BYTES, MmNonCached);
    if (at == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    right = read_each(at) && read_several(at) && read_events(at);
    write_each(at);
    write_several(at);
    ring_twice(at);
    MmUnmapIoSpace(at, BYTES);
    return right ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
