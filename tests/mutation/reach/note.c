/* note.c - linked into a program that gcc has compiled with
 * -finstrument-functions: notes in the file NTPMU_REACH which of its functions
 * ran, in this process or in those that it forks. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/mutation/reached.h"

#define UNWATCHED __attribute__((no_instrument_function))

extern const char __executable_start[];

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

static volatile uint8_t *noted; /* NULL: nobody wants to know */

UNWATCHED __attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("NTPMU_REACH");
    int file = name == NULL ? -1 : open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
    void *map = MAP_FAILED;

    if (name == NULL) {
        return;
    }
    if (file >= 0 && ftruncate(file, REACHED_BYTES) == 0) {
        map = mmap(
            NULL, REACHED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (map == MAP_FAILED) {
        abort();
    }
    close(file);
    noted = map;
}

UNWATCHED void __cyg_profile_func_enter(void *function, void *caller)
{
    uintptr_t at =
        ((uintptr_t)function - (uintptr_t)__executable_start) >> REACHED_SHIFT;

    (void)caller;
    if (noted == NULL) {
        return;
    }
    if (at >= REACHED_BYTES) {
        abort(); /* the program has grown: a larger number is needed there */
    }
    noted[at] = 1;
}

UNWATCHED void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}
