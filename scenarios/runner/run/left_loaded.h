/* left_loaded.h - drivers that are still loaded at the end of a run in which
 * calls were made to fail. */
#ifndef RUNNER_RUN_LEFT_LOADED_H
#define RUNNER_RUN_LEFT_LOADED_H

struct run;

/* They are so because a step could not be done, and are unloaded by the last
 * step of the scenario that does, in the order of those; files are closed
 * before. What cannot be unloaded so stays. */
void left_loaded_unload(struct run *run);

#endif
