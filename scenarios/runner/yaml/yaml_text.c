/* yaml_text.c - what of a YAML file is refused by its bytes: encodings, line
 * breaks, directives and further documents. */
#include "scenarios/runner/yaml/yaml_text.h"

#include <string.h>

/* How a file that is not plain UTF-8 begins. An x stands for any byte but 0:
 * the first character of a file is ASCII, so its zeros tell the width. */
static const struct beginning {
    size_t length;
    const char *bytes;
    const char *zeros; /* 'x' any byte but 0, '0' a zero, '=' as in `bytes` */
    const char *message, *hint;
} beginnings[] = {
    {3, "\xEF\xBB\xBF", "===", "the file begins with a byte order mark",
        "save it as UTF-8 without one"},
    {4, "\xFF\xFE", "==00", "the file is UTF-32", "save it as UTF-8"},
    {4, "", "00xx", "the file is UTF-32", "save it as UTF-8"},
    {4, "", "000x", "the file is UTF-32", "save it as UTF-8"},
    {4, "", "x000", "the file is UTF-32", "save it as UTF-8"},
    {2, "\xFF\xFE", "==", "the file is UTF-16", "save it as UTF-8"},
    {2, "\xFE\xFF", "==", "the file is UTF-16", "save it as UTF-8"},
    {2, "", "x0", "the file is UTF-16", "save it as UTF-8"},
    {2, "", "0x", "the file is UTF-16", "save it as UTF-8"},
};

static bool begins_so(
    const struct source *source, const struct beginning *beginning)
{
    if (source->length < beginning->length) {
        return false;
    }
    for (size_t i = 0; i < beginning->length; i++) {
        char byte = source->text[i];
        char want = beginning->zeros[i];

        if ((want == '=' && byte != beginning->bytes[i]) ||
            (want == '0' && byte != '\0') || (want == 'x' && byte == '\0')) {
            return false;
        }
    }
    return true;
}

static bool refuse_encoding(
    const struct source *source, struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        if (begins_so(source, &beginnings[i])) {
            diagnostics_add(diagnostics, DIAGNOSTIC_ENCODING, source,
                (struct mark){1, 1}, 1, "%s", beginnings[i].message);
            diagnostics_hint(diagnostics, "%s", beginnings[i].hint);
            return true;
        }
    }
    return false;
}

/* CR without LF, NEL, LS and PS. The text ends in a NUL, so that looking at
 * what follows is safe. */
static bool is_odd_break(const char *at)
{
    return (at[0] == '\r' && at[1] != '\n') || memcmp(at, "\xC2\x85", 2) == 0 ||
           strncmp(at, "\xE2\x80\xA8", 3) == 0 ||
           strncmp(at, "\xE2\x80\xA9", 3) == 0;
}

/* libyaml ends lines at a lone CR, NEL, LS and PS too. Nobody else does, so
 * that places would be wrong everywhere behind one. */
static bool refuse_line_breaks(
    const struct source *source, struct diagnostics *diagnostics)
{
    for (size_t at = 0; at < source->length; at++) {
        char byte = source->text[at];

        if ((byte == '\r' || (byte & 0x80) != 0) &&
            is_odd_break(source->text + at)) {
            diagnostics_add(diagnostics, DIAGNOSTIC_CONTROL, source,
                source_mark(source, at), 1,
                "a line break other than LF or CR LF");
            diagnostics_hint(diagnostics, "end lines with LF");
            return true;
        }
    }
    return false;
}

/* The first byte from `at` on that is no blank, line end or comment. */
static size_t skip_blank(const struct source *source, size_t at)
{
    while (at < source->length) {
        if (source->text[at] == '#') {
            const char *end =
                memchr(source->text + at, '\n', source->length - at);

            at = end == NULL ? source->length : (size_t)(end - source->text);
        } else if (memchr(" \t\r\n", source->text[at], 4) == NULL) {
            break;
        } else {
            at++;
        }
    }
    return at;
}

static void refuse_document(const struct source *source, size_t at,
    struct diagnostics *diagnostics, const char *what)
{
    diagnostics_add(diagnostics, DIAGNOSTIC_DOCUMENT, source,
        source_mark(source, at), 1, "%s", what);
    diagnostics_hint(diagnostics, "a file is one plain document");
}

/* libyaml compares each %TAG with all before it, and a file can have 80,000:
 * none is left to it. */
bool yaml_text_refuse(
    const struct source *source, struct diagnostics *diagnostics)
{
    size_t first;

    if (refuse_encoding(source, diagnostics) ||
        refuse_line_breaks(source, diagnostics)) {
        return true;
    }
    first = skip_blank(source, 0);
    if (source->text[first] == '%' &&
        (first == 0 || source->text[first - 1] == '\n')) {
        refuse_document(
            source, first, diagnostics, "directives are not allowed");
        return true;
    }
    return false;
}

bool yaml_text_refuse_rest(const struct source *source, struct mark end,
    struct diagnostics *diagnostics)
{
    size_t at = skip_blank(source, source_offset(source, end));
    const char *rest = source->text + at;

    if (at == source->length) {
        return false;
    }
    refuse_document(source, at, diagnostics,
        rest[0] == '%'                 ? "directives are not allowed"
        : strncmp(rest, "---", 3) == 0 ? "a second document"
                                       : "text behind the end of the document");
    return true;
}
