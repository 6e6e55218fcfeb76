/* ctest_list.h - instances as CTest reads tests: add_test() lines for a
 * TEST_INCLUDE_FILES script. */
#ifndef RUNNER_COMMANDS_LIST_CTEST_LIST_H
#define RUNNER_COMMANDS_LIST_CTEST_LIST_H

#include <stdio.h>

#include "scenarios/runner/scenario/suite.h"

/* One test an instance, which runs "${NTPMU_PROGRAM}"; a broken file is a test
 * that fails with its errors. The script sets NTPMU_PROGRAM, NTPMU_OPTIONS,
 * which `run` gets, and NTPMU_PREFIX, which the tests' names begin with. */
void ctest_list(const struct suite *suite, FILE *out);

#endif
