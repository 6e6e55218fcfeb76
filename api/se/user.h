/* user.h - who a program is, and what a security descriptor lets it do. */
#ifndef API_SE_USER_H
#define API_SE_USER_H

#include <stdbool.h>
#include <stdint.h>

struct descriptor_block;
struct generic_rights;
struct kernel;

enum user {
#define USER(name, ...) USER_##name,
#include "api/se/users.def"
    USER_COUNT
};

extern const char *const user_names[USER_COUNT];

/* Who the running thread is: the user whose request it makes, the
 * administrators in a process otherwise, else the system (SEC-10b [C]). */
enum user user_current(struct kernel *kernel);

/* Whether the user has the privilege, and it is enabled (SEC-09). */
bool user_has_privilege(enum user user, uint64_t privilege);

/* Those of the rights, none of which is generic, that the descriptor of an
 * object gives for which generic rights mean that: a right is as the first
 * entry of its list has it that names it and the user. Without a list it gives
 * all (SEC-02), and to its owner what reads it and changes its list. */
uint32_t user_granted(enum user user, const struct descriptor_block *block,
    const struct generic_rights *generic, uint32_t rights);

#endif
