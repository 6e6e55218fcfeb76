/* pci.c - the configuration space of PCI functions (io.md 4; PCI Local Bus
 * Specification, "Configuration Space Organization"). */
#include "api/hal/pci.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/hal/pci_header.h"

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
        function->bar_bits[i] =
            row->bar[i].bytes == 0 ? 0 : ~(row->bar[i].bytes - 1);
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

bool pci_is_taken(uint32_t bus, uint32_t device, uint32_t function)
{
    for (size_t i = 0; i < PCI_FUNCTIONS; i++) {
        if (rows[i].bus == bus && rows[i].device == device &&
            rows[i].function == function) {
            return true;
        }
    }
    return false;
}

bool pci_has_bus(uint32_t bus)
{
    for (size_t i = 0; i < PCI_FUNCTIONS; i++) {
        if (rows[i].bus == bus) {
            return true;
        }
    }
    return false;
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
    (void)kernel; /* no function that a machine is given is a bridge */
    return pci_has_bus(bus);
}

static struct pci_function *find_in(
    struct pci_function *list, size_t count, uint32_t bus, uint32_t slot)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].bus == bus && list[i].slot == slot) {
            return &list[i];
        }
    }
    return NULL;
}

struct pci_function *pci_find(
    struct kernel *kernel, uint32_t bus, uint32_t slot)
{
    struct pci *pci = space(kernel);
    struct pci_function *found =
        find_in(pci->function, PCI_FUNCTIONS, bus, slot);

    return found != NULL ? found
                         : find_in(pci->more, pci->more_count, bus, slot);
}

bool pci_is_bridge(const struct pci_function *function)
{
    return (function->config[PCI_HEADER_TYPE] & HEADER_KIND) == 1;
}

/* Whether it is one of the two bytes with which a capability begins. */
static bool is_list(const struct pci_function *function, uint32_t offset)
{
    uint8_t at = function->config[PCI_CAPABILITIES] & POINTER_BITS;

    /* A list that leads back into itself has an end here as well. */
    for (unsigned i = 0; at >= PCI_DEVICE_AREA && i < PCI_CONFIG_BYTES; i++) {
        if (offset - at < CAPABILITY_BYTES) {
            return true;
        }
        at = function->config[at + 1U] & POINTER_BITS;
    }
    return false;
}

static uint8_t writable(const struct pci_function *function, uint32_t offset)
{
    if (offset >= PCI_BAR && offset < PCI_BAR_END) {
        return (uint8_t)(function->bar_bits[(offset - PCI_BAR) / 4] >>
                         8 * (offset % 4));
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
        return offset >= PCI_DEVICE_AREA && !is_list(function, offset) ? 0xFF
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
