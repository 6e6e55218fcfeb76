/* read_files.h - files: what is on the volume before the first step. */
#ifndef RUNNER_SCENARIO_READ_FILES_H
#define RUNNER_SCENARIO_READ_FILES_H

struct reader;

void read_files(struct reader *reader);

#endif
