/* unwinding.h - a function with a language handler of its own, which ends the
 * frames above it by RtlUnwindEx, as runtimes of compilers do that link theirs.
 */
#ifndef UNWINDING_H
#define UNWINDING_H

#include <ntddk.h>

/* Returns the code of the exception that was handled. Notes at to[0] how many
 * termination handlers ran, at to[1] those of its own that did. With `nowhere`
 * the unwind is asked for a frame that there is not. */
int unwinding_run(unsigned char *to, BOOLEAN nowhere);

#endif
