/* image_scanner.h - images that are run often are scanned once: in a process of
 * its own, which is confined as those are that run them, and runs nothing. What
 * it says is believed by these only. */
#ifndef RUNNER_RUN_IMAGE_SCANNER_H
#define RUNNER_RUN_IMAGE_SCANNER_H

#include "scenarios/runner/run/driver_files.h"

enum { IMAGE_SCANNER_FROM = 2 }; /* orders: fewer are not worth a process */

/* Another process is to be forked that loads the image, which was read. From
 * the second one on it knows what stands in it, unless the scan came to
 * nothing. */
void image_scanner_ordered(struct driver_file *file);

#endif
