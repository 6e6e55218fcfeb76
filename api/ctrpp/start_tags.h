/* start_tags.h - the tags that begin elements in an XML text, where they stand
 * in it. Knows nothing of manifests; the text is well-formed and has no
 * document type. Offsets are bytes. */
#ifndef API_CTRPP_START_TAGS_H
#define API_CTRPP_START_TAGS_H

#include <stdbool.h>
#include <stddef.h>

struct start_tag {
    size_t name, name_length; /* without a namespace's prefix */
    size_t attributes;        /* the end of its name */
    size_t end;               /* its > */
    size_t depth;             /* elements around it */
};

struct start_tags {
    const char *text;
    size_t length;
    size_t at;    /* what is behind was given */
    size_t depth; /* elements that are open there */
};

struct start_attribute {
    size_t gap;                 /* of the blanks before its name */
    size_t name, name_length;   /* with its prefix */
    size_t value, value_length; /* within the quotes */
};

struct start_tags start_tags_of(const char *text, size_t length);

/* The next one. False: there are no more. */
bool start_tags_next(struct start_tags *tags, struct start_tag *tag);

/* The attribute at or behind *at, which begins as the tag's `attributes` and is
 * moved behind it. False: there are no more. */
bool start_tag_attribute(const struct start_tags *tags,
    const struct start_tag *tag, size_t *at, struct start_attribute *attribute);

#endif
