/* token.h - access tokens as objects: who somebody is, with references. Each
 * user has one, which is a primary token, as long as the machine lasts. */
#ifndef API_SE_TOKEN_H
#define API_SE_TOKEN_H

#include "api/ob/counted_object.h"
#include "api/se/user.h"

struct token {
    struct counted_object object; /* first */
    enum user user;
};

/* That of a user; without guest memory for it the run ends. */
struct token *token_of(struct kernel *kernel, enum user user);

/* The token that a routine was given: where there is none the machine stops
 * (SEC-11). */
struct token *token_get(
    struct kernel *kernel, enum routine routine, const void *address);

#endif
