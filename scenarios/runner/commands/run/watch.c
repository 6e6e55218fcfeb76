/* watch.c - waits for a change of scenarios or drivers (run --watch), by
 * inotify. It looks at names only: a trace that is written beside the scenarios
 * is no change of theirs. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/run/watch.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/yaml/yaml_paths.h"

enum {
    WATCH_QUIET_MS = 100, /* an editor changes a file in several steps */
    WATCH_BYTES = 16 * 1024,
    WATCH_EVENTS =
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO,
};

struct watch {
    int notify;
};

static int close_watch(struct watch *watch)
{
    close(watch->notify);
    return 0;
}

struct watch *watch_new(void *context)
{
    int notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    struct watch *watch;

    if (notify < 0) {
        return NULL;
    }
    watch = talloc_zero(context, struct watch);
    assert(watch != NULL);
    watch->notify = notify;
    talloc_set_destructor(watch, close_watch);
    return watch;
}

/* One that has gone meanwhile is none to be watched. */
static bool watch_directory(struct watch *watch, const char *path)
{
    return inotify_add_watch(watch->notify, path, WATCH_EVENTS) >= 0 ||
           errno == ENOENT || errno == ENOTDIR || errno == EACCES;
}

static bool watch_below(struct watch *watch, const char *path)
{
    DIR *stream;
    const struct dirent *entry;
    bool done = watch_directory(watch, path);

    stream = done ? opendir(path) : NULL;
    if (stream == NULL) {
        return done;
    }
    while (done && (entry = readdir(stream)) != NULL) {
        char *below = talloc_asprintf(watch, "%s/%s", path, entry->d_name);
        struct stat status;

        if (entry->d_name[0] != '.' && lstat(below, &status) == 0 &&
            S_ISDIR(status.st_mode)) {
            done = watch_below(watch, below);
        }
        talloc_free(below);
    }
    closedir(stream);
    return done;
}

bool watch_add(struct watch *watch, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat status;
    char *directory;
    bool done;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return watch_below(watch, path);
    }
    directory = slash == NULL
                    ? talloc_strdup(watch, ".")
                    : talloc_strndup(watch, path, (size_t)(slash - path) + 1);
    done = watch_directory(watch, directory);
    talloc_free(directory);
    return done;
}

/* A directory may hold files by now. */
static bool counts(const struct inotify_event *event)
{
    const char *dot;

    if ((event->mask & (IN_ISDIR | IN_Q_OVERFLOW)) != 0) {
        return true;
    }
    if (event->len == 0 || event->name[0] == '.') {
        return false;
    }
    dot = strrchr(event->name, '.');
    return yaml_paths_is_yaml(event->name) ||
           (dot != NULL &&
               (strcasecmp(dot, ".sys") == 0 || strcasecmp(dot, ".man") == 0));
}

bool watch_changed(struct watch *watch)
{
    _Alignas(struct inotify_event) char bytes[WATCH_BYTES];
    bool changed = false;
    ssize_t got;

    while ((got = TEMP_FAILURE_RETRY(
                read(watch->notify, bytes, sizeof(bytes)))) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct inotify_event *event =
                (const struct inotify_event *)(const void *)(bytes + at);

            changed |= counts(event);
            at += (ssize_t)(sizeof(*event) + event->len);
        }
    }
    return changed;
}

bool watch_wait(struct watch *watch)
{
    struct pollfd wanted = {.fd = watch->notify, .events = POLLIN};
    bool changed = watch_changed(watch);
    long ready = 1;

    while (ready > 0) {
        ready =
            TEMP_FAILURE_RETRY(poll(&wanted, 1, changed ? WATCH_QUIET_MS : -1));
        changed |= ready > 0 && watch_changed(watch);
    }
    return ready == 0;
}
