/* host_leaks.c - memory of the host that was not given back, as LeakSanitizer
 * finds it. */
#include "scenarios/runner/output/host_leaks.h"

#include <assert.h>
#include <stddef.h>

/* Of sanitizer/lsan_interface.h; where the program is built without, there is
 * none. */
extern __attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

bool host_leaks_are_sought(void)
{
    return __lsan_do_recoverable_leak_check != NULL;
}

void host_leaks_say(void)
{
    assert(host_leaks_are_sought());
    __lsan_do_recoverable_leak_check();
}
