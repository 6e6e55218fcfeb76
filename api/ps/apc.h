/* apc.h - calls that a thread is to make where it may (APCs), alerts, and its
 * end that somebody else asks for. Knows nothing of who asks. */
#ifndef API_PS_APC_H
#define API_PS_APC_H

#include <stdbool.h>
#include <stdint.h>

#include "api/ke/code.h"
#include "api/nt/nt.h"

struct driver;
struct kernel;
struct kthread;

/* APC-01: the kernel's at APC_LEVEL and at PASSIVE_LEVEL, and user mode's. */
enum apc_kind { APC_SPECIAL, APC_NORMAL, APC_USER };

struct apc {
    enum apc_kind kind;
    const struct driver *driver; /* whose code it is */
    uint64_t routine;
    uint64_t argument[CODE_ARGUMENTS];
    struct apc *next; /* queued later */
};

/* The thread makes the call, behind those of its kind that came before. False:
 * it has ended. */
bool apc_queue(
    struct kernel *kernel, struct kthread *thread, const struct apc *apc);

/* Ends its alertable wait, or the next one. */
void apc_alert(struct kernel *kernel, struct kthread *thread);

/* It ends, when it is back in user mode (WAIT-09, WAIT-11): a program's. */
void apc_end(struct kernel *kernel, struct kthread *thread, NTSTATUS status);

/* kernel_hooks: the kernel's that may run now, the special ones first. */
void apc_run(struct kernel *kernel, struct kthread *thread);

/* Those of user mode, in the order in which they came, as its code. */
void apc_run_user(struct kernel *kernel, struct kthread *thread);

/* The thread has ended: what is queued to it never runs. */
void apc_forget(struct kernel *kernel, struct kthread *thread);

#endif
