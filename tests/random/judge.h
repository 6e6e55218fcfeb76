/* judge.h - runs the text of a scenario and says whether it passes. It knows
 * nothing of random programs, and they nothing of what judges them. */
#ifndef TESTS_RANDOM_JUDGE_H
#define TESTS_RANDOM_JUDGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct judge;

/* NULL if the requirements do not read. Lasts as long as the process. */
struct judge *judge_new(void);

/* Once in each process that judges. */
void judge_open(struct judge *judge);
void judge_close(struct judge *judge);

/* Whether the scenario is valid and passes; what is said of it goes to `out`,
 * which may be NULL, and `checks` grows by its checks. */
bool judge_passes(
    struct judge *judge, const char *text, FILE *out, uint64_t *checks);

#endif
