/* xfail_list.h - a file that says which instances are expected to fail, for
 * --xfail. */
#ifndef RUNNER_SCENARIO_XFAIL_LIST_H
#define RUNNER_SCENARIO_XFAIL_LIST_H

#include "scenarios/runner/library/library.h"
#include "scenarios/runner/scenario/instance.h"

/* Reports what is wrong with the file. */
void xfail_list_check(const struct schema *schema, const struct node *root);

/* Reads the file and marks the instances. An entry that matches none is an
 * error. Returns false after reporting. */
bool xfail_list_apply(
    struct library *library, const char *path, struct instances *instances);

#endif
