/* start_tags.c - the tags that begin elements in an XML text. */
#include "api/ctrpp/start_tags.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The first byte from `from` on that is in `wanted`, or the text's end. */
static size_t find_any(
    const struct start_tags *tags, size_t from, const char *wanted)
{
    while (from < tags->length && strchr(wanted, tags->text[from]) == NULL) {
        from++;
    }
    return from;
}

/* Behind the next `end`, or at the text's end. */
static size_t find_behind(
    const struct start_tags *tags, size_t from, const char *end)
{
    size_t length = strlen(end);

    for (; tags->length - from >= length; from++) {
        if (memcmp(tags->text + from, end, length) == 0) {
            return from + length;
        }
    }
    return tags->length;
}

static bool begins(const struct start_tags *tags, size_t at, const char *with)
{
    size_t length = strlen(with);

    return tags->length - at >= length &&
           memcmp(tags->text + at, with, length) == 0;
}

/* Behind what stands at a < and begins no element; 0: it begins one. */
static size_t behind_other(struct start_tags *tags, size_t at)
{
    if (begins(tags, at, "<!--")) {
        return find_behind(tags, at + 4, "-->");
    }
    if (begins(tags, at, "<![CDATA[")) {
        return find_behind(tags, at + 9, "]]>");
    }
    if (begins(tags, at, "<?")) {
        return find_behind(tags, at + 2, "?>");
    }
    if (begins(tags, at, "</")) {
        tags->depth -= tags->depth > 0;
        return find_behind(tags, at + 2, ">");
    }
    return 0;
}

/* The > of a tag, which values in quotes may have, too. */
static size_t tag_end(const struct start_tags *tags, size_t at)
{
    at = find_any(tags, at, ">\"'");
    while (at < tags->length && tags->text[at] != '>') {
        const char quote[] = {tags->text[at], '\0'};

        at = find_any(tags, find_behind(tags, at + 1, quote), ">\"'");
    }
    return at;
}

struct start_tags start_tags_of(const char *text, size_t length)
{
    return (struct start_tags){.text = text, .length = length};
}

bool start_tags_next(struct start_tags *tags, struct start_tag *tag)
{
    size_t at = find_any(tags, tags->at, "<");
    size_t other;
    size_t colon;

    while (at < tags->length && (other = behind_other(tags, at)) != 0) {
        at = find_any(tags, other, "<");
    }
    tag->name = at + 1;
    tag->attributes = find_any(tags, at, " \t\r\n/>");
    tag->end = tag_end(tags, at);
    if (tag->end >= tags->length) {
        return false;
    }
    colon = find_any(tags, tag->name, ": \t\r\n/>");
    if (tags->text[colon] == ':') {
        tag->name = colon + 1;
    }
    tag->name_length = tag->attributes - tag->name;
    tag->depth = tags->depth;
    tags->depth += tags->text[tag->end - 1] != '/';
    tags->at = tag->end + 1;
    return true;
}

bool start_tag_attribute(const struct start_tags *tags,
    const struct start_tag *tag, size_t *at, struct start_attribute *attribute)
{
    size_t name = *at;
    size_t quote = find_any(tags, *at, "\"'>");

    if (quote >= tag->end) {
        return false;
    }
    while (is_blank(tags->text[name])) {
        name++;
    }
    attribute->gap = *at;
    attribute->name = name;
    attribute->name_length = find_any(tags, name, " \t\r\n=") - name;
    attribute->value = quote + 1;
    *at = find_behind(tags, quote + 1, (const char[]){tags->text[quote], '\0'});
    attribute->value_length = *at - 1 - attribute->value;
    return true;
}
