/* physmem.c - a driver that looks for devices on PCI, reads their memory and
 * that of the machine, and allocates contiguous memory; all in its DriverEntry.
 */
#include <ntddk.h>

#include "scenarios/drivers/physmem/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum { BUSES = 4, CARD_BYTES = 8192, BLOCK_BYTES = 10000 };

static struct {
    ULONG devices;
    ULONG card; /* address of the network card's registers */
    PVOID block, noncached;
} physmem;

static VOID look_at(ULONG bus, ULONG slot)
{
    USHORT id[2];
    ULONG class_code, length;

    length =
        HalGetBusDataByOffset(PCIConfiguration, bus, slot, id, 0, sizeof(id));
    if (DEFECT == DEFECT_ANY_ANSWER ? length == 0 : length != sizeof(id)) {
        return;
    }
    physmem.devices++;
    HalGetBusDataByOffset(
        PCIConfiguration, bus, slot, &class_code, 8, sizeof(class_code));
    if (class_code >> 16 == 0x0200) {
        HalGetBusDataByOffset(PCIConfiguration, bus, slot, &physmem.card, 0x18,
            sizeof(physmem.card));
    }
}

static VOID scan(VOID)
{
    ULONG bus, device, function;

    for (bus = 0; bus < BUSES; bus++) {
        for (device = 0; device < PCI_MAX_DEVICES; device++) {
            for (function = 0; function < PCI_MAX_FUNCTION; function++) {
                look_at(bus, device | function << 5);
            }
        }
    }
}

static PUCHAR map(ULONGLONG address, SIZE_T length)
{
    PHYSICAL_ADDRESS physical;

    physical.QuadPart = (LONGLONG)address;
    return MmMapIoSpace(physical, length, MmNonCached);
}

static VOID unmap(PVOID base, SIZE_T length)
{
    if (DEFECT != DEFECT_MAPPING_LEFT) {
        MmUnmapIoSpace(base, DEFECT == DEFECT_LENGTH ? length - 1 : length);
    }
}

/* Nobody has made registers for the card: all ones are read, whatever is
 * written. */
static BOOLEAN use_card(VOID)
{
    PUCHAR card = map(physmem.card, CARD_BYTES);
    BOOLEAN right;

    if (card == NULL && DEFECT != DEFECT_UNCHECKED) {
        return FALSE;
    }
    WRITE_REGISTER_ULONG((PULONG)(card + 0x40), 5);
    RtlZeroMemory(card + 0x80, 64);
    /* Of two pages, and into the last bytes of one. */
    *(volatile ULONG UNALIGNED *)(card + PAGE_SIZE - 2) = 5;
    *(volatile ULONG UNALIGNED *)(card + PAGE_SIZE - 4) = 5;
    right = READ_REGISTER_ULONG((PULONG)(card + 0x40)) == 0xFFFFFFFF &&
            READ_REGISTER_UCHAR(card + 0x80) == 0xFF &&
            READ_REGISTER_ULONG((PULONG)(card + PAGE_SIZE - 4)) == 0xFFFFFFFF &&
            READ_REGISTER_ULONG((PULONG)(card + PAGE_SIZE)) == 0xFFFFFFFF &&
            READ_REGISTER_UCHAR(card + CARD_BYTES - 1) == 0xFF;
    unmap(card, CARD_BYTES);
    if (DEFECT == DEFECT_STALE) {
        right = READ_REGISTER_UCHAR(card) == 0xFF;
    }
    return right;
}

/* Whether contiguous memory is contiguous, and below 4 GiB. */
static BOOLEAN use_block(VOID)
{
    PHYSICAL_ADDRESS highest, first, last;
    PUCHAR block;

    highest.QuadPart = 0xFFFFFFFF;
    block = MmAllocateContiguousMemory(BLOCK_BYTES, highest);
    physmem.block = block;
    if (block == NULL) {
        return FALSE;
    }
    block[BLOCK_BYTES - 1] = 1;
    first = MmGetPhysicalAddress(block);
    last = MmGetPhysicalAddress(block + BLOCK_BYTES - 1);
    return MmIsAddressValid(block) && first.QuadPart != 0 &&
           last.QuadPart == first.QuadPart + BLOCK_BYTES - 1 &&
           last.QuadPart <= highest.QuadPart;
}

static BOOLEAN look_through(HANDLE section)
{
    PVOID view = NULL, secured;
    SIZE_T size = PAGE_SIZE;
    LARGE_INTEGER offset;
    BOOLEAN right;

    offset.QuadPart = 0xFED10000;
    if (!NT_SUCCESS(ZwMapViewOfSection(section, ZwCurrentProcess(), &view, 0,
            size, &offset, &size, ViewUnmap, 0, PAGE_READWRITE))) {
        return FALSE;
    }
    secured = MmSecureVirtualMemory(view, PAGE_SIZE, PAGE_READONLY);
    *(volatile ULONG *)view = 1;
    right = view < MmHighestUserAddress && size == PAGE_SIZE &&
            *(volatile ULONG *)view == 0xFFFFFFFF;
    if (secured != NULL && DEFECT != DEFECT_SECURED_LEFT) {
        MmUnsecureVirtualMemory(secured);
    }
    if (DEFECT != DEFECT_VIEW_LEFT) {
        ZwUnmapViewOfSection(ZwCurrentProcess(), view);
    }
    return right;
}

/* The same physical memory as tools of old reach it. */
static BOOLEAN use_section(VOID)
{
    OBJECT_ATTRIBUTES attributes;
    UNICODE_STRING name;
    HANDLE section;
    BOOLEAN right;

    RtlInitUnicodeString(&name, L"\\Device\\PhysicalMemory");
    InitializeObjectAttributes(
        &attributes, &name, OBJ_CASE_INSENSITIVE, NULL, NULL);
    if (!NT_SUCCESS(ZwOpenSection(
            &section, SECTION_MAP_READ | SECTION_MAP_WRITE, &attributes))) {
        return FALSE;
    }
    right = look_through(section);
    ZwClose(section);
    return right;
}

static BOOLEAN use_noncached(VOID)
{
    physmem.noncached = MmAllocateNonCachedMemory(PAGE_SIZE);
    if (physmem.noncached == NULL) {
        return FALSE;
    }
    RtlFillMemory(physmem.noncached, PAGE_SIZE, 0x11);
    return TRUE;
}

static VOID free_all(VOID)
{
    if (physmem.block != NULL && DEFECT != DEFECT_CONTIGUOUS_LEFT) {
        MmFreeContiguousMemory(physmem.block);
    }
    if (physmem.noncached != NULL && DEFECT != DEFECT_NONCACHED_LEFT) {
        MmFreeNonCachedMemory(physmem.noncached, PAGE_SIZE);
    }
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    free_all();
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    scan();
    if (physmem.devices == 5 && physmem.card != 0 && use_card() &&
        use_block() && use_section() && use_noncached()) {
        return STATUS_SUCCESS;
    }
    free_all();
    return STATUS_UNSUCCESSFUL;
}
