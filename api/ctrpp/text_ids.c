/* text_ids.c - the numbers that texts of a manifest have in the string table.
 */
#include "api/ctrpp/text_ids.h"

#include <assert.h>
#include <talloc.h>

static size_t count_of(const struct manifest *manifest)
{
    size_t count = manifest->set_count;

    for (size_t i = 0; i < manifest->set_count; i++) {
        count += manifest->set[i].counter_count;
    }
    return 2 * count;
}

static void add_text(struct numbered_texts *texts,
    const struct manifest *manifest, const char *text,
    struct manifest_number given)
{
    struct numbered_text *item = &texts->item[texts->count];

    if (manifest->schema == MANIFEST_SCHEMA_1_1) {
        given.given = true;
        given.value = manifest->resource_base + 2 * (uint32_t)texts->count;
    }
    item->text = given.given ? text : NULL;
    item->id = given.value;
    texts->count++;
}

struct numbered_texts *numbered_texts_of(
    void *context, const struct manifest *manifest)
{
    struct numbered_texts *texts = talloc_zero(context, struct numbered_texts);

    assert(texts != NULL);
    texts->item = talloc_zero_array(
        texts, struct numbered_text, (unsigned)count_of(manifest));
    assert(texts->item != NULL);
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];

        add_text(texts, manifest, set->name, set->name_id);
        add_text(texts, manifest, set->description, set->description_id);
        for (size_t j = 0; j < set->counter_count; j++) {
            const struct manifest_counter *counter = &set->counter[j];

            add_text(texts, manifest, counter->name, counter->name_id);
            add_text(
                texts, manifest, counter->description, counter->description_id);
        }
    }
    assert(texts->count == count_of(manifest));
    return texts;
}
