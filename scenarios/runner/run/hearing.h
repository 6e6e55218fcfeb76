/* hearing.h - the verdict on a run that another process gives an account of
 * (account.h): its expectations are judged here, by the scenario as this
 * process has read it. */
#ifndef RUNNER_RUN_HEARING_H
#define RUNNER_RUN_HEARING_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct session;
struct verdict;

/* What was heard: the account, and what came behind it. */
struct hearing {
    struct verdict *verdict; /* NULL: it was no account */
    const char *problem;     /* then: why */
    size_t taken;            /* bytes of the account */
};

/* Judges an account of a run of the instance, which is open. Who gave it ran a
 * driver's native code, so nothing in it is believed but as facts. The verdict
 * is a child of `context` and has nothing of the bytes. What the session's
 * machine holds is lost. */
struct hearing hearing_judge(void *context, struct session *session,
    const struct instance *instance, const uint8_t *bytes, size_t length);

#endif
