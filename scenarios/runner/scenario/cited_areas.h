/* cited_areas.h - whether what an expectation cites is about something that its
 * step can touch. */
#ifndef RUNNER_SCENARIO_CITED_AREAS_H
#define RUNNER_SCENARIO_CITED_AREAS_H

struct reader;

/* Reports each citation of a scenario that has been read whose requirement is
 * of an area that the citing step has nothing to do with.
 *
 * A requirement's area is the first word of its id: HAL, PCW, POOL. A routine
 * is of the areas of the requirements in its row of exports.def, steps that
 * run code or access registers are about the PMU and the HAL that serves it,
 * and those of a consumer about PCW. What a step gives back, status, outputs,
 * values, belongs to its own areas, and to those of the whole scenario where
 * its arguments come from other steps or a callback has it; so does all that
 * is asked of the machine. GEN, IRQL, IMP and SYSR are every step's, and of an
 * area that no routine is about nothing is known. */
void cited_areas_check(struct reader *reader);

#endif
