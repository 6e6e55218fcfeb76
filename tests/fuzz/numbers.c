/* numbers.c - the arguments that all programs have which try numbers. */
#include "tests/fuzz/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool numbers_parse(uint64_t *number, const char *text)
{
    char *end;

    errno = 0;
    *number = text == NULL ? 0 : strtoull(text, &end, 0);
    return text != NULL && text[0] != '\0' && *end == '\0' && errno == 0;
}

enum numbers_found numbers_read(struct numbers *numbers, char ***argument)
{
    const struct {
        const char *name;
        uint64_t *number;
    } options[] = {
        {"--seed", &numbers->seed},
        {"--from", &numbers->from},
        {"--count", &numbers->count},
        {"--one", &numbers->from},
    };
    const char *name = **argument;

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (strcmp(name, options[i].name) != 0) {
            continue;
        }
        if (!numbers_parse(options[i].number, *++*argument)) {
            return NUMBERS_BAD;
        }
        if (strcmp(name, "--one") == 0) {
            numbers->one = true;
            numbers->count = 1;
        }
        return NUMBERS_READ;
    }
    return NUMBERS_OTHER;
}
