/* lapic.c - a local APIC: vectors pending and in service, and the PMI's LVTPC.
 */
#include "sim/machine/lapic.h"

#include <assert.h>

#include "sim/base/bits.h"

void lapic_init(struct lapic *lapic)
{
    *lapic = (struct lapic){.lvtpc = LVTPC_MASKED};
}

static bool vector_is_in(const struct vectors *set, uint8_t vector)
{
    return bit_is_set(set->word[vector / 64], vector % 64);
}

static void vector_add(struct vectors *set, uint8_t vector)
{
    set->word[vector / 64] |= bit(vector % 64);
    set->words |= 1u << vector / 64;
}

static void vector_remove(struct vectors *set, uint8_t vector)
{
    set->word[vector / 64] &= ~bit(vector % 64);
    if (set->word[vector / 64] == 0) {
        set->words &= ~(1u << vector / 64);
    }
}

static bool vectors_check(const struct vectors *set)
{
    assert(bits_get(set->word[0], 0, VECTOR_LEGAL) == 0);
    for (unsigned n = 0; n < VECTOR_WORDS; n++) {
        assert((set->word[n] != 0) == bit_is_set(set->words, n));
    }
    return true;
}

bool lapic_check(const struct lapic *lapic)
{
    assert(vectors_check(&lapic->requested));
    assert(vectors_check(&lapic->in_service));
    assert(vectors_check(&lapic->sent));
    for (unsigned n = 0; n < VECTOR_WORDS; n++) {
        assert((lapic->sent.word[n] & ~lapic->requested.word[n]) == 0);
    }
    assert(lapic->task_priority <= UINT8_MAX);
    assert(lapic->lvtpc <= UINT32_MAX);
    if (lapic->line_vector != 0) {
        assert(lapic->line);
        assert(vector_is_in(&lapic->requested, lapic->line_vector));
    }
    return true;
}

static int vector_highest(const struct vectors *set)
{
    uint64_t words = bits_get(set->words, 0, VECTOR_WORDS);
    unsigned word;

    if (words == 0) {
        return -1;
    }
    word = bits_highest(words);
    return (int)(64 * word + bits_highest(set->word[word]));
}

uint8_t lapic_request_pmi(struct lapic *lapic)
{
    uint8_t vector = (uint8_t)bits_get(lapic->lvtpc, 0, 8);
    uint64_t delivery = bits_get(lapic->lvtpc, 8, 3);

    if ((lapic->lvtpc & LVTPC_MASKED) != 0) {
        return 0;
    }
    if (delivery == LVTPC_DELIVERY_NMI) {
        vector = VECTOR_NMI;
    } else if (delivery != LVTPC_DELIVERY_FIXED) {
        return 0; /* SMI, INIT and ExtINT are not modelled */
    } else if (vector < VECTOR_LEGAL) {
        return 0; /* vectors 0-15 are illegal: an APIC error, no interrupt */
    }
    lapic->lvtpc |= lapic->keeps_open ? 0 : LVTPC_MASKED;
    return vector;
}

void lapic_pend_pmi(struct lapic *lapic, uint8_t vector)
{
    if (vector == VECTOR_NMI) {
        lapic->requested.words |= 1u << VECTOR_NMI_WORD;
        return;
    }
    assert(vector >= VECTOR_LEGAL);
    vector_add(&lapic->requested, vector);
}

/* The vector by which the line is to be pending now; 0: by none. */
static uint8_t line_goes_to(const struct lapic *lapic)
{
    uint8_t vector = (uint8_t)bits_get(lapic->lvtpc, 0, 8);
    bool through = (lapic->lvtpc & LVTPC_MASKED) == 0 &&
                   bits_get(lapic->lvtpc, 8, 3) == LVTPC_DELIVERY_FIXED &&
                   vector >= VECTOR_LEGAL;

    return lapic->line && through && !vector_is_in(&lapic->in_service, vector)
               ? vector
               : 0;
}

/* After anything that line_goes_to() depends on has changed. What another
 * processor has sent to the same vector stays. */
static void move_line(struct lapic *lapic)
{
    uint8_t old = lapic->line_vector;
    uint8_t vector = line_goes_to(lapic);

    if (vector == old) {
        return;
    }
    if (old != 0 && !vector_is_in(&lapic->sent, old)) {
        vector_remove(&lapic->requested, old);
    }
    if (vector != 0) {
        vector_add(&lapic->requested, vector);
    }
    lapic->line_vector = vector;
    assert(vector == 0 || vector_is_in(&lapic->requested, vector));
}

static inline void follow_line(struct lapic *lapic)
{
    if (lapic->line || lapic->line_vector != 0) {
        move_line(lapic);
    }
}

void lapic_set_line(struct lapic *lapic, bool up)
{
    lapic->line = up;
    follow_line(lapic);
}

void lapic_set_lvtpc(struct lapic *lapic, uint64_t lvtpc)
{
    assert(lvtpc <= UINT32_MAX);
    lapic->lvtpc = lvtpc;
    follow_line(lapic);
}

bool lapic_request(struct lapic *lapic, uint8_t vector)
{
    if (vector < VECTOR_LEGAL) {
        return false; /* an APIC error, no interrupt */
    }
    vector_add(&lapic->requested, vector);
    vector_add(&lapic->sent, vector);
    return true;
}

int lapic_priority(const struct lapic *lapic)
{
    int serving = vector_highest(&lapic->in_service);
    int task = (int)(lapic->task_priority >> 4);

    return serving >= 0 && serving >> 4 > task ? serving >> 4 : task;
}

int lapic_next(const struct lapic *lapic)
{
    int vector = vector_highest(&lapic->requested);

    if (lapic_has_nmi(lapic) && !lapic->nmi_blocked) {
        return VECTOR_NMI;
    }
    return vector >= 0 && vector >> 4 > lapic_priority(lapic) ? vector : -1;
}

bool lapic_accept(struct lapic *lapic, uint8_t vector)
{
    bool sent;

    if (vector == VECTOR_NMI) {
        assert(lapic_has_nmi(lapic));
        assert(!lapic->nmi_blocked);
        lapic->requested.words &= ~(1u << VECTOR_NMI_WORD);
        lapic->nmi_blocked = true;
        return false;
    }
    assert(vector_is_in(&lapic->requested, vector));
    sent = vector_is_in(&lapic->sent, vector);
    vector_remove(&lapic->requested, vector);
    vector_remove(&lapic->sent, vector);
    vector_add(&lapic->in_service, vector);
    if (vector == lapic->line_vector) {
        lapic->line_vector = 0;
    }
    return sent;
}

void lapic_eoi(struct lapic *lapic)
{
    int vector = vector_highest(&lapic->in_service);

    if (vector >= 0) {
        vector_remove(&lapic->in_service, (uint8_t)vector);
        if (lapic->line) {
            follow_line(lapic);
        }
    }
}
