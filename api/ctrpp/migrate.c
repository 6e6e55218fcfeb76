/* migrate.c - a manifest in schema 2.0. Its text is edited in a few places, and
 * the rest stays byte by byte: comments, blanks, and what other tools read. The
 * numbers of its texts in the string table stay, too. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"
#include "api/ctrpp/output.h"
#include "api/ctrpp/start_tags.h"
#include "api/ctrpp/text_ids.h"

/* The way to the elements that are edited, each in the one before. */
enum stop {
    MANIFEST,
    INSTRUMENTATION,
    COUNTERS,
    PROVIDER,
    SET,
    COUNTER,
    STOPS
};

static const char *const way[STOPS] = {
    [MANIFEST] = "instrumentationManifest",
    [INSTRUMENTATION] = "instrumentation",
    [COUNTERS] = "counters",
    [PROVIDER] = "provider",
    [SET] = "counterSet",
    [COUNTER] = "counter",
};

/* What becomes of an attribute. */
enum edit { EDIT_SCHEMA, EDIT_DROP, EDIT_NAME, EDIT_DESCRIPTION };

static const struct {
    enum stop of;
    const char *attribute;
    enum edit edit;
} edits[] = {
    {COUNTERS, "schemaVersion", EDIT_SCHEMA},
    {PROVIDER, "resourceBase", EDIT_DROP},
    {SET, "name", EDIT_NAME},
    {SET, "description", EDIT_DESCRIPTION},
    {COUNTER, "name", EDIT_NAME},
    {COUNTER, "description", EDIT_DESCRIPTION},
};

struct migration {
    struct output output;
    struct start_tags tags;
    size_t copied; /* of the text */
    size_t on_way; /* stops that the open elements are */
    const struct numbered_texts *texts;
    size_t next; /* of the texts: those of the next set or counter */
};

static void copy_to(struct migration *migration, size_t offset)
{
    assert(offset >= migration->copied);
    output_add_bytes(&migration->output,
        migration->tags.text + migration->copied, offset - migration->copied);
    migration->copied = offset;
}

/* A number behind its text, with the same blanks before it. */
static void add_number(struct migration *migration,
    const struct start_attribute *attribute, const char *name, uint32_t number)
{
    copy_to(migration, attribute->value + attribute->value_length + 1);
    output_add_bytes(&migration->output, migration->tags.text + attribute->gap,
        attribute->name - attribute->gap);
    output_add(&migration->output, "%s=\"%" PRIu32 "\"", name, number);
}

static void make_edit(struct migration *migration, enum edit edit,
    const struct start_attribute *attribute)
{
    const struct numbered_text *text = &migration->texts->item[migration->next];

    switch (edit) {
    case EDIT_SCHEMA:
        copy_to(migration, attribute->value);
        output_add(&migration->output, "2.0");
        migration->copied += attribute->value_length;
        break;
    case EDIT_DROP:
        copy_to(migration, attribute->gap);
        migration->copied = attribute->value + attribute->value_length + 1;
        break;
    case EDIT_NAME:
        add_number(migration, attribute, "nameID", text[0].id);
        break;
    case EDIT_DESCRIPTION:
        add_number(migration, attribute, "descriptionID", text[1].id);
        break;
    }
}

static bool is_called(const struct migration *migration, size_t offset,
    size_t length, const char *name)
{
    return length == strlen(name) &&
           memcmp(migration->tags.text + offset, name, length) == 0;
}

static void edit_tag(
    struct migration *migration, const struct start_tag *tag, enum stop stop)
{
    struct start_attribute attribute;
    size_t at = tag->attributes;

    while (start_tag_attribute(&migration->tags, tag, &at, &attribute)) {
        for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
            if (edits[i].of == stop &&
                is_called(migration, attribute.name, attribute.name_length,
                    edits[i].attribute)) {
                make_edit(migration, edits[i].edit, &attribute);
            }
        }
    }
}

static void visit_tag(struct migration *migration, const struct start_tag *tag)
{
    size_t depth = tag->depth;

    if (migration->on_way > depth) {
        migration->on_way = depth;
    }
    if (migration->on_way < depth || depth >= STOPS ||
        !is_called(migration, tag->name, tag->name_length, way[depth])) {
        return;
    }
    migration->on_way = depth + 1;
    if (depth < SET) {
        edit_tag(migration, tag, (enum stop)depth);
        return;
    }
    assert(migration->next + 2 <= migration->texts->count);
    edit_tag(migration, tag, (enum stop)depth);
    migration->next += 2;
}

char *ctrpp_migrated(void *context, const struct manifest *manifest,
    const char *text, size_t size)
{
    struct numbered_texts *texts = numbered_texts_of(NULL, manifest);
    struct migration migration = {.output = output_new(context),
        .tags = start_tags_of(text, size),
        .texts = texts};
    struct start_tag tag;

    if (manifest->schema == MANIFEST_SCHEMA_1_1) {
        while (start_tags_next(&migration.tags, &tag)) {
            visit_tag(&migration, &tag);
        }
        assert(migration.next == migration.texts->count);
    }
    copy_to(&migration, size);
    talloc_free(texts);
    return migration.output.text;
}
