/* unwind.h - what is left to do at the end of a run in which calls were made to
 * fail. */
#ifndef RUNNER_RUN_UNWIND_H
#define RUNNER_RUN_UNWIND_H

struct run;

/* Drivers that are still loaded, because a step could not be done, are unloaded
 * by the last step of the scenario that does, in the order of those; files are
 * closed before. What cannot be unloaded so stays. */
void unwind(struct run *run);

#endif
