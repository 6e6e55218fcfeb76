/* walk.c - Fisher and Yates, then runs are broken up. */
#include "tests/mutation/walk.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <talloc.h>

#include "tests/splitmix.h"

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

static void add_sites(struct walk *walk, size_t file)
{
    size_t count = walk->file[file].mutants->count;

    walk->site = talloc_realloc(walk, walk->site, struct walk_site,
        (unsigned)(walk->site_count + count));
    for (size_t i = 0; i < count; i++) {
        walk->site[walk->site_count++] = (struct walk_site){file, i};
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
        file->mutants = mutants_find(walk, file->text);
        add_sites(walk, i);
    }
    return walk;
}

static void swap(struct walk *walk, size_t left, size_t right)
{
    struct walk_site kept = walk->site[left];

    walk->site[left] = walk->site[right];
    walk->site[right] = kept;
}

static bool ends_run(const struct walk *walk, size_t i)
{
    for (size_t back = 1; back <= WALK_RUN; back++) {
        if (walk->site[i - back].file != walk->site[i].file) {
            return false;
        }
    }
    return true;
}

void walk_shuffle(struct walk *walk, uint64_t seed)
{
    struct splitmix stream = {.state = seed};

    for (size_t left = walk->site_count; left > 1; left--) {
        swap(walk, left - 1, (size_t)splitmix_below(&stream, left));
    }
    for (size_t i = WALK_RUN; i < walk->site_count; i++) {
        size_t other = i;

        if (!ends_run(walk, i)) {
            continue;
        }
        while (other < walk->site_count &&
               walk->site[other].file == walk->site[i].file) {
            other++;
        }
        if (other < walk->site_count) {
            swap(walk, i, other);
        }
    }
}
