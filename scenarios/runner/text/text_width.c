/* text_width.c - how many columns of a terminal a line takes, and the line
 * printed in as many. */
#include "scenarios/runner/text/text_width.h"

#include <string.h>
#include <uniwidth.h>

#include "api/text/character.h"
#include "api/text/utf8.h"

/* As nearly all text is: ASCII that takes a column. */
static bool is_plain(char byte)
{
    return byte >= ' ' && byte <= '~';
}

/* How many of the first bytes are written as they are. */
static size_t plain_bytes(const char *line, size_t length)
{
    size_t count = 0;

    while (count < length && is_plain(line[count]) && line[count] != '#') {
        count++;
    }
    return count;
}

/* Of one character as it is printed; a byte that is no UTF-8 is one of them. */
static size_t columns(uint32_t code)
{
    if (character_is_hidden(code) && !character_is_control(code)) {
        return 0;
    }
    return character_is_control(code) ? 1 : (size_t)uc_width(code, "UTF-8");
}

size_t text_width_columns(const char *line, size_t length, size_t characters)
{
    size_t width = 0;

    for (size_t at = 0; at < length && characters > 0; characters--) {
        uint32_t code;

        if (is_plain(line[at])) {
            at++;
            width++;
            continue;
        }
        at += utf8_decode(line + at, length - at, &code);
        width += columns(code);
    }
    return width;
}

size_t text_width_range(
    const char *line, size_t length, size_t first, size_t count)
{
    size_t before = utf8_bytes(line, length, first);
    size_t width = text_width_columns(line + before, length - before, count);

    return width == 0 ? 1 : width;
}

bool text_width_is_plain(const char *line, size_t length)
{
    return plain_bytes(line, length) == length;
}

/* The second # of ##[, which GitHub's workflows take for a command's beginning
 * wherever it stands. Lines of ours that have one begin otherwise than with
 * their sign for others. */
static bool begins_command(const char *line, size_t length, size_t at)
{
    return at > 0 && at + 1 < length && memcmp(line + at - 1, "##[", 3) == 0;
}

void text_width_print(const char *line, size_t length, FILE *out)
{
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t used = plain_bytes(line + at, length - at);

        if (used > 0) {
            fwrite(line + at, 1, used, out);
            at += used;
            continue;
        }
        used = utf8_decode(line + at, length - at, &code);
        if (character_is_control(code) || begins_command(line, length, at)) {
            fputc(' ', out);
        } else if (!character_is_hidden(code)) {
            fwrite(line + at, 1, used, out);
        }
        at += used;
    }
}
