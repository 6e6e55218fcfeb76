/* processor_area.h - what a driver finds at GS: the public part of a
 * processor's control region (KPCR, KPRCB), one page a processor. */
#ifndef API_IMAGE_PROCESSOR_AREA_H
#define API_IMAGE_PROCESSOR_AREA_H

struct kernel;

/* Before native code runs or goes on: what the host has once for all processors
 * becomes that of the one that runs the caller. GS leads to its area, which is
 * made when it is needed for the first time, and pages that another processor
 * has opened are closed where the level forbids them (IRQL-04). */
void processor_area_load(struct kernel *kernel);

#endif
