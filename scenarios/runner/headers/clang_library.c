/* clang_library.c - libclang loaded, and its functions found by name. */
#include "scenarios/runner/headers/clang_library.h"

#include <assert.h>
#include <dlfcn.h>
#include <string.h>
#include <talloc.h>

static bool find(void *handle, const char *name, void *function, size_t size)
{
    void *found = dlsym(handle, name);

    memcpy(function, &found, size); /* POSIX: both are pointers alike */
    return found != NULL;
}

bool clang_library_load(struct clang_library *clang, const char **problem)
{
    void *handle = dlopen(CLANG_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
    bool right = handle != NULL;

#define CLANG_FUNCTION(result, name, parameters)                               \
    right = right && find(handle, #name, &clang->name, sizeof(clang->name));
#include "scenarios/runner/headers/clang_functions.def"
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
