/* awaited.c - words for what a blocked thread waits for, and who holds that
 * lock since where: what is said of a deadlock. */
#include "api/ke/awaited.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"
#include "api/ke/object_wait.h"
#include "api/ke/spinlock.h"
#include "sim/machine/strand.h"

struct sentence {
    struct kernel *kernel;
    const struct step_names *steps;
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void say(
    struct sentence *sentence, const char *format, ...)
{
    size_t room = sentence->size - sentence->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length =
        vsnprintf(sentence->text + sentence->length, room, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    sentence->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void say_driver(struct sentence *sentence, const struct driver *driver)
{
    say(sentence, "%s", driver == NULL ? "a thread" : driver->name);
}

/* A thread of the system goes by its number, an actor by its name. */
static void say_thread(struct sentence *sentence, const struct kthread *thread)
{
    if (!thread->system) {
        say_driver(sentence, thread->driver);
        return;
    }
    say(sentence, "thread %" PRIu64 " of ", thread->id);
    say_driver(sentence, thread->driver);
}

static void say_where(struct sentence *sentence, uint64_t place, uint32_t step)
{
    char name[PLACE_BYTES];

    if (place != 0) {
        place_name(sentence->kernel, place, name, sizeof(name));
        say(sentence, " at %s", name);
    } else if (step != 0) {
        say(sentence, " in step %s",
            sentence->steps->of(sentence->steps->context, step));
    }
}

static void say_hold(struct sentence *sentence, const struct lock_hold *hold)
{
    say(sentence, ", which ");
    if (hold->thread == NULL) {
        say(sentence, "an owner pointer has");
        return;
    }
    say_thread(sentence, hold->thread);
    say(sentence, " took");
    say_where(sentence, hold->place, hold->step);
}

static void say_lock(struct sentence *sentence, const struct lock *lock)
{
    say(sentence, "%s%s", lock->kind == LOCK_RUNDOWN ? "" : "a ",
        lock_kinds[lock->kind].text);
    for (const struct lock_hold *hold = lock->holds; hold != NULL;
         hold = hold->beside) {
        say_hold(sentence, hold);
    }
    if (lock->kind == LOCK_RUNDOWN || lock->kind == LOCK_REMOVE_LOCK) {
        say(sentence, " with %" PRId64 " acquires left", lock->count);
    }
}

/* Where a processor holds the lock. */
static void say_spin_holds(struct sentence *sentence, const void *address)
{
    const struct spinlock_log *log = sentence->kernel->spinlocks;

    for (size_t i = 0; i < log->count; i++) {
        const struct spinlock_hold *hold = &log->hold[i];

        if (hold->lock == address) {
            say(sentence, ", which cpu %" PRIu32 " took", hold->processor);
            say_where(sentence, hold->place, hold->step);
        }
    }
}

static void say_object(
    struct sentence *sentence, const struct dispatch_object *object)
{
    const struct lock *lock;

    if (object->kind == DISPATCH_MUTEX && object->owner != NULL) {
        lock = lock_find(sentence->kernel, object->stored.address);
        say_lock(sentence, lock);
        return;
    }
    say(sentence, "a %s", dispatch_kinds[object->kind].text);
}

static void say_objects(
    struct sentence *sentence, const struct thread_wait *wait)
{
    enum { SHOWN = 4 };

    for (size_t i = 0; i < wait->count && i < SHOWN; i++) {
        say(sentence, "%s",
            i == 0                            ? ""
            : (wait->how & WAIT_HOW_ALL) != 0 ? " and "
                                              : " or ");
        say_object(sentence, wait->link[i].object);
    }
    if (wait->count > SHOWN) {
        say(sentence, " and %zu more", wait->count - SHOWN);
    }
    if (wait->count == 0) {
        say(sentence, "a time");
    }
}

bool awaited_text(struct kernel *kernel, struct strand *strand,
    const struct step_names *steps, char *text, size_t size)
{
    struct sentence sentence = {kernel, steps, text, size, 0};
    const struct kthread *thread = thread_of(strand)->object;
    const void *spins_for = spinlock_awaited(strand);

    text[0] = '\0';
    if (spins_for != NULL) {
        say_driver(&sentence, strand->owner);
        say(&sentence, " spins for a spin lock");
        say_spin_holds(&sentence, spins_for);
        return true;
    }
    if (thread == NULL || (thread->lock_wait == NULL && thread->wait == NULL)) {
        return false;
    }
    say_thread(&sentence, thread);
    say(&sentence, " waits for ");
    if (thread->lock_wait != NULL) {
        say_lock(&sentence, thread->lock_wait->lock);
        say_spin_holds(&sentence,
            (const void *)(uintptr_t)thread->lock_wait->lock->stored.address);
    } else {
        say_objects(&sentence, thread->wait);
    }
    return true;
}
