/* user.c - who a program is, and what a security descriptor lets it do (page
 * How DACLs Control Access to an Object). */
#include "api/se/user.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"
#include "api/ob/object_type.h"
#include "api/se/acl.h"
#include "api/se/descriptor.h"
#include "api/se/well_known.h"

enum {
    ACCESS_DENIED_ACE_TYPE = 1,
    INHERIT_ONLY_ACE = 0x8,
};

const char *const user_names[USER_COUNT] = {
#define USER(name, word, ...) word,
#include "api/se/users.def"
};

static const struct user_token tokens[USER_COUNT] = {
#define USER(name, word, privileges, self, owner, group, level, logon, ...)    \
    {privileges, self, owner, group, level, logon, {__VA_ARGS__}},
#include "api/se/users.def"
};

_Static_assert(WELL_KNOWN_NULL_SID == 0, "it ends a list");

enum user user_current(struct kernel *kernel)
{
    unsigned asking = thread_current(kernel)->user;

    if (asking != 0) {
        assert(asking <= USER_COUNT);
        return (enum user)(asking - 1);
    }
    return kthread_process(kthread_current(kernel)) == NULL
               ? USER_SYSTEM
               : USER_ADMINISTRATORS;
}

const struct user_token *user_token(enum user user)
{
    assert(user < USER_COUNT);
    return &tokens[user];
}

bool user_has_privilege(enum user user, uint64_t privilege)
{
    return privilege < USER_PRIVILEGES &&
           (user_token(user)->privileges >> privilege & 1) != 0;
}

static bool is_sid(enum well_known name, const uint8_t *bytes)
{
    const struct sid *sid = well_known_sid(name);

    return bytes[1] == sid->count &&
           memcmp(bytes, sid, sid_size(sid->count)) == 0;
}

/* Whether the SID, of which all bytes are there, is one of the user's. */
static bool has_sid(enum user user, const uint8_t *bytes)
{
    const struct user_token *token = user_token(user);
    bool has = is_sid(token->self, bytes);

    for (unsigned i = 0; token->groups[i] != WELL_KNOWN_NULL_SID; i++) {
        has = has || is_sid(token->groups[i], bytes);
    }
    return has;
}

static uint32_t granted_by_list(enum user user, const uint8_t *list,
    const struct generic_rights *generic, uint32_t rights)
{
    const uint8_t *at = list + sizeof(struct acl);
    uint32_t granted = 0, undecided = rights;
    struct acl acl;

    memcpy(&acl, list, sizeof(acl));
    for (unsigned i = 0; i < acl.count; i++) {
        struct ace ace;
        uint32_t named;

        memcpy(&ace, at, sizeof(ace));
        named = generic_access(generic, ace.mask) & undecided;
        if (ace.type <= ACCESS_DENIED_ACE_TYPE &&
            (ace.flags & INHERIT_ONLY_ACE) == 0 &&
            has_sid(user, at + ACE_SID_OFFSET)) {
            granted |= ace.type == ACCESS_ALLOWED_ACE_TYPE ? named : 0;
            undecided &= ~named;
        }
        at += ace.size;
    }
    return granted;
}

uint32_t user_granted(enum user user, const struct descriptor_block *block,
    const struct generic_rights *generic, uint32_t rights)
{
    const uint8_t *list = descriptor_part(block, DESCRIPTOR_DACL);
    const uint8_t *owner = descriptor_part(block, DESCRIPTOR_OWNER);
    uint32_t own = 0;

    assert(user < USER_COUNT);
    if (list == NULL) {
        return rights;
    }
    if (owner != NULL && has_sid(user, owner)) {
        own = rights & (READ_CONTROL | WRITE_DAC);
    }
    return own | granted_by_list(user, list, generic, rights & ~own);
}
