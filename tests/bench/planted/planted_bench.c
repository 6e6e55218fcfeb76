/* planted_bench.c - a call with files and streams of its own. */
#define _XOPEN_SOURCE 700
#include "tests/bench/planted/planted_bench.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/frame/bench_command.h"

enum { PATH_BYTES = 64 };

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void read_file(const char *path, char text[PLANTED_TEXT])
{
    FILE *file = fopen(path, "r");

    text[0] = '\0';
    if (file != NULL) {
        text[fread(text, 1, PLANTED_TEXT - 1, file)] = '\0';
        fclose(file);
    }
}

/* The text with @ for the directory; it is released. */
static void keep(char kept[PLANTED_TEXT], char *text, const char *directory)
{
    size_t length = strlen(directory), at = 0;

    for (const char *c = text; *c != '\0' && at < PLANTED_TEXT - 1; at++) {
        if (strncmp(c, directory, length) == 0) {
            kept[at] = '@';
            c += length + 1;
        } else {
            kept[at] = *c++;
        }
    }
    kept[at] = '\0';
    free(text);
}

static void run_in(struct planted_run *run, const struct bench *bench,
    const char *const *arguments, const char *directory)
{
    char path[PLANTED_ARGUMENTS][PATH_BYTES];
    char *argv[PLANTED_ARGUMENTS + 2] = {"bench"};
    char *out = NULL, *err = NULL;
    size_t out_size, err_size;
    int argc = 1;
    FILE *out_file = open_memstream(&out, &out_size);
    FILE *err_file = open_memstream(&err, &err_size);

    for (; arguments[argc - 1] != NULL; argc++) {
        const char *argument = arguments[argc - 1];

        assert(argc <= PLANTED_ARGUMENTS);
        snprintf(path[argc - 1], PATH_BYTES, "%s%s%s",
            *argument == '@' ? directory : "", *argument == '@' ? "/" : "",
            argument + (*argument == '@'));
        argv[argc] = path[argc - 1];
    }
    run->status = bench_command(bench, argc, argv, out_file, err_file);
    fclose(out_file);
    fclose(err_file);
    keep(run->out, out, directory);
    keep(run->err, err, directory);
}

void planted_call(struct planted_run *run, const struct bench *bench,
    const char *const *arguments, const char *in, const char *in2,
    const char *in3)
{
    char directory[] = "/tmp/ntpmu_planted_XXXXXX", path[PATH_BYTES];
    const char *const text[] = {in, in2, in3};
    static const char *const name[] = {"in", "in2", "in3", "out"};

    if (mkdtemp(directory) == NULL) {
        assert(false && "there is no room for files");
    }
    for (size_t i = 0; i < 3; i++) {
        if (text[i] != NULL) {
            snprintf(path, sizeof(path), "%s/%s", directory, name[i]);
            write_file(path, text[i]);
        }
    }
    run_in(run, bench, arguments, directory);
    snprintf(path, sizeof(path), "%s/out", directory);
    read_file(path, run->written);
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "%s/%s", directory, name[i]);
        unlink(path);
    }
    rmdir(directory);
}
