/* schema.c - the schema of manifests as tables: elements, attributes and words,
 * made of elements.def, attributes.def and words.def. */
#include "api/ctrpp/schema.h"

#include <assert.h>

const char schema_space[] = "http://schemas.microsoft.com/win/2005/12/counters";

const struct element_row element_rows[ELEMENT_COUNT] = {
#define ELEMENT(name, word, within, least, most, text)                         \
    [ELEMENT_##name] = {word, ELEMENT_##within, least, most, PRESENCE_##text},
#include "api/ctrpp/elements.def"
};

const struct attribute_row attribute_rows[ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(element, name, word, kind, in_1_1, in_2_0, user, kernel)     \
    [ATTRIBUTE_##name] = {ELEMENT_##element, word, VALUE_##kind,               \
        {PRESENCE_##in_1_1, PRESENCE_##in_2_0},                                \
        {PRESENCE_##user, PRESENCE_##kernel}},
#include "api/ctrpp/attributes.def"
};

const struct word_row word_rows[] = {
#define WORD(kind, word, value) {VALUE_##kind, word, value},
#include "api/ctrpp/words.def"
};

const size_t word_row_count = sizeof(word_rows) / sizeof(word_rows[0]);

bool schema_is_shared(enum element_kind kind)
{
    return kind == ELEMENT_MANIFEST || kind == ELEMENT_INSTRUMENTATION;
}

const char *schema_word(enum value_kind kind, unsigned value)
{
    size_t i = 0;

    while (word_rows[i].kind != kind || word_rows[i].value != value) {
        i++;
        assert(i < word_row_count);
    }
    return word_rows[i].word;
}
