/* sometimes.h - what has to hold in some schedule, asked when all were tried.
 */
#ifndef RUNNER_EXPLORE_SOMETIMES_H
#define RUNNER_EXPLORE_SOMETIMES_H

struct scenario;
struct verdict;

/* No schedule alone fails by it, but all of them together may: what of the
 * scenario's conditions held in none, by verdict->sometimes, is a failure of a
 * verdict that is none otherwise. */
void sometimes_judge(const struct scenario *scenario, struct verdict *verdict);

#endif
