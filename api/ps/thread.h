/* thread.h - threads of the system: what they run, who refers to them, and what
 * a driver leaves behind that ends before they do. */
#ifndef API_PS_THREAD_H
#define API_PS_THREAD_H

#include <stdint.h>

#include "api/core/leaks.h"
#include "api/nt/nt.h"
#include "api/ob/handle.h"

struct kernel;
struct kthread;

/* It begins in a critical region (THR-02). */
enum { THREAD_STARTS_WITH_APCS = -1 };

struct ps_thread {
    struct counted_object object; /* first */
    struct kthread *thread;
    uint64_t start, context;
    bool io; /* made by IoCreateSystemThread */
};

/* A new one, which nothing runs yet, with the reference that it has itself as
 * long as it lives. */
struct ps_thread *ps_thread_make(
    struct kernel *kernel, uint64_t start, uint64_t context);

/* That of a thread which an actor plays, made with the first question; and the
 * thread of an object, NULL: it is no thread. */
struct ps_thread *ps_thread_of(struct kernel *kernel, struct kthread *thread);
struct kthread *ps_thread_in(struct counted_object *object);

/* It has ended: that reference is given back. */
void ps_thread_release(struct kernel *kernel, struct kthread *thread);

/* It ends: signalled, with that status, and gone when nobody refers to it. */
void ps_thread_end(
    struct kernel *kernel, struct kthread *thread, NTSTATUS status);

/* Whether one that was made for the I/O manager is alive (THR-07). */
bool ps_thread_keeps(const struct kernel *kernel, const struct driver *driver);

/* What a driver has made that is alive when it ends: the rule leak.thread. */
extern const struct leak_source ps_thread_leaks;

#endif
