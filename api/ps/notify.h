/* notify.h - routines of drivers that are told of processes, threads and images
 * (PROC-20): who is registered, and how they are called. */
#ifndef API_PS_NOTIFY_H
#define API_PS_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "api/ke/code.h"
#include "api/nt/nt.h"

struct kernel;
struct kthread;
struct leak_source;
struct ps_process;

enum notify_kind { NOTIFY_PROCESS, NOTIFY_THREAD, NOTIFY_IMAGE, NOTIFY_KINDS };

/* By which routine it was registered, which is the one that removes it. */
enum notify_form { NOTIFY_PLAIN, NOTIFY_EX, NOTIFY_EX2 };

enum { NOTIFY_SLOTS = 64 };

struct notify_entry;

/* Of each kind its slots, in order of calls; NULL: nobody has registered yet.
 */
struct ps_notify {
    struct notify_entry *slot[NOTIFY_KINDS];
};

/* False: all slots are taken. */
bool notify_add(struct kernel *kernel, enum notify_kind kind,
    enum notify_form form, uint64_t function);

/* Whether such a routine is registered. */
bool notify_has(struct kernel *kernel, enum notify_kind kind,
    enum notify_form form, uint64_t function);

/* Removes it when nobody runs it any more, but for the caller, who breaks a
 * rule by being in it. False: none is registered. */
bool notify_remove(struct kernel *kernel, enum routine routine,
    enum notify_kind kind, enum notify_form form, uint64_t function);

/* Calls what is registered, at PASSIVE_LEVEL, in the running thread. */

/* The process has begun, with `thread` as its first, made by the running one.
 * The status is what the routines have left of STATUS_SUCCESS. */
NTSTATUS notify_process_begins(
    struct kernel *kernel, const struct ps_process *process);
void notify_process_ends(
    struct kernel *kernel, const struct ps_process *process);

/* A thread of the process of that number begins or ends. */
void notify_thread(struct kernel *kernel, uint64_t process,
    const struct kthread *thread, bool begins);

/* A driver's image of that file name is in memory. */
void notify_driver_image(
    struct kernel *kernel, const char *name, const void *base, uint64_t size);

/* Routines that a driver has registered and left: the rule
 * leak.notify_routine. */
extern const struct leak_source notify_leaks;

#endif
