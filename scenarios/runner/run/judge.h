/* judge.h - what skip and xfail make of an instance's verdict. */
#ifndef RUNNER_RUN_JUDGE_H
#define RUNNER_RUN_JUDGE_H

struct instance;
struct verdict;

/* The verdict on an instance that is to be skipped, a child of `context`;
 * NULL: it is not. */
struct verdict *judge_skipped(void *context, const struct instance *instance);

/* A failure that is expected counts as XFAIL, and none as XPASS, unless it may
 * be in what was not asked. */
void judge_expected(const struct instance *instance, struct verdict *verdict);

#endif
