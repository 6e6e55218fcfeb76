/* dispatch_table.h - HalDispatchTable as drivers see it: pointers to thunks
 * behind those of exports.def (BUS-20a). */
#ifndef API_IMAGE_DISPATCH_TABLE_H
#define API_IMAGE_DISPATCH_TABLE_H

#include <stdint.h>

#include "api/nt/nt.h"

struct kernel;

/* Thunks of its own: one for each pointer's place. */
enum { DISPATCH_THUNKS = sizeof(HAL_DISPATCH) / sizeof(uint64_t) };

/* The table, once there are thunks. */
HAL_DISPATCH dispatch_table(const struct kernel *kernel);

/* Ends the run: the n-th of those thunks was called, whose routine is not
 * modelled (BUS-20b [C]). */
_Noreturn void dispatch_table_stop(struct kernel *kernel, uint32_t n);

#endif
