/* object_wait.h - threads that wait for dispatcher objects: one or several, any
 * or all of them, to a time or for ever. */
#ifndef API_KE_OBJECT_WAIT_H
#define API_KE_OBJECT_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/ke/clock.h"
#include "api/nt/nt.h"

struct dispatch_object;
struct kernel;
struct kthread;
struct strand;

enum { MAXIMUM_WAIT_OBJECTS = 64, THREAD_WAIT_OBJECTS = 3 };

/* A thread among those that wait for an object. */
struct wait_link {
    struct thread_wait *wait;
    struct dispatch_object *object;
    struct wait_link *next, *previous; /* of those that wait for it */
};

/* How a thread waits, bits: for all of the objects; so that alerts end it, and
 * APCs of user mode; in UserMode, so that the end of its thread does. */
enum wait_how {
    WAIT_HOW_ANY = 0,
    WAIT_HOW_ALL = 1 << 0,
    WAIT_HOW_ALERTABLE = 1 << 1,
    WAIT_HOW_USER = 1 << 2,
};

/* What a thread waits for. It lies on its own stack. */
struct thread_wait {
    struct kthread *thread;
    struct strand *strand;
    size_t count;
    unsigned how; /* of enum wait_how */
    uint8_t irql;
    bool away; /* it does not stand with its objects, as it runs APCs */
    bool late; /* its time was over meanwhile */
    bool done;
    NTSTATUS status; /* where it is done */
    struct clock_timer deadline;
    struct wait_link link[MAXIMUM_WAIT_OBJECTS];
};

/* Until when: a tick, now, or never. */
enum wait_limit { WAIT_FOR_EVER, WAIT_NOT, WAIT_TO_TICK };

struct wait_until {
    enum wait_limit limit;
    uint64_t tick;
    uint64_t due; /* its interrupt time, or 0 */
};

/* Up to the first tick that is so long after that interrupt time. */
struct wait_until wait_until_after(
    struct kernel *kernel, uint64_t since, uint64_t units);

/* A LARGE_INTEGER* of the caller's; NULL: for ever. */
struct wait_until wait_until_read(
    struct kernel *kernel, enum routine routine, const LARGE_INTEGER *timeout);

/* Whether the running code may wait so long: stops the machine where it may
 * not (WAIT-13, WAIT-14 [C]). */
void wait_check_level(struct kernel *kernel, enum routine routine,
    const struct wait_until *until);

/* The running thread waits, which is below DISPATCH_LEVEL unless the limit is
 * WAIT_NOT. Returns as KeWaitForMultipleObjects does; with no object at all it
 * waits for the time. `how` has bits of enum wait_how. */
NTSTATUS object_wait(struct kernel *kernel, struct dispatch_object **object,
    size_t count, unsigned how, const struct wait_until *until,
    enum switch_reason reason);

/* Something has been asked of the thread (thread_apcs): where it waits in a way
 * that this ends or interrupts, it goes on. */
void object_wait_disturb(struct kernel *kernel, struct kthread *thread);

/* The object's state was raised: lets those go on whose wait that satisfies, in
 * order of arrival, as long as it lasts. */
void object_signal(struct kernel *kernel, struct dispatch_object *object);

#endif
