/* image_scanner.h - images that are run often are scanned once: in a process of
 * its own, which is confined as those are that run them, and runs nothing. What
 * it says is believed by these only. */
#ifndef RUNNER_RUN_IMAGE_SCANNER_H
#define RUNNER_RUN_IMAGE_SCANNER_H

#include "scenarios/runner/run/driver_files.h"

/* A process costs as much as its scan of so many bytes. */
enum { IMAGE_SCANNER_BYTES = 256 * 1024 };

/* Another process is to be forked that loads the image, which was read. From
 * when on they have had to scan so many bytes of it, it is known what stands in
 * it, unless the scan came to nothing. */
void image_scanner_ordered(struct driver_file *file);

#endif
