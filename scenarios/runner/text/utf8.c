/* utf8.c - the forms of RFC 3629. */
#include "scenarios/runner/text/utf8.h"

static const struct form {
    uint8_t mask, head;   /* of its first byte */
    uint32_t least, most; /* what may be written so */
} forms[] = {
    {0x80, 0x00, 0x0000, 0x7F},
    {0xE0, 0xC0, 0x0080, 0x7FF},
    {0xF0, 0xE0, 0x0800, 0xFFFF},
    {0xF8, 0xF0, 0x10000, 0x10FFFF},
};

size_t utf8_decode(const char *text, uint32_t *code)
{
    const uint8_t *byte = (const uint8_t *)text;

    *code = UTF8_REPLACEMENT;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        const struct form *form = &forms[i];
        uint32_t value = byte[0] & (uint8_t)~form->mask;
        size_t length = 1;

        if ((byte[0] & form->mask) != form->head) {
            continue;
        }
        while (length <= i && (byte[length] & 0xC0) == 0x80) {
            value = value << 6 | (byte[length++] & 0x3F);
        }
        if (length <= i || value < form->least || value > form->most ||
            (value >= 0xD800 && value <= 0xDFFF)) {
            return 1;
        }
        *code = value;
        return length;
    }
    return 1;
}
