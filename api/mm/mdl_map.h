/* mdl_map.h - what every way to map an MDL in the system's part of the address
 * space needs: the MDL as it stands, checked, and its pages shown in a block.
 */
#ifndef API_MM_MDL_MAP_H
#define API_MM_MDL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/nt/nt.h"

struct kernel;
struct mdl;

struct map_request {
    enum routine routine;
    MDL *at;
    MDL mdl;          /* as it is there */
    struct mdl *kept; /* NULL: nothing is */
    bool read_only;
};

/* Of the MDL that lies there; raises where there is none. */
struct map_request map_request_of(
    struct kernel *kernel, enum routine routine, MDL *at);

/* Whether it says that it is mapped, or is, whatever the driver has made of its
 * flags. */
bool map_request_is_shown(const struct map_request *request);

/* An MDL whose pages may go away at any time stops the machine (MDL-08b). */
void map_request_check_locked(
    struct kernel *kernel, const struct map_request *request);

/* Shows its pages one by one in a block that is large enough; raises. False:
 * the host refuses. */
bool map_request_show(struct kernel *kernel, const struct map_request *request,
    uint8_t *block, uint32_t pages);

#endif
