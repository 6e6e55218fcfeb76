/* generate_resources.c - generates the resource script: the string table of
 * names and descriptions (CTR-GEN-05a, CTR-GEN-05b). */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/code_out.h"
#include "api/ctrpp/generate.h"
#include "api/ctrpp/text_ids.h"

/* A string of the table. */
struct string {
    struct numbered_text text; /* without a text: it is not there */
    bool locked;               /* the second one of a name */
};

struct strings {
    struct string *item;
    size_t count;
};

static void add(struct strings *strings, struct numbered_text text, bool locked)
{
    strings->item[strings->count] = (struct string){text, locked};
    strings->count++;
}

/* A name with a description has the number behind its own, too
 * (CTR-GEN-05b). */
static struct strings strings_of(const struct numbered_texts *texts)
{
    struct strings strings = {.item = talloc_zero_array(texts, struct string,
                                  (unsigned)texts->count * 2)};

    assert(strings.item != NULL && texts->count % 2 == 0);
    for (size_t i = 0; i < texts->count; i += 2) {
        struct numbered_text second = texts->item[i];

        second.id++;
        add(&strings, texts->item[i], false);
        if (second.text != NULL && texts->item[i + 1].text != NULL) {
            add(&strings, second, true);
        }
        add(&strings, texts->item[i + 1], false);
    }
    return strings;
}

/* By number; of the same the first comes first. */
static int compare(const void *left, const void *right)
{
    const struct string *a = *(const struct string *const *)left;
    const struct string *b = *(const struct string *const *)right;
    int order = (a->text.id > b->text.id) - (a->text.id < b->text.id);

    return order == 0 ? (a > b) - (a < b) : order;
}

/* Texts with the same number are the same, as the reader has seen to (CTR201):
 * all but the first lose theirs. */
static void drop_repeated(void *memory, struct strings *strings)
{
    struct string **sorted =
        talloc_array(memory, struct string *, (unsigned)strings->count);
    const struct string *first = NULL;
    size_t count = 0;

    assert(sorted != NULL);
    for (size_t i = 0; i < strings->count; i++) {
        if (strings->item[i].text.text != NULL) {
            sorted[count++] = &strings->item[i];
        }
    }
    qsort(sorted, count, sizeof(sorted[0]), compare);
    for (size_t i = 0; i < count; i++) {
        if (first != NULL && first->text.id == sorted[i]->text.id) {
            assert(strcmp(first->text.text, sorted[i]->text.text) == 0);
            sorted[i]->text.text = NULL;
        } else {
            first = sorted[i];
        }
    }
}

static void add_strings(struct code_out *output, const struct strings *strings)
{
    for (size_t i = 0; i < strings->count; i++) {
        const struct string *string = &strings->item[i];

        if (string->text.text != NULL) {
            code_out_add(output, "    %" PRIu32 " ", string->text.id);
            code_out_add_resource(output, string->text.text);
            code_out_add(output,
                string->locked ? " /* Locked: do not translate. */\n" : "\n");
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
        struct strings strings = strings_of(texts);

        code_out_add(&output, "STRINGTABLE\nBEGIN\n");
        drop_repeated(texts, &strings);
        add_strings(&output, &strings);
        code_out_add(&output, "END\n");
    }
    talloc_free(texts);
    return output.text;
}
