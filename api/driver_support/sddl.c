/* sddl.c - reads SDDL, the text that a device's security descriptor is given
 * as. Letters are capitals, and there are no blanks (IO-10b [C]). */
#include "api/driver_support/sddl.h"

#include "api/nt/access_right.h"

enum { HEX_DIGITS = 8 };

static const struct {
    char letters[3];
    uint32_t access;
} rights[] = {
    {"GA", GENERIC_ALL},
    {"GR", GENERIC_READ},
    {"GW", GENERIC_WRITE},
    {"GX", GENERIC_EXECUTE},
    {"RC", READ_CONTROL},
    {"SD", DELETE},
    {"WD", WRITE_DAC},
    {"WO", WRITE_OWNER},
};

static const char sids[SDDL_SIDS][3] = {
#define SDDL_SID(letters, member) [SDDL_##letters] = #letters,
#include "api/driver_support/sddl_sids.def"
    [SDDL_UD] = "UD",
};

/* Whether the text goes on like that; then it is behind it. */
static bool take(struct sddl *sddl, const char *expected)
{
    size_t length = 0;

    for (; expected[length] != '\0'; length++) {
        if (length == sddl->units ||
            sddl->at[length] != (uint8_t)expected[length]) {
            return false;
        }
    }
    sddl->at += length;
    sddl->units -= length;
    return true;
}

/* The value of the digit that comes; 16: none does. */
static uint32_t digit(const struct sddl *sddl)
{
    uint16_t unit = sddl->units == 0 ? 0 : *sddl->at;

    if (unit >= '0' && unit <= '9') {
        return (uint32_t)unit - '0';
    }
    if (unit >= 'A' && unit <= 'F') {
        return (uint32_t)unit - 'A' + 10;
    }
    return unit >= 'a' && unit <= 'f' ? (uint32_t)unit - 'a' + 10 : 16;
}

static bool take_number(struct sddl *sddl, uint32_t *access)
{
    unsigned digits = 0;

    for (*access = 0; digit(sddl) < 16; digits++) {
        *access = *access << 4 | digit(sddl);
        sddl->at++;
        sddl->units--;
    }
    return digits > 0 && digits <= HEX_DIGITS;
}

static bool take_right(struct sddl *sddl, uint32_t *access)
{
    for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
        if (take(sddl, rights[i].letters)) {
            *access |= rights[i].access;
            return true;
        }
    }
    return false;
}

/* A number, or letters, of which there are some. */
static bool take_access(struct sddl *sddl, uint32_t *access)
{
    bool some = false;

    if (take(sddl, "0x")) {
        return take_number(sddl, access);
    }
    for (*access = 0; take_right(sddl, access);) {
        some = true;
    }
    return some;
}

static bool take_sid(struct sddl *sddl, enum sddl_sid *sid)
{
    for (unsigned i = 0; i < SDDL_SIDS; i++) {
        if (take(sddl, sids[i])) {
            *sid = (enum sddl_sid)i;
            return true;
        }
    }
    return false;
}

struct sddl sddl_begin(const uint16_t *text, size_t units)
{
    struct sddl sddl = {.at = text, .units = units};

    sddl.wrong = !take(&sddl, "D:P");
    return sddl;
}

bool sddl_next(struct sddl *sddl, struct sddl_term *term)
{
    if (sddl->wrong || sddl->units == 0) {
        return false;
    }
    sddl->wrong =
        !(take(sddl, "(A;;") && take_access(sddl, &term->access) &&
            take(sddl, ";;;") && take_sid(sddl, &term->sid) && take(sddl, ")"));
    return !sddl->wrong;
}
