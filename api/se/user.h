/* user.h - who a program is, and what a security descriptor lets it do. */
#ifndef API_SE_USER_H
#define API_SE_USER_H

#include <stdint.h>

#include "api/ob/object_type.h"

struct descriptor_block;

enum user {
#define USER(name, ...) USER_##name,
#include "api/se/users.def"
    USER_COUNT
};

extern const char *const user_names[USER_COUNT];

/* Those of the rights, none of which is generic, that the descriptor of an
 * object of the kind gives: a right is as the first entry of its list has it
 * that names it and the user. Without a list it gives all (SEC-02), and to its
 * owner what reads it and changes its list. */
uint32_t user_granted(enum user user, const struct descriptor_block *block,
    enum object_type_name type, uint32_t rights);

#endif
