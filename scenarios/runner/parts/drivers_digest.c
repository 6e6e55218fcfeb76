/* drivers_digest.c - FNV-1a over the images that a command line allows. */
#define _GNU_SOURCE
#include "scenarios/runner/parts/drivers_digest.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/run/run_settings.h"

enum { READ_BYTES = 64 * 1024 };

static uint64_t add_file(uint64_t digest, const char *path)
{
    FILE *file = fopen(path, "rbe");
    uint8_t bytes[READ_BYTES];
    size_t got;

    if (file == NULL) {
        return fnv1a_byte(digest, 0);
    }
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        for (size_t i = 0; i < got; i++) {
            digest = fnv1a_byte(digest, bytes[i]);
        }
    }
    fclose(file);
    return fnv1a_byte(digest, 0);
}

static int is_image(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 4 && strcasecmp(entry->d_name + length - 4, ".sys") == 0;
}

/* In the order of their names. */
static uint64_t add_directory(
    uint64_t digest, const char *path, struct dirent **entry, int count)
{
    for (int i = 0; i < count; i++) {
        char *file = talloc_asprintf(NULL, "%s/%s", path, entry[i]->d_name);

        for (const char *c = entry[i]->d_name; *c != '\0'; c++) {
            digest = fnv1a_byte(digest, (uint8_t)*c);
        }
        digest = add_file(fnv1a_byte(digest, 0), file);
        talloc_free(file);
        free(entry[i]);
    }
    free(entry);
    return digest;
}

uint64_t drivers_digest(const struct run_words *allowed)
{
    uint64_t digest = FNV1A_EMPTY;

    for (size_t i = 0; i < allowed->count; i++) {
        struct dirent **entry;
        int count = scandir(allowed->item[i], &entry, is_image, alphasort);

        digest = count >= 0
                     ? add_directory(digest, allowed->item[i], entry, count)
                     : add_file(digest, allowed->item[i]);
    }
    return digest;
}
