/* leaks.h - what a driver still holds when it ends, each reported with the
 * place where it was acquired. */
#ifndef API_VERIFIER_LEAKS_H
#define API_VERIFIER_LEAKS_H

struct driver;
struct kernel;

/* A warning for each counter set, pool block and spin lock of the driver. They
 * stay: nobody can give them back. Stops the machine when a block was written
 * past its end, which only its free would have shown. */
void leaks_report(struct kernel *kernel, const struct driver *driver);

#endif
