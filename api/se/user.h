/* user.h - who a program is, and what a security descriptor lets it do. */
#ifndef API_SE_USER_H
#define API_SE_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/se/well_known.h"

struct descriptor_block;
struct generic_rights;
struct kernel;

enum user {
#define USER(name, ...) USER_##name,
#include "api/se/users.def"
    USER_COUNT
};

enum {
    USER_GROUPS = 6, /* the last of which is WELL_KNOWN_NULL_SID: nobody's */
    USER_PRIVILEGES = 64,
};

/* What the token of one has (SEC-11b [C]). */
struct user_token {
    uint64_t privileges; /* that are enabled: bits by their numbers */
    enum well_known self, owner, group;
    uint32_t integrity;
    uint64_t logon; /* session: a LUID */
    enum well_known groups[USER_GROUPS];
};

extern const char *const user_names[USER_COUNT];

/* Who the running thread is: the user whose request it makes, the
 * administrators in a process otherwise, else the system (SEC-10b [C]). */
enum user user_current(struct kernel *kernel);

const struct user_token *user_token(enum user user);

/* Whether the user has the privilege, and it is enabled (SEC-09). */
bool user_has_privilege(enum user user, uint64_t privilege);

/* Those of the rights, each of which stands for itself alone, that the
 * descriptor of an object gives for which generic rights mean that: a right is
 * as the first entry of its list has it that names it and the user. Without a
 * list it gives all (SEC-02), and to its owner what reads it and changes its
 * list. */
uint32_t user_granted(enum user user, const struct descriptor_block *block,
    const struct generic_rights *generic, uint32_t rights);

#endif
