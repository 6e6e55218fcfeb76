/* clang_library.c - libclang loaded, and its functions found by name. */
#include "scenarios/runner/headers/clang_library.h"

#include <assert.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <talloc.h>

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define CLANG_FUNCTION(result, name, parameters)                               \
    {#name, offsetof(struct clang_library, name)},
#include "scenarios/runner/headers/clang_functions.def"
};

bool clang_library_load(struct clang_library *clang, const char **problem)
{
    void *handle = dlopen(CLANG_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
    bool right = handle != NULL;

    for (size_t i = 0; right && i < sizeof(functions) / sizeof(functions[0]);
         i++) {
        void *found = dlsym(handle, functions[i].name);

        right = found != NULL;
        /* POSIX: a function's pointer is like another one. */
        memcpy((char *)clang + functions[i].offset, &found, sizeof(found));
    }
    *problem = right ? NULL : dlerror();
    return right;
}

char *clang_text(
    const struct clang_library *clang, void *context, CXString string)
{
    const char *text = clang->clang_getCString(string);
    char *copy = talloc_strdup(context, text == NULL ? "" : text);

    assert(copy != NULL);
    clang->clang_disposeString(string);
    return copy;
}
