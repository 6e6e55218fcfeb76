/* affinity.h - KeSetSystemGroupAffinityThread and its revert: the thread that
 * calls goes to another processor (facts.md 7.5). */
#ifndef API_KE_AFFINITY_H
#define API_KE_AFFINITY_H

struct kernel;

/* Below DISPATCH_LEVEL: moves the running thread, if its affinity has changed,
 * to a processor that it allows. */
void affinity_settle(struct kernel *kernel);

#endif
