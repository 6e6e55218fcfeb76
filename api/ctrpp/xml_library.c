/* xml_library.c - libxml2 loaded once, and its functions found by name. */
#include "api/ctrpp/xml_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_OF_LOADER = 127 };

static struct xml_library library;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

/* As the host's loader ends a program. */
static void refuse(void)
{
    fprintf(
        stderr, "ntpmu: error while loading shared libraries: %s\n", dlerror());
    fflush(stderr);
    _Exit(EXIT_OF_LOADER);
}

static void find(void *handle, const char *name, void *function, size_t size)
{
    void *found = dlsym(handle, name);

    if (found == NULL) {
        refuse();
    }
    memcpy(function, &found, size); /* POSIX: both are pointers alike */
}

static void load(void)
{
    void *handle = dlopen(XML_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        refuse();
    }
#define XML_FUNCTION(name)                                                     \
    find(handle, #name, &library.name, sizeof(library.name));
#include "api/ctrpp/xml_library.def"
    library.xmlInitParser(); /* before any thread needs it */
}

const struct xml_library *xml_library(void)
{
    pthread_once(&loaded, load);
    return &library;
}
