/* text.c - UTF-16 texts of counter sets: read from a driver's memory, compared
 * without case, shown. */
#include "api/pcw/text.h"

#include <assert.h>
#include <string.h>
#include <unictype.h>
#include <unistr.h>

#include "api/core/kernel.h"
#include "api/mm/copy.h"
#include "api/pcw/pcw.h"
#include "api/text/character.h"
#include "api/text/fnv.h"

enum { REPLACEMENT = 0xFFFD };

bool pcw_text_equal(struct pcw_text left, struct pcw_text right)
{
    return left.length == right.length && pcw_text_compare(left, right) == 0;
}

int pcw_text_compare(struct pcw_text left, struct pcw_text right)
{
    for (size_t i = 0; i < left.length && i < right.length; i++) {
        uint16_t a = character_upper(left.at[i]);
        uint16_t b = character_upper(right.at[i]);

        if (a != b) {
            return a < b ? -1 : 1;
        }
    }
    return left.length < right.length ? -1 : left.length > right.length;
}

uint32_t pcw_text_hash(struct pcw_text text)
{
    uint64_t hash = FNV1A_EMPTY;
    uint32_t folded;

    for (size_t i = 0; i < text.length; i++) {
        hash = fnv1a_unit(hash, character_upper(text.at[i]));
    }
    folded = (uint32_t)(hash ^ hash >> 32);
    return folded != 0 ? folded : 1;
}

/* Every `*` first stands for nothing. Where the text then does not go on as the
 * mask does, the last `*` takes one code unit more; an earlier one need never,
 * because what the last can take includes it. */
bool pcw_text_matches(struct pcw_text text, struct pcw_text mask)
{
    size_t at = 0;
    size_t wanted = 0;
    size_t star = 0;  /* place in the mask behind the last `*`; 0: none yet */
    size_t retry = 0; /* where in the text that begins again */

    while (at < text.length) {
        if (wanted < mask.length && mask.at[wanted] == '*') {
            star = ++wanted;
            retry = at;
        } else if (wanted < mask.length &&
                   (mask.at[wanted] == '?' ||
                       character_upper(mask.at[wanted]) ==
                           character_upper(text.at[at]))) {
            wanted++;
            at++;
        } else if (star != 0) {
            wanted = star;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (wanted < mask.length && mask.at[wanted] == '*') {
        wanted++;
    }
    assert(at == text.length && wanted <= mask.length);
    return wanted == mask.length;
}

bool pcw_text_is_blank(struct pcw_text text)
{
    size_t blanks = 0;

    while (
        blanks < text.length && uc_is_property_white_space(text.at[blanks])) {
        blanks++;
    }
    return blanks == text.length;
}

static ucs4_t no_end(ucs4_t code)
{
    return code != 0 ? code : REPLACEMENT;
}

static ucs4_t visible(ucs4_t code)
{
    return code == '"' || character_is_hidden(code) ? '.' : code;
}

/* Each character as what `become` makes of it. */
static void encode(struct pcw_text text, ucs4_t (*become)(ucs4_t code),
    char *utf8, size_t size)
{
    size_t done = 0;

    assert(size > 0);
    for (size_t i = 0; i < text.length;) {
        uint8_t bytes[4];
        ucs4_t code;
        int length;

        i += (size_t)u16_mbtouc(&code, text.at + i, text.length - i);
        length = u8_uctomb(bytes, become(code), sizeof(bytes));
        assert(length > 0);
        if (size - done <= (size_t)length) {
            break;
        }
        memcpy(utf8 + done, bytes, (size_t)length);
        done += (size_t)length;
    }
    assert(done < size);
    utf8[done] = '\0';
}

void pcw_text_utf8(struct pcw_text text, char *utf8, size_t size)
{
    encode(text, no_end, utf8, size);
}

void pcw_text_shown(struct pcw_text text, char *utf8, size_t size)
{
    encode(text, visible, utf8, size);
}

void guest_name_read(struct kernel *kernel, enum routine routine,
    PCUNICODE_STRING from, struct guest_name *name)
{
    UNICODE_STRING string;

    copy_in(kernel, routine, &string, from, sizeof(string));
    name->length = string.Length;
    name->from = string.Buffer;
    name->text = (struct pcw_text){NULL, 0};
}

bool guest_name_is_odd(const struct guest_name *name)
{
    return name->length % sizeof(*name->text.at) != 0;
}

void guest_name_read_text(
    struct kernel *kernel, enum routine routine, struct guest_name *name)
{
    struct pcw *pcw = kernel->pcw;
    size_t units = name->length / sizeof(*pcw->name);

    if (pcw->name == NULL) {
        pcw->name = pcw_alloc(UINT16_MAX);
    }
    copy_in(kernel, routine, pcw->name, name->from, units * sizeof(*pcw->name));
    name->text = (struct pcw_text){pcw->name, units};
}
