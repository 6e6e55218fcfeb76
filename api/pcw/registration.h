/* registration.h - a counter set that a driver has registered: what it captured
 * from the call (PCW-REG-02), and the instances that are open. */
#ifndef API_PCW_REGISTRATION_H
#define API_PCW_REGISTRATION_H

#include "api/pcw/name_table.h"
#include "api/pcw/pcw.h"
#include "api/pcw/text.h"

struct cpu;
struct driver;
struct pcw_names;

/* What instances have their names in. */
enum pcw_named_in { PCW_ENUMERATION, PCW_COLLECTION, PCW_NAMED };

/* A value of an instance: where it lies in the instance's blocks. */
struct pcw_counter {
    uint16_t id;
    uint16_t structure; /* index of the block */
    uint16_t offset;    /* bytes from its start */
    uint16_t size;      /* bytes; 4 or 8, unless the driver is wrong */
};

/* What PcwRegister was given. */
struct pcw_description {
    struct pcw_text name; /* in `units` */
    uint16_t *units;
    struct pcw_counter *counter;
    uint32_t counter_count;
    uint64_t callback; /* guest address; 0: none */
    uint64_t context;  /* for it */
    bool silo_neutral;
};

struct pcw_registration {
    struct pcw_description description;
    uint64_t handle;
    uint32_t number;              /* from 1, in order of PcwRegister */
    enum pcw_instances instances; /* as a manifest has them */
    uint32_t structures; /* blocks that its counters lie in: indexes below */
    uint32_t *needed;    /* bytes that the counters need of each; 0: none */
    struct pcw_ids *ids; /* where the ids of its instances come from */
    uint32_t silo;
    const struct driver *owner;
    uint64_t place; /* of the call that registered it; 0: unknown */
    uint32_t step;  /* of the actor's that did (struct thread) */
    uint32_t users; /* callbacks and collections under way */
    bool closing;   /* PcwUnregister has begun: nobody new gets in */
    bool reported;  /* as left behind */
    bool forgotten; /* it has ended; the last one out frees it */
    struct pcw_instance *first_instance, *last_instance;
    struct name_table by_name;          /* all of them */
    struct pcw_names *names[PCW_NAMED]; /* in the last whole ones */
    enum pcw_named_in named_last;       /* which came last of these */
    struct pcw_registration *previous, *next;
};

/* Is true: ends the process where something of it is not as it always is.
 * Looks at its neighbours in the list, and not at its instances. */
bool pcw_registration_check(
    const struct pcw_registration *registration, const struct pcw *pcw);

/* Makes a registration of what was captured, which it takes over. */
struct pcw_registration *pcw_registration_new(struct kernel *kernel,
    struct pcw_description description, const struct driver *owner,
    uint64_t place);

/* Whether a consumer in the silo sees it (PCW-REG-11a). */
bool pcw_registration_is_visible(
    const struct pcw_registration *registration, uint32_t silo);

/* Somebody works with it, so it stays until they have left. */
void pcw_registration_enter(struct pcw_registration *registration);
void pcw_registration_leave(
    struct kernel *kernel, struct pcw_registration *registration);

/* Frees it if it has ended, has no users and no instance is being closed. */
void pcw_registration_settle(
    struct kernel *kernel, struct pcw_registration *registration);

/* Closes it, with its instances (PCW-UNR-01): nobody new gets in, and those
 * who are in are waited for (PCW-UNR-03 [C]). */
void pcw_registration_end(
    struct kernel *kernel, struct pcw_registration *registration);

/* The open one of that number; NULL: it is closed. */
struct pcw_registration *pcw_registration_numbered(
    struct kernel *kernel, uint32_t number);

/* The memory of one that is in no list. */
void pcw_registration_free(struct pcw_registration *registration);

#endif
