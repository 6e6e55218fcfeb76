/* lapic.h - the part of a local APIC that the PMI and other processors'
 * interrupts go through: LVTPC, pending and in-service vectors, task priority.
 * Knows nothing of IRQL. */
#ifndef SIM_MACHINE_LAPIC_H
#define SIM_MACHINE_LAPIC_H

#include <stdbool.h>
#include <stdint.h>

enum {
    VECTOR_NMI = 2,
    VECTOR_LEGAL = 16,        /* below it are none that an APIC delivers */
    LVTPC_DELIVERY_FIXED = 0, /* LVTPC[10:8] */
    LVTPC_DELIVERY_NMI = 4,
    LVTPC_MASKED = 1 << 16,
};

enum {
    VECTOR_WORDS = 4,
    VECTOR_NMI_WORD =
        VECTOR_WORDS, /* of what is requested: an NMI is pending */
};

/* Vectors, bit by bit. */
struct vectors {
    uint64_t word[VECTOR_WORDS];
    uint64_t words; /* of those, by bit, that are not 0 */
};

struct lapic {
    uint64_t lvtpc;         /* x2APIC MSR 834H, of 32 bits */
    uint64_t icr;           /* 830H: the last command */
    uint64_t task_priority; /* 808H, TPR[7:0]; CR8 is its upper half */
    bool keeps_open;        /* LVTPC does not mask itself: AMD's */
    bool nmi_blocked;       /* from the delivery of an NMI to its IRET */
    bool line;           /* a level-triggered input is up: the PMU of Armv8 */
    uint8_t line_vector; /* by which it is pending; 0: it is not */
    struct vectors requested;  /* IRR */
    struct vectors in_service; /* ISR */
    struct vectors sent;       /* of those requested, by another's ICR */
};

/* The state after RESET: LVTPC masked, nothing pending. */
void lapic_init(struct lapic *lapic);

/* Whether no illegal vector is pending or in service, what was sent is pending,
 * and registers hold what they can; asserts each part. */
bool lapic_check(const struct lapic *lapic);

/* The PMU's request. A masked LVTPC drops it; otherwise it is accepted,
 * whatever happens to the cause, and LVTPC masks itself, on Intel (pmu.md 1.3).
 * Returns the vector that lapic_pend_pmi() is to be given, VECTOR_NMI for an
 * NMI; 0: it was dropped. */
uint8_t lapic_request_pmi(struct lapic *lapic);

/* What was accepted is pending from now on. */
void lapic_pend_pmi(struct lapic *lapic, uint8_t vector);

/* The level-triggered input rises or falls. While it is up and LVTPC lets it
 * through, its vector is pending whenever it is not in service: a mask holds it
 * back and loses nothing, an end of interrupt brings it again, and a fall
 * recalls what was not taken. LVTPC does not mask itself for it [C]. */
void lapic_set_line(struct lapic *lapic, bool up);

/* A new LVTPC, which has no reserved bit. */
void lapic_set_lvtpc(struct lapic *lapic, uint64_t lvtpc);

/* A fixed interrupt that a processor has sent. Returns whether it is pending
 * now: vectors below 16 are illegal. */
bool lapic_request(struct lapic *lapic, uint8_t vector);

/* The vector that the processor would take now: an NMI first, else the highest
 * one above the processor priority. -1 when there is none. */
int lapic_next(const struct lapic *lapic);

/* Whether there is none whatever the priority. */
static inline bool lapic_is_idle(const struct lapic *lapic)
{
    return lapic->requested.words == 0;
}

static inline bool lapic_has_nmi(const struct lapic *lapic)
{
    return (lapic->requested.words & 1u << VECTOR_NMI_WORD) != 0;
}

/* The processor priority class, 0..15: of the task or of what is in service,
 * whichever is higher. */
int lapic_priority(const struct lapic *lapic);

/* The processor takes the vector that lapic_next() named. Returns whether
 * another processor's command had requested it. */
bool lapic_accept(struct lapic *lapic, uint8_t vector);

/* End of interrupt: the highest vector in service is done. */
void lapic_eoi(struct lapic *lapic);

#endif
