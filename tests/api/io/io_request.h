/* io_request.h - device control requests of a scene's driver. */
#ifndef TESTS_API_IO_IO_REQUEST_H
#define TESTS_API_IO_IO_REQUEST_H

#include "tests/api/io/io_scene.h"

enum { CODE = 0x222000 }; /* METHOD_BUFFERED */

/* A request of the scene's file. */
struct request {
    struct io_scene scene;
    ULONG code, input_size, output_size;
    const char *input;
    char output[32];
};

static inline void control_now(void *argument)
{
    struct request *request = argument;

    program_control(kernel_current(), request->scene.file, request->code,
        request->input, request->input_size, request->output,
        request->output_size, &request->scene.result);
}

/* Loads a driver that does as planned, and opens its first device. */
static inline void request_init(
    struct request *request, const struct io_plan *plan)
{
    struct io_plan all = *plan;

    all.device[0] = "\\Device\\Sampler";
    *request = (struct request){.code = CODE};
    scene_init(&request->scene, &all);
    scene_load(&request->scene);
    booted_run(&request->scene.booted, 0, scene_open_now, &request->scene);
    assert_int_equal(request->scene.status, 0);
    memset(request->output, '.', sizeof(request->output));
}

static inline void request_run(struct request *request)
{
    booted_run(&request->scene.booted, 0, control_now, request);
}

#endif
