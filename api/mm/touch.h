/* touch.h - an instruction of a driver's code touches an address that it may
 * not: whose it was, and which rule that breaks. */
#ifndef API_MM_TOUCH_H
#define API_MM_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/answers.h"
#include "api/core/rules.h"

struct cpu;
struct kernel;

/* As in bug check parameters. */
enum touch_access { TOUCH_READ = 0, TOUCH_WRITE = 1, TOUCH_EXECUTE = 8 };

struct touch {
    struct kernel *kernel;
    struct cpu *cpu; /* that runs the code */
    uint64_t address;
    enum touch_access access;
    bool raised;               /* at DISPATCH_LEVEL or above */
    struct answer_store store; /* what for, where an answer is given */
};

/* By the processor that runs, at its level. */
struct touch touch_now(
    struct kernel *kernel, uint64_t address, enum touch_access access);

/* A page that is pageable, and may be touched, was opened for the running
 * thread; `routine` as in rule_warn(). */
void touch_opens(struct kernel *kernel, enum routine routine);

/* Stops the machine; `what` is what lies there. */
_Noreturn void touch_stop(
    const struct touch *touch, enum rule rule, const char *what);

/* Raises an access violation for what would be a user-mode address, and stops
 * the machine for the rest. */
_Noreturn void touch_refuse(const struct touch *touch);

/* Code of a program, in user mode, is about to touch `size` bytes: raises an
 * access violation for the first that is the kernel's. */
void touch_by_program(struct kernel *kernel, uint64_t address, size_t size,
    enum touch_access access);

#endif
