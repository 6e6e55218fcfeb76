/* token_information.c - SeQueryInformationToken: what is in a token, in a block
 * that is the caller's to free. */
#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"
#include "api/mm/copy.h"
#include "api/ob/object_type.h"
#include "api/se/acl.h"
#include "api/se/token.h"

enum {
    INFORMATION_TAG = 0x74546553, /* 'SeTt' [C] */
    INFORMATION_BYTES = 512,      /* at most */
    POINTER_BYTES = 8,
    SID_AND_ATTRIBUTES_BYTES = 16,
    LUID_AND_ATTRIBUTES_BYTES = 12,
    SE_GROUP_ALWAYS = 0x7, /* mandatory, enabled and that by default */
    SE_GROUP_OWNER = 0x8,
    SE_PRIVILEGE_ALWAYS = 0x3, /* enabled and that by default */
    TOKEN_PRIMARY = 1,
    TOKEN_CLASSES = 42,   /* MaxTokenInfoClass of the WDK since Windows 8 [C] */
    DYNAMIC_BYTES = 4096, /* of the token, charged and available [C] */
};

/* What is written, with addresses as those of a block there. */
struct information {
    const struct user_token *token;
    enum user user;
    uint64_t base;
    uint8_t bytes[INFORMATION_BYTES];
    size_t used;
};

static void put(
    struct information *to, size_t at, const void *value, size_t size)
{
    assert(at + size <= sizeof(to->bytes));
    memcpy(to->bytes + at, value, size);
    to->used = at + size > to->used ? at + size : to->used;
}

static void put_long(struct information *to, size_t at, uint32_t value)
{
    put(to, at, &value, sizeof(value));
}

static void put_quad(struct information *to, size_t at, uint64_t value)
{
    put(to, at, &value, sizeof(value));
}

/* A pointer there to a SID that is behind all that there is. */
static void put_sid(struct information *to, size_t at, enum well_known name)
{
    const struct sid *sid = well_known_sid(name);

    put_quad(to, at, to->base + to->used);
    put(to, to->used, sid, sid_size(sid->count));
}

static void write_user(struct information *to)
{
    put_quad(to, POINTER_BYTES, 0); /* no attributes are defined */
    put_sid(to, 0, to->token->self);
}

static unsigned groups_of(const struct user_token *token)
{
    unsigned count = 0;

    while (token->groups[count] != WELL_KNOWN_NULL_SID) {
        count++;
    }
    return count;
}

static void write_groups(struct information *to)
{
    const enum well_known *groups = to->token->groups;
    unsigned count = groups_of(to->token);
    size_t at = POINTER_BYTES;

    put_quad(to, 0, count);
    put_quad(to, at + count * SID_AND_ATTRIBUTES_BYTES - POINTER_BYTES, 0);
    for (unsigned i = 0; i < count; i++, at += SID_AND_ATTRIBUTES_BYTES) {
        bool owns = groups[i] == WELL_KNOWN_BA;

        put_sid(to, at, groups[i]);
        put_long(to, at + POINTER_BYTES,
            owns ? SE_GROUP_ALWAYS | SE_GROUP_OWNER : SE_GROUP_ALWAYS);
    }
}

/* Those that are enabled are all that are modelled. */
static uint32_t put_privileges(struct information *to)
{
    size_t at = sizeof(uint32_t);
    uint32_t count = 0;

    for (unsigned i = 0; i < USER_PRIVILEGES; i++) {
        if (user_has_privilege(to->user, i)) {
            put_quad(to, at, i);
            put_long(to, at + 8, SE_PRIVILEGE_ALWAYS);
            at += LUID_AND_ATTRIBUTES_BYTES;
            count++;
        }
    }
    return count;
}

static void write_privileges(struct information *to)
{
    put_long(to, 0, put_privileges(to));
}

static void write_owner(struct information *to)
{
    put_quad(to, 0, 0);
    put_sid(to, 0, to->token->owner);
}

static void write_group(struct information *to)
{
    put_quad(to, 0, 0);
    put_sid(to, 0, to->token->group);
}

/* Who owns what is made, and the system, have all rights [C]. */
static void write_default_list(struct information *to)
{
    const enum well_known who[2] = {to->token->owner, WELL_KNOWN_SY};
    struct acl acl = {.revision = ACL_REVISION, .size = sizeof(acl)};
    uint8_t *list = to->bytes + POINTER_BYTES;

    for (unsigned i = 0; i < 2; i++) {
        acl.size = (uint16_t)(acl.size + ACE_SID_OFFSET +
                              sid_size(well_known_sid(who[i])->count));
    }
    put_quad(to, 0, to->base + POINTER_BYTES);
    put(to, POINTER_BYTES, &acl, sizeof(acl));
    to->used += acl.size - sizeof(acl);
    for (unsigned i = 0; i < 2; i++) {
        acl_allow(list, GENERIC_ALL, (const uint8_t *)well_known_sid(who[i]));
    }
}

/* TOKEN_SOURCE: eight characters and a LUID. */
static void write_source(struct information *to)
{
    put(to, 0, to->user == USER_SYSTEM ? "*SYSTEM*" : "User32 \0", 8);
    put_quad(to, 8, 0);
}

static void write_type(struct information *to)
{
    put_long(to, 0, TOKEN_PRIMARY);
}

/* Each user's token is the only one, and never changed. */
static void write_statistics(struct information *to)
{
    uint32_t privileges = 0;

    for (unsigned i = 0; i < USER_PRIVILEGES; i++) {
        privileges += user_has_privilege(to->user, i);
    }
    put_quad(to, 0, 0x20000 + (uint64_t)to->user); /* TokenId */
    put_quad(to, 8, to->token->logon);
    put_quad(to, 16, INT64_MAX); /* ExpirationTime */
    put_long(to, 24, TOKEN_PRIMARY);
    put_long(to, 28, 0); /* ImpersonationLevel, which a primary one has not */
    put_long(to, 32, DYNAMIC_BYTES);
    put_long(to, 36, DYNAMIC_BYTES);
    put_long(to, 40, groups_of(to->token));
    put_long(to, 44, privileges);
    put_quad(to, 48, 0x20000 + (uint64_t)to->user); /* ModifiedId */
}

static void write_elevation(struct information *to)
{
    put_long(to, 0, to->user != USER_USERS);
}

static void (*const writers[TOKEN_CLASSES])(struct information *to) = {
    [TokenUser] = write_user,
    [TokenGroups] = write_groups,
    [TokenPrivileges] = write_privileges,
    [TokenOwner] = write_owner,
    [TokenPrimaryGroup] = write_group,
    [TokenDefaultDacl] = write_default_list,
    [TokenSource] = write_source,
    [TokenType] = write_type,
    [TokenStatistics] = write_statistics,
    [TokenElevation] = write_elevation,
};

static void fill(struct information *to, enum user user, uint64_t base,
    void (*write)(struct information *to))
{
    *to = (struct information){
        .token = user_token(user), .user = user, .base = base};
    write(to);
}

/* Twice: how long it is does not depend on where it is. */
static NTSTATUS give_block(struct kernel *kernel, enum user user,
    void (*write)(struct information *to), PVOID *block_out)
{
    const enum routine routine = ROUTINE_SeQueryInformationToken;
    struct pool_request request = {.routine = routine,
        .tag = INFORMATION_TAG,
        .paged = true,
        .fill = POOL_FILL};
    struct information information;
    void *block;

    fill(&information, user, 0, write);
    request.size = information.used;
    block = pool_allocate(kernel, kernel_cpu(kernel), &request);
    if (block == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    fill(&information, user, (uintptr_t)block, write);
    copy_out(kernel, routine, block, information.bytes, information.used);
    copy_out(kernel, routine, block_out, &block, sizeof(block));
    return STATUS_SUCCESS;
}

/* Two classes have a ULONG instead of a pointer (SEC-12c). */
NTSTATUS SeQueryInformationToken_body(PVOID Token,
    TOKEN_INFORMATION_CLASS TokenInformationClass, PVOID *TokenInformation)
{
    const enum routine routine = ROUTINE_SeQueryInformationToken;
    struct kernel *kernel = kernel_current();
    const unsigned class = (unsigned)TokenInformationClass;
    enum user user = token_get(kernel, routine, Token)->user;
    ULONG number = 0; /* of the session: that of the console */

    if (class == 0 || class >= TOKEN_CLASSES ||
        class == TokenImpersonationLevel) {
        return STATUS_INVALID_INFO_CLASS;
    }
    if (writers[class] != NULL) {
        copy_probe(
            kernel, routine, TokenInformation, sizeof(*TokenInformation), true);
        return give_block(kernel, user, writers[class], TokenInformation);
    }
    if (class != TokenSessionId && class != TokenIntegrityLevel) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "SeQueryInformationToken: class %u of TOKEN_INFORMATION_CLASS is "
            "not modelled",
            class);
    }
    if (class == TokenIntegrityLevel) {
        number = user_token(user)->integrity;
    }
    copy_out(kernel, routine, TokenInformation, &number, sizeof(number));
    return STATUS_SUCCESS;
}
