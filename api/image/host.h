/* host.h - the start-up self-test: what this host's processor and kernel let a
 * driver's instructions do. */
#ifndef API_IMAGE_HOST_H
#define API_IMAGE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum host_probe {
#define PROBE(name, ...) HOST_##name,
#include "api/image/probes.def"
    HOST_PROBES
};

/* How a probe ended. */
struct host_trap {
    bool traps;
    int signal;     /* SIGSEGV, SIGTRAP, SIGILL, SIGBUS */
    int trap;       /* the processor's exception number, 13 for #GP */
    uint64_t error; /* its error code */
};

struct host_traps {
    bool x86_64;      /* else nothing below is filled in */
    bool tested;      /* else there was no memory for it */
    bool fsgsbase;    /* RDGSBASE and WRGSBASE may be used */
    bool patch_rdpmc; /* RDPMC executes, so its sites have to be patched */
    struct host_trap trap[HOST_PROBES];
};

/* Whether programs may read and write the bases of FS and GS. Asked of the host
 * once: it is the same as long as the host runs. */
bool host_has_fsgsbase(void);

/* Executes each probe under signal handlers of its own, which are gone when it
 * returns. Not to be called while another thread may raise such a signal. */
void host_test(struct host_traps *out);

/* Whether drivers can run here. If not, `why` names the first reason. */
bool host_is_fit(const struct host_traps *traps, char *why, size_t size);

#endif
