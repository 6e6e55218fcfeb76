/* terminal.c - colours and the line of progress on a terminal, by the few
 * escape sequences that every one knows (ECMA-48). */
#define _GNU_SOURCE
#include "scenarios/runner/text/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <talloc.h>
#include <unistd.h>

#include "api/text/utf8.h"

enum { TERMINAL_COLUMNS = 80 }; /* where the terminal does not say */

/* stdout is a stream of ours, which says nothing of its descriptor. */
static int descriptor_of(FILE *out)
{
    return out == stdout ? STDOUT_FILENO : fileno(out);
}

static bool is_terminal(FILE *out)
{
    const char *term = getenv("TERM");

    return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0 &&
           isatty(descriptor_of(out));
}

static bool is_coloured(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");

    return (no_color == NULL || no_color[0] == '\0') && is_terminal(out);
}

const char *terminal_colour(FILE *out, enum terminal_colour colour)
{
    static const char *const sequences[] = {
        [TERMINAL_GOOD] = "\x1b[32m",
        [TERMINAL_BAD] = "\x1b[1;31m",
        [TERMINAL_NEUTRAL] = "\x1b[33m",
    };

    return is_coloured(out) ? sequences[colour] : "";
}

const char *terminal_plain(FILE *out)
{
    return is_coloured(out) ? "\x1b[0m" : "";
}

struct terminal_progress terminal_progress_on(FILE *out)
{
    return (struct terminal_progress){.out = out, .live = is_terminal(out)};
}

static size_t columns(FILE *out)
{
    struct winsize size = {.ws_col = 0};

    if (ioctl(descriptor_of(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return TERMINAL_COLUMNS;
    }
    return size.ws_col;
}

void terminal_progress_show(struct terminal_progress *progress, size_t at,
    size_t all, size_t failed, const char *more, const char *id)
{
    char *line;
    int digits;
    size_t length;

    if (!progress->live) {
        return;
    }
    fflush(stdout); /* what was printed comes before it */
    digits = snprintf(NULL, 0, "%zu", all);
    line = talloc_asprintf(
        NULL, "[%*zu/%zu] %zu failed  %s%s", digits, at, all, failed, more, id);
    /* In the last column a terminal may already begin the next line. */
    length = utf8_bytes(line, strlen(line), columns(progress->out) - 1);
    fprintf(progress->out, "\r%.*s\x1b[K", (int)length, line);
    fflush(progress->out);
    progress->shown = true;
    talloc_free(line);
}

void terminal_progress_clear(struct terminal_progress *progress)
{
    if (progress->shown) {
        fputs("\r\x1b[K", progress->out);
        fflush(progress->out);
        progress->shown = false;
    }
}
