/* dispatch_object.h - what a thread can wait for, by the address of its
 * storage: its state, and who waits. The storage has the public layout and
 * shows the state; what counts is kept here (EXE-GEN-02 [C]). */
#ifndef API_KE_DISPATCH_OBJECT_H
#define API_KE_DISPATCH_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/mm/block.h"
#include "api/mm/storage_table.h"
#include "sim/base/record_pool.h"

struct cpu;
struct driver;
struct kernel;
struct kthread;
struct wait_link;

enum dispatch_kind {
#define DISPATCH_KIND(name, ...) DISPATCH_##name,
#include "api/ke/dispatch_kinds.def"
    DISPATCH_KINDS
};

enum dispatch_takes { TAKES_NOTHING, TAKES_ONE, TAKES_OWN };

struct dispatch_kind_row {
    uint8_t type, words;
    enum dispatch_takes takes;
    const char *text;
};

extern const struct dispatch_kind_row dispatch_kinds[DISPATCH_KINDS];

struct dispatch_object {
    struct stored stored;
    enum dispatch_kind kind;
    int32_t state;         /* SignalState: signalled where it is above 0 */
    int32_t limit;         /* of a semaphore */
    uint8_t level;         /* at which a mutex was taken first (MTX-05) */
    struct kthread *owner; /* of a mutex that is held, else NULL */
    void *of;              /* whoever made it: a thread's or timer's record */
    /* Whether it is in use though nobody waits for it or holds it. NULL: it is
     * not. */
    bool (*in_use)(const struct dispatch_object *object);
    /* Its memory is being freed, or is made another object: the record is given
     * back. NULL: it needs not. */
    void (*freed)(struct kernel *kernel, struct cpu *cpu, enum routine routine,
        struct dispatch_object *object);
    const struct driver *driver;    /* that made it */
    uint64_t place;                 /* of the code that did; 0: unknown */
    struct wait_link *first, *last; /* who waits, in order of arrival */
    uint32_t away; /* and whose waits have left for APCs and come back */
};

/* All there are. */
struct dispatch_table {
    struct storage_table table;
    struct record_pool pool;
};

/* Rules about where an object of any kind may be initialised: EXE-GEN-04 [C],
 * EXE-LAY-02 [C]. */
void dispatch_storage_check(struct kernel *kernel, enum routine routine,
    uint64_t address, size_t size, size_t alignment);

/* Initialises the storage at `address`, which the caller may write to, and
 * makes an object of it; one that was there is gone. Never NULL: the run ends
 * as not modelled where the guest's share of the arena is used up. */
struct dispatch_object *dispatch_object_make(struct kernel *kernel,
    enum routine routine, uint64_t address, enum dispatch_kind kind,
    int32_t state);

/* One without storage that could be looked into: a thread's. */
struct dispatch_object *dispatch_object_make_opaque(
    struct kernel *kernel, uint64_t address, enum dispatch_kind kind);

/* The object whose storage begins there; NULL: none was initialised. */
struct dispatch_object *dispatch_object_find(
    struct kernel *kernel, uint64_t address);

/* The same for what a routine was given: without one the machine stops with
 * object.uninitialized, with one of another kind than those in `kinds` (a bit
 * each) with object.kind. */
struct dispatch_object *dispatch_object_get(struct kernel *kernel,
    enum routine routine, const void *address, uint32_t kinds);

/* Nobody waits for it any more, and it is no object. */
void dispatch_object_forget(
    struct kernel *kernel, struct dispatch_object *object);

/* The same where its memory is freed: the machine stops with object.freed where
 * somebody waits for it or holds it. */
void dispatch_object_free(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct dispatch_object *object);

/* The state, and what the storage shows of it. */
void dispatch_object_set(
    struct kernel *kernel, struct dispatch_object *object, int32_t state);

/* Whether a wait of this thread would be satisfied by it. */
bool dispatch_object_is_signalled(
    const struct dispatch_object *object, const struct kthread *thread);

/* Memory that is freed has no object that somebody waits for (EXE-GEN-05). */
extern const struct block_watcher dispatch_block_watcher;

#endif
