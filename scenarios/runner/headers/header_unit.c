/* header_unit.c - a driver's C header compiled by libclang, as drivers are: by
 * itself and, where that fails, behind ntddk.h. */
#include "scenarios/runner/headers/header_unit.h"

#include <assert.h>
#include <stdarg.h>
#include <talloc.h>

enum { WITH_KERNEL = 2 /* words, of the end of the command */ };

/* Compiled for what cmake/NtpmuDriver.cmake compiles drivers for. */
static const char *const command[] = {"-x", "c", DRIVER_OPTIONS, "-w",
    "-resource-dir", CLANG_RESOURCES, "-isystem", DRIVER_INCLUDES, "-isystem",
    MINGW_INCLUDES "/ddk", "-isystem", MINGW_INCLUDES, "-include", "ntddk.h"};

enum { COMMAND_WORDS = (int)(sizeof(command) / sizeof(command[0])) };

void header_problem_add(void *context, struct header_problems *problems,
    const char *path, unsigned line, unsigned column, const char *format, ...)
{
    struct header_problem *problem;
    va_list arguments;

    problems->item = talloc_realloc(context, problems->item,
        struct header_problem, (unsigned)problems->count + 1);
    assert(problems->item != NULL);
    problem = &problems->item[problems->count++];
    *problem = (struct header_problem){
        .path = talloc_strdup(context, path), .line = line, .column = column};
    va_start(arguments, format);
    problem->message = talloc_vasprintf(context, format, arguments);
    va_end(arguments);
    assert(problem->path != NULL && problem->message != NULL);
}

static void add_error(const struct clang_library *clang, void *context,
    CXDiagnostic diagnostic, struct header_problems *problems)
{
    CXFile file = NULL;
    unsigned line = 0, column = 0;
    const char *path = "";

    clang->clang_getFileLocation(clang->clang_getDiagnosticLocation(diagnostic),
        &file, &line, &column, NULL);
    if (file != NULL) {
        path = clang_text(clang, context, clang->clang_getFileName(file));
    }
    header_problem_add(context, problems, path, line, column, "%s",
        clang_text(
            clang, context, clang->clang_getDiagnosticSpelling(diagnostic)));
}

/* NULL when it has errors. */
static CXTranslationUnit compile(const struct clang_library *clang,
    void *context, const char *path, int words,
    struct header_problems *problems)
{
    CXTranslationUnit unit = NULL;
    int error = clang->clang_parseTranslationUnit2(
        clang->clang_createIndex(0, 0), path, command, words, NULL, 0,
        CXTranslationUnit_SkipFunctionBodies, &unit);

    if (error != CXError_Success || unit == NULL) {
        header_problem_add(
            context, problems, "", 0, 0, "libclang cannot read the header");
        return NULL;
    }
    for (unsigned i = 0; i < clang->clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang->clang_getDiagnostic(unit, i);

        if (clang->clang_getDiagnosticSeverity(diagnostic) >=
            CXDiagnostic_Error) {
            add_error(clang, context, diagnostic, problems);
        }
    }
    if (problems->count > 0) {
        clang->clang_disposeTranslationUnit(unit);
        return NULL;
    }
    return unit;
}

CXTranslationUnit header_unit_read(const struct clang_library *clang,
    void *context, const char *path, struct header_problems *problems)
{
    struct header_problems alone = {NULL, 0};
    CXTranslationUnit unit =
        compile(clang, context, path, COMMAND_WORDS - WITH_KERNEL, &alone);

    if (unit == NULL) {
        unit = compile(clang, context, path, COMMAND_WORDS, problems);
    }
    /* What it is meant for is the one that it fits better. */
    if (unit == NULL && alone.count < problems->count) {
        *problems = alone;
    }
    return unit;
}
