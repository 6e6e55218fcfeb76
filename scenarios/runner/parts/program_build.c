/* program_build.c - the number that the linker gave this executable. */
#define _GNU_SOURCE
#include "scenarios/runner/parts/program_build.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "api/text/fnv.h"

/* The note with the number, in a segment of notes; 0: it is not there. */
static uint64_t find_note(const uint8_t *at, size_t left)
{
    ElfW(Nhdr) note;

    while (left >= sizeof(note)) {
        size_t name, size;

        memcpy(&note, at, sizeof(note));
        name = (note.n_namesz + 3u) & ~(size_t)3;
        size = sizeof(note) + name + ((note.n_descsz + 3u) & ~(size_t)3);
        if (size > left) {
            return 0;
        }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(at + sizeof(note), "GNU", 4) == 0) {
            return fnv1a_bytes(at + sizeof(note) + name, note.n_descsz);
        }
        at += size;
        left -= size;
    }
    return 0;
}

/* The first object is the program. */
static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    uint64_t *build = context;

    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum && *build == 0; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type == PT_NOTE) {
            *build =
                find_note((const uint8_t *)(info->dlpi_addr + segment->p_vaddr),
                    segment->p_filesz);
        }
    }
    return 1;
}

uint64_t program_build(void)
{
    uint64_t build = 0;

    dl_iterate_phdr(look_at, &build);
    return build;
}
