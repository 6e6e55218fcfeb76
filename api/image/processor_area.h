/* processor_area.h - what a driver finds at GS: the public part of a
 * processor's control region (KPCR, KPRCB), one page a processor. */
#ifndef API_IMAGE_PROCESSOR_AREA_H
#define API_IMAGE_PROCESSOR_AREA_H

struct kernel;

/* Points the host's GS base at the area of the processor that runs the caller,
 * and makes the area when it is needed for the first time. */
void processor_area_load(struct kernel *kernel);

#endif
