/* text_corpus.c - files found below directories and read. */
#define _POSIX_C_SOURCE 200809L
#include "tests/fuzz/text_corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "scenarios/runner/yaml/source.h"

enum { BYTES_MAX = 1 << 20 };

static bool has_suffix(const struct text_corpus *corpus, const char *path)
{
    size_t length = strlen(path), end = strlen(corpus->suffix);

    return length > end && strcmp(path + length - end, corpus->suffix) == 0;
}

static bool add_file(struct text_corpus *corpus, const char *path)
{
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    struct source *source = source_from_file(memory, path, BYTES_MAX, &problem);
    char **paths = realloc(corpus->path, (corpus->count + 1) * sizeof(*paths));
    char **texts = realloc(corpus->text, (corpus->count + 1) * sizeof(*texts));

    if (source == NULL || paths == NULL || texts == NULL) {
        fprintf(stderr, "%s: %s\n", path, source == NULL ? problem : "memory");
        talloc_free(memory);
        return false;
    }
    paths[corpus->count] = strdup(path);
    texts[corpus->count] = strdup(source->text);
    corpus->path = paths;
    corpus->text = texts;
    corpus->count++;
    talloc_free(memory);
    return true;
}

static bool add_below(struct text_corpus *corpus, const char *directory)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;
    bool all = stream != NULL;

    while (all && (entry = readdir(stream)) != NULL) {
        char *path = talloc_asprintf(NULL, "%s/%s", directory, entry->d_name);
        struct stat status;

        if (entry->d_name[0] != '.' && stat(path, &status) == 0 &&
            (S_ISDIR(status.st_mode) || has_suffix(corpus, path))) {
            all = text_corpus_add(corpus, path);
        }
        talloc_free(path);
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return all;
}

bool text_corpus_add(struct text_corpus *corpus, const char *path)
{
    struct stat status;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return add_below(corpus, path);
    }
    return add_file(corpus, path);
}

void text_corpus_sort(struct text_corpus *corpus)
{
    for (size_t i = 1; i < corpus->count; i++) {
        char *path = corpus->path[i], *text = corpus->text[i];
        size_t to = i;

        for (; to > 0 && strcmp(corpus->path[to - 1], path) > 0; to--) {
            corpus->path[to] = corpus->path[to - 1];
            corpus->text[to] = corpus->text[to - 1];
        }
        corpus->path[to] = path;
        corpus->text[to] = text;
    }
}

void text_corpus_release(struct text_corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        free(corpus->path[i]);
        free(corpus->text[i]);
    }
    free(corpus->path);
    free(corpus->text);
}
