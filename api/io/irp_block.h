/* irp_block.h - IRPs in memory of a driver's own (IoInitializeIrp), which may
 * be freed. */
#ifndef API_IO_IRP_BLOCK_H
#define API_IO_IRP_BLOCK_H

#include "api/mm/block.h"

extern const struct block_watcher io_irp_block_watcher;

#endif
