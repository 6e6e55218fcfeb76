/* token.c - access tokens as objects, and SeTokenIsAdmin and
 * SeQueryAuthenticationIdToken, which look into one. */
#include "api/se/token.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/se/subject.h"

/* One is never gone: the kernel has a reference of its own. */
static const struct object_type token_type = {
    .name = OBJECT_TYPE_TOKEN, .text = "token"};

/* Nobody can look into its memory. */
struct token *token_of(struct kernel *kernel, enum user user)
{
    struct token *token = &kernel->subjects->token[user];
    void *address;

    assert(user < USER_COUNT);
    if (token->object.address != 0) {
        return token;
    }
    address = run_needs(
        kernel, memory_alloc(&kernel->machine->memory, 0, 0), "a token");
    *token = (struct token){
        .object = {.type = &token_type, .address = (uintptr_t)address},
        .user = user};
    counted_object_add(kernel, &token->object);
    return token;
}

struct token *token_get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct counted_object *object =
        counted_object_get(kernel, routine, address);
    const struct bugcheck_parameter none[4] = {
        {.value = (uintptr_t)address}, {.name = routine_rows[routine].name}};

    if (object->type != &token_type) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_OBJECT_NONE, routine, none);
    }
    return (struct token *)(void *)object;
}

static enum user user_in(enum routine routine, const void *token)
{
    return token_get(kernel_current(), routine, token)->user;
}

BOOLEAN SeTokenIsAdmin_body(PVOID Token)
{
    const struct user_token *token =
        user_token(user_in(ROUTINE_SeTokenIsAdmin, Token));
    bool is = false;

    for (unsigned i = 0; token->groups[i] != WELL_KNOWN_NULL_SID; i++) {
        is = is || token->groups[i] == WELL_KNOWN_BA;
    }
    return is;
}

NTSTATUS SeQueryAuthenticationIdToken_body(
    PVOID Token, PLARGE_INTEGER AuthenticationId)
{
    const enum routine routine = ROUTINE_SeQueryAuthenticationIdToken;
    const struct user_token *token = user_token(user_in(routine, Token));

    copy_out(kernel_current(), routine, AuthenticationId, &token->logon,
        sizeof(token->logon));
    return STATUS_SUCCESS;
}
