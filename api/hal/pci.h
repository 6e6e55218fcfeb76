/* pci.h - the configuration space of a machine's PCI buses: what each function
 * has there, and what a write to it does. Knows nothing of the HAL's routines.
 */
#ifndef API_HAL_PCI_H
#define API_HAL_PCI_H

#include <stdbool.h>
#include <stdint.h>

struct kernel;

enum { PCI_CONFIG_BYTES = 256, PCI_BARS = 6, PCI_FUNCTIONS = 5 };

struct pci_function {
    uint32_t bus;
    uint32_t slot; /* device, and function times 32 (BUS-02b) */
    uint32_t bar_bytes[PCI_BARS];
    uint8_t config[PCI_CONFIG_BYTES];
};

struct pci {
    bool made;
    struct pci_function function[PCI_FUNCTIONS];
};

bool pci_bus_exists(struct kernel *kernel, uint32_t bus);

/* NULL: nothing is there. */
struct pci_function *pci_find(
    struct kernel *kernel, uint32_t bus, uint32_t slot);

bool pci_is_bridge(const struct pci_function *function);

/* Writes one byte as the hardware takes it: what can only be read stays, status
 * bits are cleared by ones, an address keeps the bits that its size leaves it
 * (BUS-06a, BUS-06d). */
void pci_write(struct pci_function *function, uint32_t offset, uint8_t value);

#endif
