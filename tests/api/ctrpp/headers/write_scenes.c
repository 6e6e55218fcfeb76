/* write_scenes.c - writes what is generated of each scene to NAME.h, NAME.rc
 * and NAME_symbols.h of the directory that it is given. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "tests/api/ctrpp/scenes.h"

static void write_file(const char *directory, const char *name,
    const char *ending, const char *text)
{
    char *path = talloc_asprintf(NULL, "%s/%s%s", directory, name, ending);
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    talloc_free(path);
}

int main(int argc, char **argv)
{
    void *context = talloc_new(NULL);
    size_t count;
    const struct scene *scenes = scenes_all(context, &count);

    if (argc != 2) {
        fprintf(stderr, "usage: write_scenes DIRECTORY\n");
        talloc_free(context);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < count; i++) {
        const struct scene *scene = &scenes[i];
        const struct ctrpp_settings settings = {.prefix = scene->prefix,
            .source = scene->name,
            .backcompat = scene->backcompat};

        write_file(argv[1], scene->name, ".h",
            ctrpp_header(context, &scene->manifest, &settings));
        write_file(argv[1], scene->name, ".rc",
            ctrpp_resources(context, &scene->manifest, &settings));
        write_file(argv[1], scene->name, "_symbols.h",
            ctrpp_symbols(context, &scene->manifest, &settings));
    }
    talloc_free(context);
    return EXIT_SUCCESS;
}
