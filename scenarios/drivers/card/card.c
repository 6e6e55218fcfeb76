/* card.c - the driver of a card on PCI, which the scenario gives: it looks for
 * the card, maps its registers, starts it and takes what it has to say; all in
 * its DriverEntry. */
#include <ntddk.h>

#include "scenarios/drivers/card/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum { VENDOR = 0x1AF4, DEVICE = 0x1234, BUSES = 2, REGISTERS_BYTES = 4096 };

/* In its configuration space. */
enum { CONFIG_COMMAND = 4, CONFIG_BAR0 = 0x10, COMMAND_MEMORY = 2 };

/* Its registers. */
enum {
    REG_ID = 0x00,
    REG_CTRL = 0x04,
    REG_STATUS = 0x08, /* written ones clear */
    REG_READY = 0x0C,
    REG_CAUSE = 0x10, /* cleared by a read */
    REG_DATA = 0x20,  /* a byte a read */
    REG_TABLE = 0x40, /* four of them */
    ID = 0xCA4D0001,
    CTRL_START = 1,
    STATUS_EVENT = 4,
    CAUSE_DATA = 2,
    WAITS = 100,
    TABLE_ENTRIES = 4,
};

static struct {
    ULONG bus, slot;
    PUCHAR registers;
} card;

static BOOLEAN is_card(ULONG bus, ULONG slot)
{
    USHORT id[2];

    return HalGetBusDataByOffset(
               PCIConfiguration, bus, slot, id, 0, sizeof(id)) == sizeof(id) &&
           id[0] == VENDOR && id[1] == DEVICE;
}

static BOOLEAN find_card(VOID)
{
    for (card.bus = 0; card.bus < BUSES; card.bus++) {
        for (card.slot = 0; card.slot < PCI_MAX_DEVICES; card.slot++) {
            if (is_card(card.bus, card.slot)) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

static VOID enable_card(VOID)
{
    USHORT command;

    HalGetBusDataByOffset(PCIConfiguration, card.bus, card.slot, &command,
        CONFIG_COMMAND, sizeof(command));
    command |= COMMAND_MEMORY;
    HalSetBusDataByOffset(PCIConfiguration, card.bus, card.slot, &command,
        CONFIG_COMMAND, sizeof(command));
}

static PHYSICAL_ADDRESS base_address(VOID)
{
    PHYSICAL_ADDRESS address;

    HalGetBusDataByOffset(PCIConfiguration, card.bus, card.slot, &address,
        CONFIG_BAR0, sizeof(address));
    if (DEFECT != DEFECT_TYPE_KEPT) {
        address.QuadPart &= ~(LONGLONG)0xF;
    }
    return address;
}

static ULONG read(ULONG at)
{
    return READ_REGISTER_ULONG((PULONG)(card.registers + at));
}

static VOID write(ULONG at, ULONG value)
{
    WRITE_REGISTER_ULONG((PULONG)(card.registers + at), value);
}

/* Whether the card says in time that it is ready. */
static BOOLEAN wait_until_ready(VOID)
{
    ULONG waits;

    for (waits = 0; waits < WAITS; waits++) {
        if (read(REG_READY) != 0) {
            return TRUE;
        }
        KeStallExecutionProcessor(1);
        if (DEFECT == DEFECT_IMPATIENT) {
            break;
        }
    }
    return FALSE;
}

static VOID set_table(VOID)
{
    ULONG entries[TABLE_ENTRIES] = {1, 2, 3, 4};

    WRITE_REGISTER_BUFFER_ULONG(
        (PULONG)(card.registers + REG_TABLE), entries, TABLE_ENTRIES);
}

/* Whether what the card has to say could be taken. */
static BOOLEAN take_event(VOID)
{
    ULONG cause;

    if ((read(REG_STATUS) & STATUS_EVENT) == 0) {
        return FALSE;
    }
    if (DEFECT == DEFECT_CAUSE_LOST) {
        DbgPrint("cause %x\n", read(REG_CAUSE));
    }
    cause = read(REG_CAUSE);
    write(REG_STATUS,
        DEFECT == DEFECT_NOT_ACKNOWLEDGED ? 0 : (ULONG)STATUS_EVENT);
    return cause == CAUSE_DATA &&
           READ_REGISTER_UCHAR(card.registers + REG_DATA) == 'o' &&
           READ_REGISTER_UCHAR(card.registers + REG_DATA) == 'k';
}

static BOOLEAN start_card(VOID)
{
    if (read(REG_ID) != ID) {
        return FALSE;
    }
    *(volatile ULONG *)(card.registers + REG_CTRL) |= CTRL_START;
    if (!wait_until_ready()) {
        return FALSE;
    }
    set_table();
    return take_event();
}

static VOID stop_card(VOID)
{
    if (DEFECT != DEFECT_LEFT_RUNNING) {
        *(volatile ULONG *)(card.registers + REG_CTRL) &= ~(ULONG)CTRL_START;
    }
    MmUnmapIoSpace(card.registers, REGISTERS_BYTES);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    stop_card();
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    if (!find_card()) {
        return STATUS_NO_SUCH_DEVICE;
    }
    if (DEFECT != DEFECT_NOT_ENABLED) {
        enable_card();
    }
    card.registers = MmMapIoSpace(base_address(), REGISTERS_BYTES, MmNonCached);
    if (card.registers == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    if (start_card()) {
        return STATUS_SUCCESS;
    }
    stop_card();
    return STATUS_UNSUCCESSFUL;
}
