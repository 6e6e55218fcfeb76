/* program_tests.c - names and commands out of CTest's listing. */
#include "tests/mutation/program_tests.h"

#include <string.h>

static void print_word(const char *word, FILE *out)
{
    putc('\'', out);
    for (; *word != '\0'; word++) {
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    }
    putc('\'', out);
}

/* Where it runs: env(1) goes there. */
static void print_directory(const json_t *test, FILE *out)
{
    const json_t *property;
    size_t i;

    json_array_foreach(json_object_get(test, "properties"), i, property)
    {
        const char *name = json_string_value(json_object_get(property, "name"));
        const char *value =
            json_string_value(json_object_get(property, "value"));

        if (name != NULL && strcmp(name, "WORKING_DIRECTORY") == 0 &&
            value != NULL) {
            fputs("env -C ", out);
            print_word(value, out);
            putc(' ', out);
        }
    }
}

void program_tests_print(const json_t *listing, FILE *out)
{
    const json_t *test, *word;
    size_t i, k;

    json_array_foreach(json_object_get(listing, "tests"), i, test)
    {
        fprintf(out, "%s\t", json_string_value(json_object_get(test, "name")));
        print_directory(test, out);
        json_array_foreach(json_object_get(test, "command"), k, word)
        {
            fputs(k == 0 ? "" : " ", out);
            print_word(json_string_value(word), out);
        }
        putc('\n', out);
    }
}
