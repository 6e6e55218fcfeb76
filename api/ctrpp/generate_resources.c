/* generate_resources.c - the string table of names and descriptions
 * (CTR-GEN-05a, CTR-GEN-05b [C]). */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"
#include "api/ctrpp/output.h"
#include "api/ctrpp/text_ids.h"

/* Counters may share a text. One number with two texts stays twice, so that the
 * resource compiler refuses it. */
static bool is_there(const struct numbered_texts *texts, size_t before)
{
    const struct numbered_text *text = &texts->item[before];

    for (size_t i = 0; i < before; i++) {
        const struct numbered_text *other = &texts->item[i];

        if (other->text != NULL && other->id == text->id &&
            strcmp(other->text, text->text) == 0) {
            return true;
        }
    }
    return false;
}

static void add_strings(
    struct output *output, const struct numbered_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        const struct numbered_text *text = &texts->item[i];

        if (text->text != NULL && !is_there(texts, i)) {
            output_add(output, "    %" PRIu32 " ", text->id);
            output_add_resource(output, text->text);
            output_add(output, "\n");
        }
    }
}

char *ctrpp_resources(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings)
{
    struct output output = output_new(context);
    struct numbered_texts *texts = numbered_texts_of(NULL, manifest);

    output_add_origin(&output, settings->source);
    if (texts->count > 0) {
        output_add(&output, "STRINGTABLE\nBEGIN\n");
        add_strings(&output, texts);
        output_add(&output, "END\n");
    }
    talloc_free(texts);
    return output.text;
}
