/* generate_resources.c - generates the resource script: the string table of
 * names and descriptions (CTR-GEN-05a, CTR-GEN-05b [C]). */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/code_out.h"
#include "api/ctrpp/generate.h"
#include "api/ctrpp/text_ids.h"

/* By number; of the same the first comes first. */
static int compare(const void *left, const void *right)
{
    const struct numbered_text *a = *(const struct numbered_text *const *)left;
    const struct numbered_text *b = *(const struct numbered_text *const *)right;
    int order = (a->id > b->id) - (a->id < b->id);

    return order == 0 ? (a > b) - (a < b) : order;
}

/* Texts with the same number are the same, as the reader has seen to (CTR201):
 * all but the first lose theirs. */
static void drop_repeated(struct numbered_texts *texts)
{
    struct numbered_text **sorted =
        talloc_array(texts, struct numbered_text *, (unsigned)texts->count);
    const struct numbered_text *first = NULL;
    size_t count = 0;

    assert(sorted != NULL);
    for (size_t i = 0; i < texts->count; i++) {
        if (texts->item[i].text != NULL) {
            sorted[count++] = &texts->item[i];
        }
    }
    qsort(sorted, count, sizeof(sorted[0]), compare);
    for (size_t i = 0; i < count; i++) {
        if (first != NULL && first->id == sorted[i]->id) {
            assert(strcmp(first->text, sorted[i]->text) == 0);
            sorted[i]->text = NULL;
        } else {
            first = sorted[i];
        }
    }
}

static void add_strings(
    struct code_out *output, const struct numbered_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        const struct numbered_text *text = &texts->item[i];

        if (text->text != NULL) {
            code_out_add(output, "    %" PRIu32 " ", text->id);
            code_out_add_resource(output, text->text);
            code_out_add(output, "\n");
        }
    }
}

char *ctrpp_resources(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings)
{
    struct code_out output = code_out_new(context);
    struct numbered_texts *texts = numbered_texts_of(NULL, manifest);

    code_out_add_origin(&output, settings->source);
    if (texts->count > 0) {
        code_out_add(&output, "STRINGTABLE\nBEGIN\n");
        drop_repeated(texts);
        add_strings(&output, texts);
        code_out_add(&output, "END\n");
    }
    talloc_free(texts);
    return output.text;
}
