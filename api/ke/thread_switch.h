/* thread_switch.h - the moments at which a thread gets a processor or loses it,
 * for those who account for it. */
#ifndef API_KE_THREAD_SWITCH_H
#define API_KE_THREAD_SWITCH_H

struct cpu;
struct kernel;
struct kthread;

/* Why a thread has lost its processor: a KWAIT_REASON. */
enum switch_reason {
    SWITCH_EXECUTIVE = 0,
    SWITCH_DELAY = 4,
    SWITCH_RESOURCE = 27,
    SWITCH_PUSH_LOCK = 28,
    SWITCH_QUANTUM_END = 30,
    SWITCH_PREEMPTED = 32,
    SWITCH_YIELD = 33,
    SWITCH_FAST_MUTEX = 34,
    SWITCH_RUNDOWN = 36,
    SWITCH_NONE = 64, /* nobody else needed it: an actor's step is over */
};

/* Who is told (kernel_hooks), of threads that are `watched`. */
struct switch_watcher {
    void (*out)(struct kernel *kernel, struct kthread *thread, struct cpu *cpu,
        enum switch_reason reason);
    void (*in)(struct kernel *kernel, struct kthread *thread, struct cpu *cpu);
};

/* The running thread is about to lose its processor, or has got one. */
void thread_switch_out(struct kernel *kernel, enum switch_reason reason);
void thread_switch_in(struct kernel *kernel);

#endif
