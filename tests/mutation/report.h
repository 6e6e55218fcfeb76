/* report.h - what a run of the suite noticed, from its JSON lines. */
#ifndef MUTATION_REPORT_H
#define MUTATION_REPORT_H

#include <jansson.h>

/* Reads the lines {"event": "result", "id", "result", "requirements": [{"id",
 * "failed"}]} of a report; what else it has is passed over, and so is a last
 * line that broke off, for the program may have ended in the middle of it. A
 * file that is not there has no lines. The result is {"instances": [id of
 * those that did not pass], "requirements": [id that an expectation of such
 * an instance cites which failed], "cited": [id of every expectation that was
 * evaluated]}, each id once. */
json_t *report_read(const char *path);

#endif
