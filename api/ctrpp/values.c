/* values.c - what was read of an element's attributes, or what stands for it.
 */
#include <talloc.h>

#include "api/ctrpp/reading.h"

bool values_have(const struct values *values, enum attribute attribute)
{
    return values->of[attribute].written != NULL ||
           (values->meant >> attribute & 1) != 0;
}

const char *values_text(const struct values *values, enum attribute attribute)
{
    const struct value *value = &values->of[attribute];

    return value->good ? value->text : NULL;
}

uint32_t values_number(
    const struct values *values, enum attribute attribute, uint32_t otherwise)
{
    const struct value *value = &values->of[attribute];

    return value->good ? value->number : otherwise;
}

struct manifest_place values_place(const struct values *values,
    enum attribute attribute, const struct xml_element *element)
{
    const struct xml_attribute *written = values->of[attribute].written;

    return written == NULL ? element->place : written->place;
}

struct manifest_number values_reference(
    const struct values *values, enum attribute attribute)
{
    const struct value *value = &values->of[attribute];

    return (struct manifest_number){
        .given = value->good, .value = value->good ? value->number : 0};
}

void text_id_add(struct reading *reading, const struct values *values,
    enum attribute attribute, const char *text)
{
    const struct value *id = &values->of[attribute];

    if (id->good && text != NULL) {
        unique_add(reading->unique, UNIQUE_TEXT_ID, reading->providers,
            talloc_asprintf(reading->unique, "%u", (unsigned)id->number), text,
            id->written->place);
    }
}
