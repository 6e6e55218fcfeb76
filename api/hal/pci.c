/* pci.c - the configuration space of PCI functions (io.md 4; PCI Local Bus
 * Specification, "Configuration Space Organization"). */
#include "api/hal/pci.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"

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
    PCI_DEVICE_AREA = 0x40,
};

enum {
    STATUS_LATCHED = 0xF9, /* of its upper byte: errors, cleared by ones */
    STATUS_HAS_LIST = 0x10,
    HEADER_KIND = 0x7F, /* without the bit of several functions */
    CAPABILITY_POWER = 0x01,
    CAPABILITY_BYTES = 2, /* that can only be read */
};

static const struct pci_row {
    uint32_t bus, device, function;
    uint16_t vendor, id;
    uint32_t class_code;
    uint8_t revision, header, pin, capability;
    struct pci_bar {
        uint32_t value, bytes;
    } bar[PCI_BARS];
} rows[PCI_FUNCTIONS] = {
#define BAR(value, bytes) {value, bytes},
#define PCI_FUNCTION(                                                          \
    bus, device, function, vendor, id, class, revision, header, pin, cap, ...) \
    {bus, device, function, vendor, id, class, revision, header, pin, cap,     \
        {__VA_ARGS__}},
#include "api/hal/pci_functions.def"
};

static void store(uint8_t *config, size_t at, uint32_t value, size_t size)
{
    memcpy(config + at, &value, size);
}

static void fill(struct pci_function *function, const struct pci_row *row)
{
    uint8_t *config = function->config;

    function->bus = row->bus;
    function->slot = row->device | row->function << 5;
    store(config, 0x00, row->vendor, 2);
    store(config, 0x02, row->id, 2);
    store(config, PCI_COMMAND, 0x0007, 2);
    store(config, 0x08, row->revision | row->class_code << 8, 4);
    config[PCI_HEADER_TYPE] = row->header;
    for (size_t i = 0; i < PCI_BARS; i++) {
        function->bar_bytes[i] = row->bar[i].bytes;
        store(config, PCI_BAR + 4 * i, row->bar[i].value, 4);
    }
    store(config, 0x2C, row->vendor, 2);
    store(config, 0x2E, row->id, 2);
    config[PCI_INTERRUPT_LINE] = row->pin == 0 ? 0xFF : 0x0A;
    config[PCI_INTERRUPT_PIN] = row->pin;
    if (row->capability != 0) {
        store(config, 0x06, STATUS_HAS_LIST, 2);
        config[PCI_CAPABILITIES] = row->capability;
        config[row->capability] = CAPABILITY_POWER;
    }
}

static struct pci *space(struct kernel *kernel)
{
    struct pci *pci = kernel->pci;

    if (!pci->made) {
        for (size_t i = 0; i < PCI_FUNCTIONS; i++) {
            fill(&pci->function[i], &rows[i]);
        }
        pci->made = true;
    }
    return pci;
}

bool pci_bus_exists(struct kernel *kernel, uint32_t bus)
{
    const struct pci *pci = space(kernel);

    for (size_t i = 0; i < PCI_FUNCTIONS; i++) {
        if (pci->function[i].bus == bus) {
            return true;
        }
    }
    return false;
}

struct pci_function *pci_find(
    struct kernel *kernel, uint32_t bus, uint32_t slot)
{
    struct pci *pci = space(kernel);

    for (size_t i = 0; i < PCI_FUNCTIONS; i++) {
        if (pci->function[i].bus == bus && pci->function[i].slot == slot) {
            return &pci->function[i];
        }
    }
    return NULL;
}

bool pci_is_bridge(const struct pci_function *function)
{
    return (function->config[PCI_HEADER_TYPE] & HEADER_KIND) == 1;
}

/* Which bits of a base address a write changes: not those below its size, nor
 * what says of what kind it is. */
static uint32_t bar_bits(const struct pci_function *function, uint32_t offset)
{
    uint32_t bytes = function->bar_bytes[(offset - PCI_BAR) / 4];

    return bytes == 0 ? 0 : ~(bytes - 1);
}

static uint8_t writable(const struct pci_function *function, uint32_t offset)
{
    uint8_t capability = function->config[PCI_CAPABILITIES];

    if (offset >= PCI_BAR && offset < PCI_BAR_END) {
        return (uint8_t)(bar_bits(function, offset) >> 8 * (offset % 4));
    }
    switch (offset) {
    case PCI_COMMAND:
    case PCI_CACHE_LINE_SIZE:
    case PCI_LATENCY_TIMER:
    case PCI_INTERRUPT_LINE:
        return 0xFF;
    case PCI_COMMAND + 1:
        return 0x07;
    default:
        return offset >= PCI_DEVICE_AREA &&
                       (capability == 0 || offset < capability ||
                           offset >= (uint32_t)capability + CAPABILITY_BYTES)
                   ? 0xFF
                   : 0;
    }
}

void pci_write(struct pci_function *function, uint32_t offset, uint8_t value)
{
    uint8_t *byte = &function->config[offset];
    uint8_t bits = writable(function, offset);

    assert(offset < PCI_CONFIG_BYTES);
    if (offset == PCI_STATUS_HIGH) {
        *byte &= (uint8_t) ~(value & STATUS_LATCHED);
        return;
    }
    *byte = (uint8_t)((*byte & ~bits) | (value & bits));
}
