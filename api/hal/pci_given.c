/* pci_given.c - PCI functions that a machine is given: their configuration
 * space as firmware leaves it, and whether what is behind their base addresses
 * answers. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/hal/pci.h"
#include "api/hal/pci_header.h"
#include "api/io/pdo.h"
#include "api/mm/given_memory.h"

static void store(uint8_t *config, size_t at, uint64_t value, size_t size)
{
    memcpy(config + at, &value, size);
}

static void fill_bar(
    struct pci_function *function, size_t n, const struct given_bar *bar)
{
    uint64_t kind = (bar->io ? BAR_IO : 0) | (bar->wide ? BAR_WIDE : 0) |
                    (bar->prefetchable ? BAR_PREFETCHABLE : 0);
    uint64_t bits = ~(bar->bytes - 1);

    if (bar->bytes == 0) {
        return;
    }
    function->bar_bits[n] = (uint32_t)bits;
    store(function->config, PCI_BAR + 4 * n, bar->base | kind, 4);
    if (bar->wide) {
        assert(n + 1 < PCI_BARS); /* it takes two */
        function->bar_bits[n + 1] = (uint32_t)(bits >> 32);
        store(function->config, PCI_BAR + 4 * (n + 1), bar->base >> 32, 4);
    }
}

static void fill(
    struct pci_function *function, const struct given_function *given)
{
    uint8_t *config = function->config;

    *function = (struct pci_function){.bus = given->bus,
        .slot = given->device | given->function << 5,
        .given = given};
    if (given->area != NULL) {
        memcpy(config + PCI_DEVICE_AREA, given->area + PCI_DEVICE_AREA,
            PCI_CONFIG_BYTES - PCI_DEVICE_AREA);
    }
    store(config, 0x00, given->vendor, 2);
    store(config, 0x02, given->id, 2);
    store(config, PCI_COMMAND, given->command, 2);
    store(config, 0x06, given->capability != 0 ? STATUS_HAS_LIST : 0, 2);
    store(config, 0x08, given->revision | given->class_code << 8, 4);
    for (size_t i = 0; i < PCI_BARS; i++) {
        fill_bar(function, i, &given->bar[i]);
    }
    store(config, PCI_SUBSYSTEM, given->subsystem_vendor, 2);
    store(config, PCI_SUBSYSTEM + 2, given->subsystem, 2);
    config[PCI_CAPABILITIES] = given->capability;
    config[PCI_INTERRUPT_LINE] = given->line;
    config[PCI_INTERRUPT_PIN] = given->pin;
}

/* The device by which the bus driver reports the function, which is the so
 * many-th that is given. */
static void report(
    struct kernel *kernel, const struct given_function *given, size_t number)
{
    const struct io_pdo pdo = {.interface = PCIBus,
        .bus = given->bus,
        .address = given->device << 16 | given->function};
    char name[32];

    snprintf(name, sizeof(name), "\\Device\\NTPNP_PCI%04X", (unsigned)number);
    pdo_make(kernel, name, &pdo);
}

void pci_give(struct kernel *kernel, const struct given_pci *given)
{
    struct pci *pci = kernel->pci;

    assert(given->count > 0);
    pci->more =
        arena_alloc(&kernel->machine->arena, given->count * sizeof(*pci->more));
    assert(pci->more != NULL);
    pci->more_count = given->count;
    for (size_t i = 0; i < given->count; i++) {
        fill(&pci->more[i], &given->function[i]);
    }
    for (size_t i = 0; i < given->count; i++) {
        const struct given_function *function = &given->function[i];
        struct pci_function *first =
            pci_find(kernel, function->bus, function->device);

        assert(first != NULL);
        if (function->function != 0) {
            first->config[PCI_HEADER_TYPE] |= HEADER_SEVERAL;
        }
        pci_settle(kernel, &pci->more[i]);
    }
}

void pci_report(struct kernel *kernel)
{
    const struct pci *pci = kernel->pci;

    for (size_t i = 0; i < pci->more_count; i++) {
        if (pci->more[i].given->reported) {
            report(kernel, pci->more[i].given, i);
        }
    }
}

/* What the base address says. */
static uint64_t address_of(const struct pci_function *function, size_t n)
{
    uint64_t value = 0;

    memcpy(&value, function->config + PCI_BAR + 4 * n,
        function->given->bar[n].wide ? 8 : 4);
    return value & ~(function->given->bar[n].bytes - 1);
}

/* A driver that writes ones asks for the size. */
static bool is_size(const struct given_bar *bar, uint64_t address)
{
    uint64_t ones = ~(bar->bytes - 1);
    uint64_t low = ones & UINT32_MAX;

    return (uint32_t)address == low ||
           (bar->wide && address >> 32 == ones >> 32);
}

void pci_settle(struct kernel *kernel, const struct pci_function *function)
{
    bool decodes = (function->config[PCI_COMMAND] & COMMAND_MEMORY) != 0;

    for (size_t i = 0; function->given != NULL && i < PCI_BARS; i++) {
        const struct given_bar *bar = &function->given->bar[i];
        uint64_t address;

        if (bar->range == NULL) {
            continue;
        }
        address = address_of(function, i);
        if (decodes && address != bar->base && !is_size(bar, address)) {
            run_end_stop(kernel, RUN_NOT_MODELLED,
                "base address %zu of '%s' is moved from 0x%llX to 0x%llX: "
                "memory that the scenario gives stays where it is",
                i, function->given->name, (unsigned long long)bar->base,
                (unsigned long long)address);
        }
        given_memory_state(kernel, bar->range)->silent =
            !decodes || address != bar->base;
    }
}
