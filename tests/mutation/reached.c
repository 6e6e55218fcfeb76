/* reached.c - names the functions that a watched program has run: nm(1)'s list
 * beside the bytes that reach/note.c has set. */
#include "tests/mutation/reached.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

static void add(struct reached_names *names, uint64_t at, const char *name)
{
    if ((names->count & (names->count - 1)) == 0) { /* full */
        names->item =
            talloc_realloc(names, names->item, struct reached_function,
                names->count == 0 ? 1 : 2 * (unsigned)names->count);
    }
    assert(names->item != NULL);
    names->item[names->count++] = (struct reached_function){
        at, talloc_strndup(names, name, strcspn(name, ".\n"))};
}

struct reached_names *reached_names_read(void *context, const char *listing)
{
    struct reached_names *names = talloc_zero(context, struct reached_names);
    uint64_t begins = UINT64_MAX;

    assert(names != NULL);
    for (const char *line = listing; *line != '\0';
         line += strcspn(line, "\n"), line += *line == '\n') {
        char *rest;
        uint64_t at = strtoull(line, &rest, 16);

        if (rest == line || rest[0] != ' ' || rest[1] == '\0' ||
            rest[2] != ' ') {
            continue; /* of another program */
        }
        if (strncmp(rest + 3, "__executable_start\n", 19) == 0) {
            begins = at;
        } else if (rest[1] == 't' || rest[1] == 'T') {
            add(names, at, rest + 3);
        }
    }
    for (size_t i = 0; i < names->count; i++) {
        names->item[i].at -= begins;
    }
    return begins == UINT64_MAX ? NULL : names;
}

void reached_print(const struct reached_names *names, const uint8_t *noted,
    size_t size, const char *file, FILE *out)
{
    for (size_t i = 0; i < names->count; i++) {
        uint64_t at = names->item[i].at >> REACHED_SHIFT;

        if (at < size && noted[at] != 0) {
            fprintf(out, "%s %s\n", names->item[i].name, file);
        }
    }
}
