/* walk.c - each mutant has a rank, and they come by it. */
#include "tests/mutation/walk.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "sim/base/splitmix.h"

char *walk_read_file(void *context, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = talloc_strdup(context, "");
    char part[4096];
    size_t length;

    if (file == NULL) {
        return NULL;
    }
    while ((length = fread(part, 1, sizeof(part), file)) > 0) {
        text = talloc_strndup_append_buffer(text, part, length);
    }
    fclose(file);
    return text;
}

/* FNV-1a. */
static uint64_t sum_of(const char *text)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);

    for (; *text != '\0'; text++) {
        sum = (sum ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    }
    return sum;
}

static void add_sites(struct walk *walk, size_t file)
{
    size_t count = walk->file[file].mutants->count;

    walk->site = talloc_realloc(walk, walk->site, struct walk_site,
        (unsigned)(walk->site_count + count));
    for (size_t i = 0; i < count; i++) {
        walk->site[walk->site_count++] = (struct walk_site){file, i, 0};
    }
}

struct walk *walk_read(
    void *context, char *const *path, size_t count, const char **unreadable)
{
    struct walk *walk = talloc_zero(context, struct walk);

    assert(walk != NULL);
    walk->file = talloc_zero_array(walk, struct walk_file, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        struct walk_file *file = &walk->file[walk->file_count++];

        file->path = path[i];
        file->text = walk_read_file(walk, path[i]);
        if (file->text == NULL) {
            *unreadable = path[i];
            return NULL;
        }
        file->sum = sum_of(file->text);
        file->mutants = mutants_find(walk, file->text);
        file->equivalent =
            talloc_zero_array(walk, bool, (unsigned)file->mutants->count + 1);
        assert(file->equivalent != NULL);
        add_sites(walk, i);
    }
    return walk;
}

static int by_rank(const void *left, const void *right)
{
    const struct walk_site *a = left, *b = right;

    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    if (a->file != b->file) {
        return a->file < b->file ? -1 : 1;
    }
    return a->mutant < b->mutant ? -1 : a->mutant > b->mutant;
}

void walk_order(struct walk *walk, uint64_t seed)
{
    for (size_t i = 0; i < walk->site_count; i++) {
        struct walk_site *site = &walk->site[i];
        struct splitmix stream = {
            .state = seed ^ sum_of(walk->file[site->file].path)};

        stream.state = splitmix_next(&stream) + site->mutant;
        site->rank = splitmix_next(&stream);
    }
    if (walk->site_count > 0) {
        qsort(walk->site, walk->site_count, sizeof(walk->site[0]), by_rank);
    }
}
