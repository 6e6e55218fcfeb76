/* drive_shutdown.c - registrations for a shutdown, and its requests, found in
 * the lines of a trace. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/drive/drive_shutdown.h"

#include <string.h>

static bool has(const char *line, size_t length, const char *text)
{
    return memmem(line, length, text, strlen(text)) != NULL;
}

static const char *next_line(const char *line)
{
    size_t length = strcspn(line, "\n");

    return line + length + (line[length] == '\n');
}

bool drive_shutdown_is_wanted(const char *trace)
{
    for (; *trace != '\0'; trace = next_line(trace)) {
        size_t length = strcspn(trace, "\n");

        if (has(trace, length, " return api=IoRegister") &&
            has(trace, length, "ShutdownNotification status=STATUS_SUCCESS")) {
            return true;
        }
    }
    return false;
}

struct drive_shutdown drive_shutdown_read(const char *trace)
{
    struct drive_shutdown shutdown = {.calls = ""};

    for (; *trace != '\0'; trace = next_line(trace)) {
        size_t length = strcspn(trace, "\n");

        if (!has(trace, length, " routine=IRP_MJ_SHUTDOWN")) {
            continue;
        }
        if (has(trace, length, " driver_call ")) {
            shutdown.calls = shutdown.told++ == 0 ? trace : shutdown.calls;
        } else if (has(trace, length, " driver_return ")) {
            shutdown.returned++;
        }
    }
    return shutdown;
}
