/* new_file.c - the file that -o names, or standard output, written with a text
 * that a command has made; a file that exists is left as it is. */
#define _GNU_SOURCE
#include "scenarios/runner/command_line/new_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/layout/layout_file.h"
#include "scenarios/runner/output/whole_file.h"
#include "scenarios/runner/text/visible_text.h"

const char *new_file_lay_out(
    void *context, const char *text, struct diagnostics *diagnostics)
{
    const struct source *source =
        source_from_text(context, "new", text, strlen(text));
    const struct source *made;

    return layout_file_lay_out(context, source, diagnostics, &made) ==
                   LAYOUT_CHANGED
               ? made->text
               : text;
}

enum exit_code new_file_write(const char *path, const char *text)
{
    struct whole_file *file;
    bool written;

    if (path == NULL) {
        fputs(text, stdout);
        return EXIT_OK;
    }
    file = whole_file_open(NULL, path, WHOLE_FILE_NEW);
    if (file == NULL && errno == EEXIST) {
        fprintf(stderr,
            "ntpmu: '%s' is there already\n       name another file, or remove "
            "it\n",
            visible_name(path));
        return EXIT_USAGE;
    }
    if (file == NULL) {
        fprintf(stderr, "ntpmu: cannot write '%s': %s\n", visible_name(path),
            strerror(errno));
        return EXIT_USAGE;
    }
    fputs(text, whole_file_stream(file));
    written = whole_file_finish(file);
    if (!written) {
        fprintf(stderr, "ntpmu: cannot write '%s': %s\n", visible_name(path),
            strerror(errno));
    }
    talloc_free(file);
    return written ? EXIT_OK : EXIT_INTERNAL;
}
