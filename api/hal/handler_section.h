/* handler_section.h - where the code of a handler may not be. */
#ifndef API_HAL_HANDLER_SECTION_H
#define API_HAL_HANDLER_SECTION_H

#include <stdint.h>

struct kernel;

/* Reports a handler that HalAllocateHardwareCounters is given and whose section
 * is pageable or discardable: it is called at PROFILE_LEVEL, of overflows or of
 * event buffers (HAL-OVF-12 [C]).
 */
void handler_section_check(struct kernel *kernel, uint64_t handler);

#endif
