/* native_instance.h - an instance whose driver is machine code: the images it
 * needs, and the child process that it runs in. */
#ifndef RUNNER_RUN_NATIVE_INSTANCE_H
#define RUNNER_RUN_NATIVE_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/run/child.h"

struct instance;
struct session;
struct verdict;

/* Like child_run(), within `cpu_us` of the processor's time. RESULT_SKIP when
 * an image was not allowed, RESULT_ERROR when one cannot be read. */
struct verdict *native_instance_run(void *context, struct session *session,
    const struct instance *instance, uint64_t cpu_us, FILE *trace);

/* Reads its images. False: one was not allowed or cannot be read. */
bool native_instance_files(
    struct session *session, const struct instance *instance);

/* Its images, which were read, are to be loaded by one more process
 * (image_scanner.h). */
void native_instance_ordered(
    struct session *session, const struct instance *instance);

/* What a child of this process may do. */
struct child_limits native_instance_limits(
    const struct session *session, uint64_t cpu_us);

#endif
