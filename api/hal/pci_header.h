/* pci_header.h - where things lie in the configuration space of a PCI function,
 * and what its bits mean. For pci.c and pci_given.c. */
#ifndef API_HAL_PCI_HEADER_H
#define API_HAL_PCI_HEADER_H

/* Of the header (BUS-07). */
enum pci_offset {
    PCI_COMMAND = 0x04,
    PCI_STATUS_HIGH = 0x07,
    PCI_CACHE_LINE_SIZE = 0x0C,
    PCI_LATENCY_TIMER = 0x0D,
    PCI_HEADER_TYPE = 0x0E,
    PCI_BAR = 0x10,
    PCI_BAR_END = 0x28,
    PCI_CAPABILITIES = 0x34,
    PCI_INTERRUPT_LINE = 0x3C,
    PCI_INTERRUPT_PIN = 0x3D,
    PCI_SUBSYSTEM = 0x2C,
    PCI_DEVICE_AREA = 0x40,
};

enum {
    STATUS_LATCHED = 0xF9, /* of its upper byte: errors, cleared by ones */
    STATUS_HAS_LIST = 0x10,
    HEADER_KIND = 0x7F, /* without the bit of several functions */
    HEADER_SEVERAL = 0x80,
    COMMAND_MEMORY = 0x02,
    BAR_IO = 1,
    BAR_WIDE = 4,
    BAR_PREFETCHABLE = 8,
    CAPABILITY_POWER = 0x01,
    CAPABILITY_BYTES = 2, /* that can only be read */
    POINTER_BITS = 0xFC, /* of where a capability is; the others are reserved */
};

#endif
