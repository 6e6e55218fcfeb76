/* program_tests.c - names and commands out of CTest's listing. */
#include "tests/mutation/program_tests.h"

static void print_word(const char *word, FILE *out)
{
    putc('\'', out);
    for (; *word != '\0'; word++) {
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    }
    putc('\'', out);
}

void program_tests_print(const json_t *listing, FILE *out)
{
    const json_t *test, *word;
    size_t i, k;

    json_array_foreach(json_object_get(listing, "tests"), i, test)
    {
        fprintf(out, "%s\t", json_string_value(json_object_get(test, "name")));
        json_array_foreach(json_object_get(test, "command"), k, word)
        {
            fputs(k == 0 ? "" : " ", out);
            print_word(json_string_value(word), out);
        }
        putc('\n', out);
    }
}
