/* instance.h - an instance that PcwCreateInstance made: a name, an id, and the
 * driver's blocks by reference (PCW-CRE-07a). */
#ifndef API_PCW_INSTANCE_H
#define API_PCW_INSTANCE_H

#include "api/core/routine.h"
#include "api/pcw/registration.h"

struct memory_block;

/* A block of the driver's. */
struct pcw_block {
    uint64_t address; /* 0: none, and no counter lies in it */
    uint32_t size;    /* bytes */
    bool counted;     /* as a user of the memory that it lies in */
};

/* First what a look-up by name and a list's neighbours touch: they are in one
 * line of the host's cache, or nearly. */
struct pcw_instance {
    struct name_entry named;              /* in its registration's table */
    struct pcw_instance *previous, *next; /* of the registration */
    struct pcw_registration *registration;
    uint32_t id;
    uint64_t handle;
    const struct driver *owner;
    uint64_t place;           /* of the call that created it; 0: unknown */
    uint32_t step;            /* of the actor's that did (struct thread) */
    uint32_t readers;         /* collections that read its blocks now */
    bool closing;             /* nobody new reads it */
    bool reported;            /* as left behind */
    bool forgotten;           /* closed without waiting for the readers */
    struct pcw_block block[]; /* as many as the registration's structures */
};

/* Is true: ends the process where something of it is not as it always is.
 * Looks at its neighbours in the registration's lists. */
bool pcw_instance_check(
    const struct pcw_instance *instance, const struct pcw *pcw);

/* The same of all instances of a registration. */
bool pcw_instances_check(
    const struct pcw_registration *registration, const struct pcw *pcw);

/* Makes one; `name`, whose pcw_text_hash() that is, is copied (PCW-CRE-16
 * [C]), and so are the blocks. */
struct pcw_instance *pcw_instance_new(struct kernel *kernel,
    struct pcw_registration *registration, struct pcw_text name, uint32_t hash,
    const struct pcw_block *block);

/* An open instance of the registration whose name, of that pcw_text_hash(),
 * differs by case at most; NULL: none. */
struct pcw_instance *pcw_instance_named(
    const struct pcw_registration *registration, struct pcw_text name,
    uint32_t hash);

/* An instance is about to be there besides `others` of the registration: a
 * warning for what its set's manifest does not have (PCW-CRE-03b [C]). */
void pcw_instance_compare(struct kernel *kernel, enum routine routine,
    const struct pcw_registration *registration, struct pcw_text name,
    size_t others);

/* Somebody reads its blocks. */
void pcw_instance_enter(struct pcw_instance *instance);
void pcw_instance_leave(struct kernel *kernel, struct pcw_instance *instance);

/* Closes it and waits for those who read it (PCW-CLS-03b [C]); its handle is
 * from then on in that state. */
void pcw_instance_end(struct kernel *kernel, struct pcw_instance *instance,
    enum pcw_handle_state state);

/* A warning for the first instance whose data is in memory that is freed, with
 * the place where it was created (PCW-CLS-05 [C]). */
extern const struct block_watcher pcw_block_watcher;

#endif
