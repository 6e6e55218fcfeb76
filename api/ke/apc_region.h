/* apc_region.h - regions in which a thread takes no APCs: critical and guarded
 * ones, counted in its object (APC-07). */
#ifndef API_KE_APC_REGION_H
#define API_KE_APC_REGION_H

#include <stdbool.h>
#include <stdint.h>

struct driver_target;
struct kernel;
struct kthread;

/* The thread takes no normal kernel APCs from here on, nor user APCs; and it
 * does again, where it has left as often as it has entered (APC-02). */
void apc_region_enter(struct kthread *thread);
void apc_region_leave(struct kthread *thread);

/* Whether the thread, where it is at that level, takes what all APCs need that
 * are not special; those of user mode and its end, too (WAIT-11). */
bool apc_region_open(
    struct kernel *kernel, const struct kthread *thread, uint8_t irql);

/* Whether one of the kernel's that are queued to it may run there. */
bool apc_region_may_take(
    struct kernel *kernel, const struct kthread *thread, uint8_t irql);

/* Runs what is queued to the running thread and may run now. */
void apc_region_take(struct kernel *kernel);

/* Both counts in one, as bug check 0x01 shows them. */
uint32_t apc_region_counts(const struct kthread *thread);

/* The driver's routine has returned: with other counts than it was called with
 * the machine stops (APC-06). */
void apc_region_check(
    struct kernel *kernel, const struct driver_target *target, uint32_t before);

/* The same counts of the running thread, 0 for one that nobody asked for. */
uint32_t apc_region_current(struct kernel *kernel);

#endif
