/* debugger.c - a driver's process waits for a debugger, and says how that comes
 * to it. */
#include "scenarios/runner/steps/debugger.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "scenarios/runner/text/visible_text.h"

void debugger_await(const struct driver_file *file, const struct image *image)
{
    uint64_t base = (uintptr_t)image->base;

    fprintf(stderr,
        "ntpmu: stopped before DriverEntry of %s; a debugger comes in with\n"
        "gdb -p %ld -ex 'add-symbol-file \"%s\" -o 0x%" PRIx64 "' "
        "-ex 'handle SIGSEGV SIGILL nostop noprint pass' "
        "-ex 'handle SIGSTOP nostop noprint nopass' "
        "-ex 'tbreak *0x%" PRIx64 "' -ex continue\n",
        visible_name(file->name), (long)getpid(), visible_name(file->path),
        base - image->pe.preferred_base, base + image->pe.entry_rva);
    raise(SIGSTOP);
}
