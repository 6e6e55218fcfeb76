/* xml_scan.c - the tags of an XML text and their places, found in one pass over
 * the text, before libxml2 sees it: a document type and what is beyond our
 * limits never get there. */
#include "api/ctrpp/xml_scan.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/manifest_text.h"

struct scanning {
    struct xml_scan *scan;
    struct manifest_problems *problems;
    size_t at;
    size_t open[MANIFEST_MOST_DEPTH]; /* tags whose elements have not ended */
    size_t depth;
    size_t placed; /* the byte that `place` is of */
    struct manifest_place place;
};

enum scanned { SCAN_ON, SCAN_END, SCAN_REFUSED };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool begins(const struct scanning *scanning, const char *with)
{
    size_t length = strlen(with);

    return scanning->scan->length - scanning->at >= length &&
           memcmp(scanning->scan->text + scanning->at, with, length) == 0;
}

/* Moves behind the next `end`, whose last character is a '>', by looking at
 * those alone: what lies behind is not measured each time. */
static enum scanned skip(
    struct scanning *scanning, size_t from, const char *end)
{
    const struct xml_scan *scan = scanning->scan;
    size_t before = strlen(end) - 1;
    size_t at = from + before;

    while (at < scan->length) {
        const char *found = memchr(scan->text + at, '>', scan->length - at);

        if (found == NULL) {
            return SCAN_END;
        }
        at = (size_t)(found - scan->text) + 1;
        if (memcmp(found - before, end, before) == 0) {
            scanning->at = at;
            return SCAN_ON;
        }
    }
    return SCAN_END;
}

/* Offsets only grow, so that a file is counted once. */
static struct manifest_place place_of(struct scanning *scanning, size_t offset)
{
    scanning->place = manifest_place_forward(
        scanning->place, scanning->scan->text, scanning->placed, offset);
    scanning->placed = offset;
    return scanning->place;
}

static enum scanned refuse(struct scanning *scanning, enum manifest_limit limit)
{
    const struct manifest_limit_row *row = &manifest_limit_rows[limit];

    manifest_problem_add(scanning->problems, MANIFEST_PROBLEM_LIMIT,
        place_of(scanning, scanning->at), "more than %zu %s", row->most,
        row->counted);
    manifest_problem_hint(scanning->problems, "%s", row->hint);
    return SCAN_REFUSED;
}

static enum scanned refuse_document_type(struct scanning *scanning)
{
    manifest_problem_add(scanning->problems, MANIFEST_PROBLEM_DOCTYPE,
        place_of(scanning, scanning->at),
        "a document type, <!DOCTYPE: entities and other files are not read");
    manifest_problem_hint(scanning->problems,
        "leave it out, and write out what its entities stand for");
    return SCAN_REFUSED;
}

static void mark_text(struct scanning *scanning, size_t offset)
{
    if (scanning->depth > 0) {
        struct xml_tag *tag =
            &scanning->scan->tag[scanning->open[scanning->depth - 1]];

        tag->text = tag->text == 0 ? offset : tag->text;
    }
}

/* The end of the tag at `at`, honouring quotes; 0: it has none. */
static size_t tag_end(const struct scanning *scanning, size_t *attributes)
{
    const struct xml_scan *scan = scanning->scan;
    size_t at = scanning->at;

    *attributes = 0;
    while (at < scan->length && scan->text[at] != '>') {
        if (scan->text[at] == '"' || scan->text[at] == '\'') {
            const char *quote = memchr(
                scan->text + at + 1, scan->text[at], scan->length - at - 1);

            if (quote == NULL) {
                return 0;
            }
            at = (size_t)(quote - scan->text);
            ++*attributes;
        }
        at++;
    }
    return at < scan->length ? at + 1 : 0;
}

static void add_tag(struct scanning *scanning, size_t end)
{
    struct xml_scan *scan = scanning->scan;

    if (scan->count == talloc_array_length(scan->tag)) {
        scan->tag = talloc_realloc(
            scan, scan->tag, struct xml_tag, (unsigned)scan->count * 2 + 64);
        assert(scan->tag != NULL);
    }
    scan->tag[scan->count++] = (struct xml_tag){
        .offset = scanning->at,
        .end = end,
        .depth = scanning->depth,
        .place = place_of(scanning, scanning->at + 1),
    };
}

static enum scanned scan_start(struct scanning *scanning)
{
    struct xml_scan *scan = scanning->scan;
    size_t attributes;
    size_t end = tag_end(scanning, &attributes);

    if (scan->count == MANIFEST_MOST_ELEMENTS) {
        return refuse(scanning, MANIFEST_LIMIT_ELEMENTS);
    }
    if (attributes > MANIFEST_MOST_ATTRIBUTES) {
        return refuse(scanning, MANIFEST_LIMIT_ATTRIBUTES);
    }
    if (scanning->depth == MANIFEST_MOST_DEPTH) {
        return refuse(scanning, MANIFEST_LIMIT_DEPTH);
    }
    if (end == 0) {
        return SCAN_END;
    }
    add_tag(scanning, end);
    if (scan->text[end - 2] != '/') {
        scanning->open[scanning->depth++] = scan->count - 1;
    }
    scanning->at = end;
    return SCAN_ON;
}

static enum scanned scan_markup(struct scanning *scanning)
{
    if (begins(scanning, "<!--")) {
        return skip(scanning, scanning->at + 4, "-->");
    }
    if (begins(scanning, "<![CDATA[")) {
        mark_text(scanning, scanning->at);
        return skip(scanning, scanning->at + 9, "]]>");
    }
    if (begins(scanning, "<!DOCTYPE")) {
        return refuse_document_type(scanning);
    }
    if (begins(scanning, "<!")) {
        return SCAN_END;
    }
    if (begins(scanning, "<?")) {
        return skip(scanning, scanning->at + 2, "?>");
    }
    if (begins(scanning, "</")) {
        scanning->depth -= scanning->depth > 0;
        return skip(scanning, scanning->at + 2, ">");
    }
    return scan_start(scanning);
}

struct xml_scan *xml_scan_new(void *context, const char *text, size_t length,
    struct manifest_problems *problems)
{
    struct scanning scanning = {
        .scan = talloc_zero(context, struct xml_scan),
        .problems = problems,
        .place = {1, 1, 1},
    };
    enum scanned scanned = SCAN_ON;

    assert(scanning.scan != NULL && strlen(text) == length);
    scanning.scan->text = text;
    scanning.scan->length = length;
    while (scanned == SCAN_ON && scanning.at < length) {
        if (text[scanning.at] == '<') {
            scanned = scan_markup(&scanning);
        } else {
            if (!is_blank(text[scanning.at])) {
                mark_text(&scanning, scanning.at);
            }
            scanning.at++;
        }
    }
    scanning.scan->end = scanning.at;
    return scanned == SCAN_REFUSED ? NULL : scanning.scan;
}

size_t xml_scan_name(const struct xml_scan *scan, size_t offset)
{
    size_t at = offset;

    while (at < scan->length && !is_blank(scan->text[at]) &&
           strchr("=/><\"'", scan->text[at]) == NULL) {
        at++;
    }
    return at - offset;
}

bool xml_scan_attribute(const struct xml_scan *scan, const struct xml_tag *tag,
    size_t *at, struct xml_written *written)
{
    const char *text = scan->text;
    size_t next = *at;
    const char *quote;

    if (next == tag->offset) {
        next += 1 + xml_scan_name(scan, next + 1);
    }
    while (next < tag->end && is_blank(text[next])) {
        next++;
    }
    written->name = next;
    written->name_length = xml_scan_name(scan, next);
    next += written->name_length;
    while (next < tag->end && (is_blank(text[next]) || text[next] == '=')) {
        next++;
    }
    if (next >= tag->end || (text[next] != '"' && text[next] != '\'')) {
        return false;
    }
    quote = memchr(text + next + 1, text[next], tag->end - next - 1);
    if (quote == NULL) {
        return false;
    }
    written->value = next + 1;
    written->value_length = (size_t)(quote - text) - next - 1;
    *at = (size_t)(quote - text) + 1;
    return true;
}
