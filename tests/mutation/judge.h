/* judge.h - what became of one mutant. */
#ifndef MUTATION_JUDGE_H
#define MUTATION_JUDGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The description of a planted mutant and how its way ended: `end` is
 * "stillborn" (does not compile), "same_code" (the compiler made the same
 * object of it), "unasked" (the tests of the modules noticed it before) or the
 * exit code of the suite's run, whose standard error is
 * the text `errors` and whose report `noticed` comes from report_read. Adds
 * "end": those words, "caught" or "survived"; and of those caught "how":
 * expectation, assert, crash, timeout, invalid (files were refused) or exit
 * CODE, and "instances" and "requirements" that noticed. */
void judge(
    json_t *mutant, const char *end, const char *errors, json_t *noticed);

/* What the tests of the modules said of it: "survived", "not built", or else
 * who of them noticed. Adds that as "module_tests"; a mutant that they noticed
 * is caught, with "how" module_tests, whatever the suite made of it. */
void judge_module_tests(json_t *mutant, const char *said);

/* Whether an expectation that cites each of the "wanted" requirements failed,
 * or the "unit" test, and nothing worse happened; says so on `out` if not. */
bool judge_proof(const json_t *mutant, FILE *out);

/* Whether a mutant of the slice was noticed by its "test"; says so on `out` if
 * not. */
bool judge_slice(const json_t *mutant, FILE *out);

#endif
