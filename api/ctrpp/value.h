/* value.h - the value of an attribute out of its text (CTR-MAN-01). */
#ifndef API_CTRPP_VALUE_H
#define API_CTRPP_VALUE_H

#include "api/ctrpp/schema.h"
#include "api/ctrpp/xml_tree.h"

struct value {
    const struct xml_attribute *written; /* NULL: it is not there */
    bool good;                           /* there, and what it has to be */
    const char *text;                    /* the tree's */
    uint32_t number;                     /* also of a word or type */
    int scale;
    struct manifest_guid guid;
};

/* Reads `written` as one of that kind; adds to `problems` when it is none. */
struct value value_read(const struct xml_attribute *written,
    enum value_kind kind, struct manifest_problems *problems);

#endif
