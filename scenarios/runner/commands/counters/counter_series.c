/* counter_series.c - lines put together by what they are of: one counter of one
 * instance, from sample to sample. */
#include "scenarios/runner/commands/counters/counter_series.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/key_index.h"

struct gathering {
    struct counter_series_list *list;
    struct key_index *index;
};

/* What tells series apart: `twin` is the number among descriptors that share
 * their id. Texts end by their NUL. */
static char *key_of(void *context, const struct counter_line *line,
    uint32_t twin, size_t *length)
{
    size_t set = strlen(line->set) + 1, instance = strlen(line->instance) + 1;
    char *key = talloc_array(context, char,
        (unsigned)(set + instance + sizeof(line->counter_id) + sizeof(twin)));
    char *at = key;

    assert(key != NULL);
    memcpy(at, line->set, set);
    at += set;
    memcpy(at, line->instance, instance);
    at += instance;
    memcpy(at, &line->counter_id, sizeof(line->counter_id));
    at += sizeof(line->counter_id);
    memcpy(at, &twin, sizeof(twin));
    *length = (size_t)(at - key) + sizeof(twin);
    return key;
}

static size_t add_series(struct counter_series_list *list)
{
    if ((list->count & (list->count - 1)) == 0) {
        list->item = talloc_realloc(list, list->item, struct counter_series,
            2 * (unsigned)list->count + 1);
        assert(list->item != NULL);
    }
    list->item[list->count] = (struct counter_series){.line = NULL};
    return list->count++;
}

static bool has_sample(const struct counter_series *series, size_t sample)
{
    return series->count > 0 &&
           series->line[series->count - 1]->sample == sample;
}

/* The first of its twins that has no line of that sample yet. */
static struct counter_series *series_of(
    struct gathering *gathering, const struct counter_line *line)
{
    struct counter_series_list *list = gathering->list;

    for (uint32_t twin = 0;; twin++) {
        size_t length, at;
        char *key = key_of(list, line, twin, &length);

        if (!key_index_find(gathering->index, key, length, &at)) {
            at = add_series(list);
            key_index_add(gathering->index, key, length, at);
        }
        talloc_free(key);
        if (!has_sample(&list->item[at], line->sample)) {
            return &list->item[at];
        }
    }
}

static void add_line(struct counter_series_list *list,
    struct counter_series *series, const struct counter_line *line)
{
    if ((series->count & (series->count - 1)) == 0) {
        series->line = talloc_realloc(list, series->line,
            const struct counter_line *, 2 * (unsigned)series->count + 1);
        assert(series->line != NULL);
    }
    series->line[series->count++] = line;
}

struct counter_series_list *counter_series_make(
    void *context, const struct counter_lines *lines)
{
    struct gathering gathering = {
        .list = talloc_zero(context, struct counter_series_list)};

    assert(gathering.list != NULL);
    gathering.index = key_index_new(gathering.list);
    for (size_t i = 0; i < lines->count; i++) {
        const struct counter_line *line = &lines->item[i];

        add_line(gathering.list, series_of(&gathering, line), line);
    }
    talloc_free(gathering.index);
    return gathering.list;
}

char *counter_series_path(void *context, const struct counter_series *series)
{
    const struct counter_line *line = series->line[0];
    const char *name = counter_line_name(context, line);

    return line->single
               ? talloc_asprintf(context, "\\\\NTPMU\\%s\\%s", line->set, name)
               : talloc_asprintf(context, "\\\\NTPMU\\%s(%s)\\%s", line->set,
                     line->instance, name);
}
