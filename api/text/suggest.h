/* suggest.h - "did you mean": the known name nearest to a wrong one. */
#ifndef API_TEXT_SUGGEST_H
#define API_TEXT_SUGGEST_H

#include <stddef.h>

/* Candidates are offered one by one; the nearest so far is kept. */
enum { SUGGEST_LISTED = 8 }; /* more candidates than this are no list */

struct suggestion {
    const char *wrong;
    const char *nearest; /* NULL: nothing is near enough */
    size_t distance;
    const char *offered[SUGGEST_LISTED]; /* the first of them */
    size_t count;                        /* candidates offered */
};

struct suggestion suggest_for(const char *wrong);

/* `candidate` must live as long as the suggestion. One that begins with the
 * wrong name is near, however much longer it is. */
void suggest_offer(struct suggestion *suggestion, const char *candidate);

/* Single-character edits and swaps of neighbours from one to the other;
 * letters differ in case by nothing. */
size_t suggest_distance(const char *a, const char *b);

#endif
