/* read_pci.h - machine: {pci: ..}, the PCI functions that a machine is given,
 * and probes of them. */
#ifndef RUNNER_SCENARIO_READ_PCI_H
#define RUNNER_SCENARIO_READ_PCI_H

#include <stdint.h>

struct given_function;
struct node;
struct reader;
struct scenario;

/* The machine's memory has been read. */
void read_pci(struct reader *reader);

/* What a probe asks of one. */
void read_pci_probe(struct reader *reader, const struct node *node);

/* The same of what was found valid. */
const struct given_function *read_pci_find(
    const struct scenario *scenario, const struct node *node);
void read_pci_part(const struct node *node, uint64_t *at, uint64_t *bytes);

#endif
