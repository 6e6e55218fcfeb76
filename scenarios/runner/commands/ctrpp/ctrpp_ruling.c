/* ctrpp_ruling.c - a word of the command line is compared with every ID=VALUE
 * that there is. */
#include "scenarios/runner/commands/ctrpp/ctrpp_ruling.h"

#include <stdio.h>
#include <string.h>

/* Whether it is a value of a ruling that the command asks. */
static bool is_ours(enum ruled value)
{
    return ruling_rows[ruled_rows[value].ruling].state == RULING_OF_CTRPP;
}

static bool is_usual(enum ruled value)
{
    return ruling_rows[ruled_rows[value].ruling].usual == value;
}

static bool is_spelled(enum ruled value, const char *word)
{
    const char *id = ruling_rows[ruled_rows[value].ruling].id;
    size_t length = strlen(id);

    return strncmp(word, id, length) == 0 && word[length] == '=' &&
           strcmp(word + length + 1, ruled_rows[value].name) == 0;
}

const char *ctrpp_ruling_read(struct rulings *rulings, const char *word)
{
    for (enum ruled value = 0; value < RULED_COUNT; value++) {
        if (!is_ours(value) || !is_spelled(value, word)) {
            continue;
        }
        if (is_usual(value)) {
            return "this is what holds without it:";
        }
        if (rulings_have(rulings, value)) {
            return "given twice:";
        }
        rulings->value[ruled_rows[value].ruling] = (uint16_t)value;
        return NULL;
    }
    return "no ruling of manifests and their compiler:";
}

void ctrpp_ruling_choices(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (enum ruled value = 0; value < RULED_COUNT && used < size; value++) {
        if (is_ours(value) && !is_usual(value)) {
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s",
                used == 0 ? "write " : " or ",
                ruling_rows[ruled_rows[value].ruling].id,
                ruled_rows[value].name);
        }
    }
}
