/* pcw.h - the performance counter sets of a kernel: all registrations,
 * instances and queries, and the handles that drivers know them by. */
#ifndef API_PCW_PCW_H
#define API_PCW_PCW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/pcw/name_table.h"
#include "api/pcw/text.h"

struct kernel;
struct pcw_block;
struct pcw_buffer;
struct pcw_call;
struct pcw_ids;
struct pcw_instance;
struct pcw_query;
struct pcw_refusal;
struct pcw_registration;

enum pcw_kind { PCW_REGISTRATION, PCW_INSTANCE, PCW_BUFFER, PCW_KINDS };

/* What became of a handle. */
enum pcw_handle_state {
    PCW_HANDLE_NEVER, /* no handle of that kind */
    PCW_HANDLE_OPEN,
    PCW_HANDLE_CLOSED,
    PCW_HANDLE_CLOSED_WITH, /* an instance, by PcwUnregister */
};

struct pcw_handle {
    enum pcw_handle_state state;
    void *object; /* NULL once its memory is given back */
};

/* Who wants to know, as code of the strand that closes it, that an open
 * instance or registration is about to be closed. It may wait. */
struct pcw_observer {
    void (*closing)(void *context, enum pcw_kind kind, uint32_t number);
    void *context;
};

/* How many instances a set has, which its registration does not say
 * (PCW-REG-16). */
enum pcw_instances {
    PCW_INSTANCES_UNKNOWN,
    PCW_ONE_INSTANCE,
    PCW_MANY_INSTANCES
};

/* Who knows that by a set's manifest; asked once for each registration. */
struct pcw_describer {
    enum pcw_instances (*instances)(const void *context, struct pcw_text name);
    const void *context;
};

/* All handles of a kind there ever were, by their number less 1. */
struct pcw_handles {
    struct pcw_handle *handle;
    uint32_t count;
    size_t capacity;
};

struct pcw {
    struct pcw_handles handles[PCW_KINDS];
    struct pcw_registration *first, *last; /* in order of PcwRegister */
    struct name_table ids;                 /* by their sets: struct pcw_ids */
    struct pcw_ids *newest_ids;  /* where ids of instances come from */
    struct pcw_call *calls;      /* callbacks that run now, newest first */
    struct pcw_buffer *buffers;  /* of callbacks that run now */
    struct pcw_query *queries;   /* open, in no order that matters */
    uint32_t query_count;        /* ever */
    struct pcw_refusal *refusal; /* calls that failed, in their order */
    size_t refusal_count, refusal_capacity;
    uint16_t *name;                 /* of the call that is being decoded */
    void *blocks;                   /* the same */
    struct pcw_observer observer;   /* closing NULL: nobody */
    struct pcw_describer describer; /* instances NULL: nobody */
    bool not_ready; /* it is too early in the boot for PCW (PCW-REG-15) */
};

/* Is true: ends the process where the lists' ends and the counts do not fit
 * together. */
bool pcw_check(const struct pcw *pcw);

/* The same, and looks at everything that is in a list. */
bool pcw_lists_check(const struct pcw *pcw);

/* A new handle of an object; its value is never used again. */
uint64_t pcw_handle_new(struct pcw *pcw, enum pcw_kind kind, void *object);

/* From 1 for a handle of that kind, open or not; 0 for any other value. */
uint32_t pcw_handle_number(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle);

enum pcw_handle_state pcw_handle_state(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle);

/* The open object behind a handle; NULL when there is none. */
void *pcw_handle_object(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle);

/* An open handle is from now on in that state; its object is the caller's. */
void pcw_handle_close(struct pcw *pcw, enum pcw_kind kind, uint64_t handle,
    enum pcw_handle_state state);

/* Tells the observer that an open handle is about to be closed; afterwards
 * somebody else may have closed it. */
void pcw_handle_closing(struct pcw *pcw, enum pcw_kind kind, uint64_t handle);

/* The object of a closed handle is about to be freed. */
void pcw_handle_forget(struct pcw *pcw, enum pcw_kind kind, uint64_t handle);

/* What a driver still holds of both. */
extern const struct leak_source pcw_registration_leaks, pcw_instance_leaks;

/* What handles are in a trace: registration#1. */
extern const struct show_namer pcw_namer;

/* Forgets everything, as a new boot does. */
void pcw_release(struct pcw *pcw);

/* Zeroed memory for what a call passes, until the next call is decoded. */
struct pcw_block *pcw_scratch_blocks(struct pcw *pcw, uint32_t count);

/* `size` zeroed bytes of the host's; of none maybe NULL. */
void *pcw_alloc(size_t size);

#endif
