/* pci.h - the configuration space of a machine's PCI buses: what each function
 * has there, and what a write to it does. Knows nothing of the HAL's routines.
 */
#ifndef API_HAL_PCI_H
#define API_HAL_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct given_range;
struct kernel;

enum { PCI_CONFIG_BYTES = 256, PCI_BARS = 6, PCI_FUNCTIONS = 5 };

/* A base address of a function that a machine is given. */
struct given_bar {
    uint64_t base, bytes;        /* of a power of two; 0 bytes: there is none */
    bool io, wide, prefetchable; /* wide: it takes the next one, too */
    const struct given_range *range; /* what is there; NULL: ports */
};

/* A function that a machine is given besides its own (BUS-30 [C]). */
struct given_function {
    const char *name;
    uint32_t bus, device, function;
    uint16_t vendor, id, subsystem_vendor, subsystem, command;
    uint32_t class_code;
    uint8_t revision, pin, line;
    uint8_t capability; /* where the first one begins; 0: there is none */
    bool reported;      /* by a device, a PDO (BUS-08) */
    struct given_bar bar[PCI_BARS];
    const uint8_t *area; /* PCI_CONFIG_BYTES, of which those behind the header
                            count; NULL: all 0 */
};

struct given_pci {
    const struct given_function *function;
    size_t count;
};

struct pci_function {
    uint32_t bus;
    uint32_t slot;               /* device, and function times 32 (BUS-02b) */
    uint32_t bar_bits[PCI_BARS]; /* that a write changes */
    uint8_t config[PCI_CONFIG_BYTES];
    const struct given_function *given; /* NULL: the machine's own */
};

struct pci {
    bool made;
    struct pci_function function[PCI_FUNCTIONS];
    struct pci_function *more; /* that the machine is given */
    size_t more_count;
};

/* Whether the machine has one of its own there, or a bus of that number. */
bool pci_is_taken(uint32_t bus, uint32_t device, uint32_t function);
bool pci_has_bus(uint32_t bus);

/* The machine, which has just booted and has its memory, has these, too. */
void pci_give(struct kernel *kernel, const struct given_pci *given);

/* The bus driver reports those that say so. Drivers' memory is there, and no
 * driver yet. */
void pci_report(struct kernel *kernel);

bool pci_bus_exists(struct kernel *kernel, uint32_t bus);

/* NULL: nothing is there. */
struct pci_function *pci_find(
    struct kernel *kernel, uint32_t bus, uint32_t slot);

bool pci_is_bridge(const struct pci_function *function);

/* Writes one byte as the hardware takes it: what can only be read stays, status
 * bits are cleared by ones, an address keeps the bits that its size leaves it
 * (BUS-06a, BUS-06d). */
void pci_write(struct pci_function *function, uint32_t offset, uint8_t value);

/* What was written is whole: the function's memory answers where, and while, it
 * says so. Stops the machine where it is to answer elsewhere. */
void pci_settle(struct kernel *kernel, const struct pci_function *function);

#endif
