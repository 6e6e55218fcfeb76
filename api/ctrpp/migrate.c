/* migrate.c - a manifest rewritten in schema 2.0 (-migrate). Its text is edited
 * in a few places, and the rest stays as it is: comments, blanks, and what
 * other tools read. The numbers of its texts in the string table stay, too.
 * Bytes of other encodings are encoding.c's. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/code_out.h"
#include "api/ctrpp/generate.h"
#include "api/ctrpp/schema.h"
#include "api/ctrpp/text_ids.h"
#include "api/ctrpp/xml_scan.h"

/* The way to the elements that are edited, each in the one before. */
static const enum element_kind way[] = {ELEMENT_MANIFEST,
    ELEMENT_INSTRUMENTATION, ELEMENT_COUNTERS, ELEMENT_PROVIDER, ELEMENT_SET,
    ELEMENT_COUNTER};

enum { STOPS = sizeof(way) / sizeof(way[0]) };

/* What becomes of an attribute. */
enum edit { EDIT_SCHEMA, EDIT_DROP, EDIT_NAME, EDIT_DESCRIPTION };

static const struct {
    enum attribute attribute;
    enum edit edit;
} edits[] = {
    {ATTRIBUTE_SCHEMA, EDIT_SCHEMA},
    {ATTRIBUTE_RESOURCE_BASE, EDIT_DROP},
    {ATTRIBUTE_SET_NAME, EDIT_NAME},
    {ATTRIBUTE_SET_DESCRIPTION, EDIT_DESCRIPTION},
    {ATTRIBUTE_NAME, EDIT_NAME},
    {ATTRIBUTE_DESCRIPTION, EDIT_DESCRIPTION},
};

struct migration {
    struct code_out output;
    const struct xml_scan *scan;
    size_t copied; /* of the text */
    size_t on_way; /* stops that the open elements are */
    const struct numbered_texts *texts;
    size_t next; /* of the texts: those of the next set or counter */
};

static void copy_to(struct migration *migration, size_t offset)
{
    assert(offset >= migration->copied);
    code_out_add_bytes(&migration->output,
        migration->scan->text + migration->copied, offset - migration->copied);
    migration->copied = offset;
}

/* Where the blanks before an attribute begin. */
static size_t gap_of(
    const struct migration *migration, const struct xml_written *attribute)
{
    size_t gap = attribute->name;

    while (strchr(" \t\r\n", migration->scan->text[gap - 1]) != NULL) {
        gap--;
    }
    return gap;
}

/* A number behind its text, with the same blanks before it. */
static void add_number(struct migration *migration,
    const struct xml_written *attribute, enum attribute id, uint32_t number)
{
    size_t gap = gap_of(migration, attribute);

    copy_to(migration, attribute->value + attribute->value_length + 1);
    code_out_add_bytes(
        &migration->output, migration->scan->text + gap, attribute->name - gap);
    code_out_add(&migration->output, "%s=\"%" PRIu32 "\"",
        attribute_rows[id].word, number);
}

static void make_edit(struct migration *migration, enum edit edit,
    const struct xml_written *attribute)
{
    const struct numbered_text *text = &migration->texts->item[migration->next];

    switch (edit) {
    case EDIT_SCHEMA:
        copy_to(migration, attribute->value);
        code_out_add(&migration->output, "%s",
            schema_word(VALUE_SCHEMA, MANIFEST_SCHEMA_2_0));
        migration->copied += attribute->value_length;
        break;
    case EDIT_DROP:
        copy_to(migration, gap_of(migration, attribute));
        migration->copied = attribute->value + attribute->value_length + 1;
        break;
    case EDIT_NAME:
        add_number(migration, attribute, ATTRIBUTE_NAME_ID, text[0].id);
        break;
    case EDIT_DESCRIPTION:
        add_number(migration, attribute, ATTRIBUTE_DESCRIPTION_ID, text[1].id);
        break;
    }
}

static bool is_called(const struct migration *migration, size_t offset,
    size_t length, const char *name)
{
    return length == strlen(name) &&
           memcmp(migration->scan->text + offset, name, length) == 0;
}

static void edit_tag(
    struct migration *migration, const struct xml_tag *tag, size_t stop)
{
    struct xml_written attribute;
    size_t at = tag->offset;

    while (xml_scan_attribute(migration->scan, tag, &at, &attribute)) {
        for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
            const struct attribute_row *row =
                &attribute_rows[edits[i].attribute];

            if (row->element == way[stop] &&
                is_called(migration, attribute.name, attribute.name_length,
                    row->word)) {
                make_edit(migration, edits[i].edit, &attribute);
            }
        }
    }
}

/* Whether the tag's name, without a namespace's prefix, is that of the stop. */
static bool is_stop(
    const struct migration *migration, const struct xml_tag *tag, size_t stop)
{
    size_t name = tag->offset + 1;
    size_t length = xml_scan_name(migration->scan, name);
    const char *colon = memchr(migration->scan->text + name, ':', length);

    if (colon != NULL) {
        size_t local = (size_t)(colon - migration->scan->text) + 1;

        length -= local - name;
        name = local;
    }
    return is_called(migration, name, length, element_rows[way[stop]].word);
}

static void visit_tag(struct migration *migration, const struct xml_tag *tag)
{
    size_t depth = tag->depth;

    if (migration->on_way > depth) {
        migration->on_way = depth;
    }
    if (migration->on_way < depth || depth >= STOPS ||
        !is_stop(migration, tag, depth)) {
        return;
    }
    migration->on_way = depth + 1;
    if (way[depth] == ELEMENT_SET || way[depth] == ELEMENT_COUNTER) {
        assert(migration->next + 2 <= migration->texts->count);
        edit_tag(migration, tag, depth);
        migration->next += 2;
    } else {
        edit_tag(migration, tag, depth);
    }
}

/* The manifest was read, so there is nothing to say of the text. */
static const struct xml_scan *scan_of(
    void *context, const char *text, size_t size)
{
    const struct xml_scan *scan =
        xml_scan_new(context, text, size, manifest_problems_new(context));

    assert(scan != NULL);
    return scan;
}

char *ctrpp_migrated(void *context, const struct manifest *manifest,
    const char *text, size_t size)
{
    void *memory = talloc_new(NULL);
    struct migration migration = {.output = code_out_new(context),
        .scan = scan_of(memory, text, size),
        .texts = numbered_texts_of(memory, manifest)};

    if (manifest->schema == MANIFEST_SCHEMA_1_1) {
        for (size_t i = 0; i < migration.scan->count; i++) {
            visit_tag(&migration, &migration.scan->tag[i]);
        }
        assert(migration.next == migration.texts->count);
    }
    copy_to(&migration, size);
    talloc_free(memory);
    return migration.output.text;
}
