/* bus_routines.c - HalGetBusData, HalSetBusData and their kin, on PCI; and
 * HalTranslateBusAddress. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/hal/pci.h"
#include "api/mm/copy.h"

enum {
    NO_DEVICE = 2, /* what is returned for an empty slot (BUS-04b) */
    ADDRESS_MEMORY = 0,
    ADDRESS_IO = 1,
};

/* A part of a function's configuration space. */
struct bus_part {
    enum routine routine;
    BUS_DATA_TYPE type;
    ULONG bus, slot, offset, length;
};

/* How many of its bytes there are (BUS-05b [C]). */
static ULONG length_of(const struct bus_part *part)
{
    ULONG left =
        part->offset >= PCI_CONFIG_BYTES ? 0 : PCI_CONFIG_BYTES - part->offset;

    return part->length < left ? part->length : left;
}

static bool bus_is_there(struct kernel *kernel, const struct bus_part *part)
{
    return part->type == PCIConfiguration && pci_bus_exists(kernel, part->bus);
}

/* Nobody drives the bus, which reads as ones (BUS-04d [C]). */
static ULONG read_nothing(
    struct kernel *kernel, const struct bus_part *part, uint8_t *buffer)
{
    const uint8_t ones = 0xFF;

    copy_probe(kernel, part->routine, buffer, part->length, true);
    for (ULONG i = 0; i < part->length; i++) {
        copy_out(kernel, part->routine, buffer + i, &ones, 1);
    }
    return NO_DEVICE;
}

static ULONG read_part(const struct bus_part *part, void *buffer)
{
    struct kernel *kernel = kernel_current();
    const struct pci_function *function;
    ULONG length = length_of(part);

    if (!bus_is_there(kernel, part)) {
        return 0;
    }
    function = pci_find(kernel, part->bus, part->slot);
    if (function == NULL) {
        return read_nothing(kernel, part, buffer);
    }
    if (length > 0) {
        copy_out(kernel, part->routine, buffer, function->config + part->offset,
            length);
    }
    return length;
}

static ULONG write_part(const struct bus_part *part, const void *buffer)
{
    struct kernel *kernel = kernel_current();
    struct pci_function *function;
    uint8_t bytes[PCI_CONFIG_BYTES];
    ULONG length = length_of(part);

    if (!bus_is_there(kernel, part)) {
        return 0;
    }
    function = pci_find(kernel, part->bus, part->slot);
    if (function == NULL) {
        return 0;
    }
    copy_in(kernel, part->routine, bytes, buffer, length);
    if (pci_is_bridge(function)) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_BUS_BRIDGE_WRITTEN, part->routine);
        return length;
    }
    for (ULONG i = 0; i < length; i++) {
        pci_write(function, part->offset + i, bytes[i]);
    }
    pci_settle(kernel, function);
    return length;
}

ULONG HalGetBusData_body(BUS_DATA_TYPE BusDataType, ULONG BusNumber,
    ULONG SlotNumber, PVOID Buffer, ULONG Length)
{
    const struct bus_part part = {
        ROUTINE_HalGetBusData, BusDataType, BusNumber, SlotNumber, 0, Length};

    return read_part(&part, Buffer);
}

ULONG HalGetBusDataByOffset_body(BUS_DATA_TYPE BusDataType, ULONG BusNumber,
    ULONG SlotNumber, PVOID Buffer, ULONG Offset, ULONG Length)
{
    const struct bus_part part = {ROUTINE_HalGetBusDataByOffset, BusDataType,
        BusNumber, SlotNumber, Offset, Length};

    return read_part(&part, Buffer);
}

ULONG HalSetBusData_body(BUS_DATA_TYPE BusDataType, ULONG BusNumber,
    ULONG SlotNumber, PVOID Buffer, ULONG Length)
{
    const struct bus_part part = {
        ROUTINE_HalSetBusData, BusDataType, BusNumber, SlotNumber, 0, Length};

    return write_part(&part, Buffer);
}

ULONG HalSetBusDataByOffset_body(BUS_DATA_TYPE BusDataType, ULONG BusNumber,
    ULONG SlotNumber, PVOID Buffer, ULONG Offset, ULONG Length)
{
    const struct bus_part part = {ROUTINE_HalSetBusDataByOffset, BusDataType,
        BusNumber, SlotNumber, Offset, Length};

    return write_part(&part, Buffer);
}

/* Whether addresses of the bus are the processor's, which they are on this
 * machine (BUS-10b [C]). */
static bool is_translated(
    struct kernel *kernel, INTERFACE_TYPE type, ULONG bus, ULONG space)
{
    bool known =
        type == Internal || type == Isa || type == Eisa || type == PCIBus;

    return known && (space == ADDRESS_MEMORY || space == ADDRESS_IO) &&
           (type == PCIBus ? pci_bus_exists(kernel, bus) : bus == 0);
}

BOOLEAN HalTranslateBusAddress_body(INTERFACE_TYPE InterfaceType,
    ULONG BusNumber, ULONGLONG BusAddress, PULONG AddressSpace,
    PLARGE_INTEGER TranslatedAddress)
{
    const enum routine routine = ROUTINE_HalTranslateBusAddress;
    struct kernel *kernel = kernel_current();
    LARGE_INTEGER translated = {.QuadPart = (LONGLONG)BusAddress};
    ULONG space;

    copy_in(kernel, routine, &space, AddressSpace, sizeof(space));
    copy_probe(kernel, routine, AddressSpace, sizeof(space), true);
    if (!is_translated(kernel, InterfaceType, BusNumber, space)) {
        return 0;
    }
    copy_out(
        kernel, routine, TranslatedAddress, &translated, sizeof(translated));
    return 1;
}
