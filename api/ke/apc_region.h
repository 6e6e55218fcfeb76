/* apc_region.h - regions in which a thread takes no APCs: critical and guarded
 * ones, counted in its object (APC-07). */
#ifndef API_KE_APC_REGION_H
#define API_KE_APC_REGION_H

#include <stdint.h>

struct driver_target;
struct kernel;
struct kthread;

/* The thread takes no normal kernel APCs from here on, nor user APCs; and it
 * does again, where it has left as often as it has entered (APC-02). */
void apc_region_enter(struct kthread *thread);
void apc_region_leave(struct kthread *thread);

/* Both counts in one, as bug check 0x01 shows them. */
uint32_t apc_region_counts(const struct kthread *thread);

/* The driver's routine has returned: with other counts than it was called with
 * the machine stops (APC-06). */
void apc_region_check(
    struct kernel *kernel, const struct driver_target *target, uint32_t before);

/* The same counts of the running thread, 0 for one that nobody asked for. */
uint32_t apc_region_current(struct kernel *kernel);

#endif
