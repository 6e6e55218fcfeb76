/* bug_check_dump.h - what a bug check does before the machine's end: drivers'
 * callbacks, those that have to do with the dump in the order in which one is
 * written, then the plain ones (BUG-06). The dump itself is nobody's to read.
 */
#ifndef API_BUG_BUG_CHECK_DUMP_H
#define API_BUG_BUG_CHECK_DUMP_H

struct cpu;
struct kernel;

/* The machine has stopped: from here on no other processor goes on. Returns
 * when all callbacks were called, or none may be any more; or another bug check
 * in one of them ends the machine. */
void bug_check_dump(struct kernel *kernel, struct cpu *cpu);

#endif
