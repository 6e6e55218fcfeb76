/* test_io_control.c - requests: what the driver gets, and what comes back (page
 * Buffer Descriptions for I/O Control Codes). */
#include "api/io/io.h"
#include "tests/api/io/io_request.h"

static struct buffer_row {
    const char *name;
    const char *input;
    ULONG input_size, output_size;
    const char *writes;
    uint64_t information;
    uint32_t status;
    const char *want_output; /* the first 8 bytes */
    unsigned want_rule;
} buffer_rows[] = {
    {"output_comes_back", "abcd", 4, 8, "12345678", 8, 0, "12345678", 0},
    {"as_much_as_information_says", "abcd", 4, 8, "12345678", 3, 0, "123.....",
        0},
    {"information_0_gives_nothing", "abcd", 4, 8, "12345678", 0, 0, "........",
        0},
    {"input_that_is_left_comes_back", "abcd", 4, 8, NULL, 4, 0, "abcd....", 0},
    {"larger_input_uses_the_same_buffer", "abcdefgh", 8, 2, NULL, 2, 0,
        "ab......", 0},
    {"warning_gives_what_there_is", "abcd", 4, 4, "1234", 4, 0x80000005,
        "1234....", 0},
    {"error_gives_nothing", "abcd", 4, 4, "1234", 4, 0xC000000D, "........", 0},
    {"information_beyond_the_output_is_cut_and_reported", "abcd", 4, 2, "1234",
        3, 0, "12......", 1},
    {"information_beyond_the_output_of_an_error_is_fine", "abcd", 4, 2, "1234",
        3, 0xC0000023, "........", 0},
    {"information_without_output_is_no_transfer", "abcd", 4, 0, NULL, 4, 0,
        "........", 0},
};

static void buffer_row(void **state)
{
    const struct buffer_row *row = *state;
    const struct io_plan plan = {.completes = (NTSTATUS)row->status,
        .returns = (NTSTATUS)row->status,
        .information = row->information,
        .writes = row->writes};
    struct request request;

    request_init(&request, &plan);
    request.input = row->input;
    request.input_size = row->input_size;
    request.output_size = row->output_size;
    request_run(&request);
    assert_int_equal((uint32_t)request.scene.result.status, row->status);
    assert_int_equal(request.scene.result.information, row->information);
    assert_memory_equal(request.output, row->want_output, 8);
    assert_int_equal(request.scene.booted.kernel.rules.count, row->want_rule);
    assert_int_equal(booted_broken(&request.scene.booted, RULE_IO_INFORMATION),
        row->want_rule);
    scene_release(&request.scene);
}

static void driver_gets_a_request_as_documented(void **state)
{
    const struct io_plan plan = {.information = 0};
    struct request request;
    const struct io_notes *notes = &request.scene.notes;

    (void)state;
    request_init(&request, &plan);
    request.input = "abcd";
    request.input_size = 4;
    request.output_size = 6;
    request_run(&request);
    assert_int_equal(notes->irql, 0);
    assert_ptr_equal(notes->driver, &request.scene.booted.driver);
    assert_int_equal(notes->irp.Type, 6);
    assert_int_equal(notes->irp.Size, 208 + 72);
    assert_int_equal(notes->irp.StackCount, 1);
    assert_int_equal(notes->irp.CurrentLocation, 1);
    assert_int_equal(notes->irp.RequestorMode, 1);
    assert_int_equal(notes->irp.Flags, 0x4 | 0x10 | 0x20 | 0x40);
    assert_null(notes->irp.UserBuffer);
    assert_null(notes->irp.MdlAddress);
    assert_ptr_equal(
        notes->irp.Tail.Overlay.OriginalFileObject, request.scene.file->guest);
    assert_int_equal(notes->location.MajorFunction, 0x0E);
    assert_int_equal(
        notes->location.Parameters.DeviceIoControl.IoControlCode, 0x222000);
    assert_int_equal(
        notes->location.Parameters.DeviceIoControl.InputBufferLength, 4);
    assert_int_equal(
        notes->location.Parameters.DeviceIoControl.OutputBufferLength, 6);
    assert_ptr_equal(notes->location.FileObject, request.scene.file->guest);
    /* What nobody wrote is no zero. */
    assert_memory_equal(notes->buffer, "abcd\xCD\xCD", 6);
    scene_release(&request.scene);
}

static void request_without_buffers_has_no_system_buffer(void **state)
{
    const struct io_plan plan = {.information = 0};
    struct request request;

    (void)state;
    request_init(&request, &plan);
    request_run(&request);
    assert_null(request.scene.notes.irp.AssociatedIrp.SystemBuffer);
    assert_int_equal(request.scene.result.status, 0);
    scene_release(&request.scene);
}

/* No memory holds the output. */
static void request_that_cannot_be_made_is_gone(void **state)
{
    const struct io_plan plan = {.information = 0};
    struct request request;

    (void)state;
    request_init(&request, &plan);
    request.output_size = 0xFFFFFFF0;
    request_run(&request);
    assert_int_equal((uint32_t)request.scene.result.status, 0xC000009A);
    assert_int_equal(request.scene.notes.requests, 1); /* IRP_MJ_CREATE */
    assert_null(request.scene.booted.kernel.io->requests);
    assert_non_null(request.scene.booted.kernel.io->request_pool.first);
    scene_release(&request.scene);
}

static void completed_request_is_inaccessible(void **state)
{
    const struct io_plan plan = {.information = 0};
    struct request request;
    const struct memory *memory = &request.scene.booted.machine.memory;

    (void)state;
    request_init(&request, &plan);
    request.output_size = 4;
    request_run(&request);
    assert_null(memory_find(memory, request.scene.kept));
    assert_null(memory_find(
        memory, request.scene.notes.irp.AssociatedIrp.SystemBuffer));
    assert_null(request.scene.booted.kernel.io->requests);
    scene_release(&request.scene);
}

static void call_without_a_dispatch_routine_is_an_invalid_request(void **state)
{
    const struct io_plan plan = {.information = 0};
    struct request request;

    (void)state;
    request_init(&request, &plan);
    request.scene.driver->guest->MajorFunction[0x0E] =
        (void *)(uintptr_t)IO_INVALID_DEVICE_REQUEST;
    request.output_size = 4;
    request_run(&request);
    assert_int_equal((uint32_t)request.scene.result.status, 0xC0000010);
    assert_int_equal(request.scene.notes.requests, 1);
    assert_memory_equal(request.output, "....", 4);
    assert_null(request.scene.booted.kernel.io->requests);
    scene_release(&request.scene);
}

static void request_is_in_the_trace(void **state)
{
    const struct io_plan plan = {.information = 0};
    struct request request;
    struct trace *trace = &request.scene.booted.machine.trace;
    char line[200];
    unsigned calls = 0, returns = 0;

    (void)state;
    request_init(&request, &plan);
    trace_reset(trace);
    request_run(&request);
    for (size_t i = 0; i < trace->count; i++) {
        trace_format(trace, i, line, sizeof(line));
        calls += strstr(line, "driver_call driver=sampler "
                              "routine=IRP_MJ_DEVICE_CONTROL") != NULL;
        returns +=
            strstr(line,
                "driver_return driver=sampler routine=IRP_MJ_DEVICE_CONTROL "
                "status=STATUS_SUCCESS") != NULL;
    }
    assert_int_equal(calls, 1);
    assert_int_equal(returns, 1);
    scene_release(&request.scene);
}

TEST_FILE(test_io_control)
{
    TEST_ADD_ROWS(list, buffer_row, buffer_rows);
    test_add(list, "driver_gets_a_request_as_documented",
        driver_gets_a_request_as_documented, NULL);
    test_add(list, "request_without_buffers_has_no_system_buffer",
        request_without_buffers_has_no_system_buffer, NULL);
    test_add(list, "request_that_cannot_be_made_is_gone",
        request_that_cannot_be_made_is_gone, NULL);
    test_add(list, "completed_request_is_inaccessible",
        completed_request_is_inaccessible, NULL);
    test_add(list, "call_without_a_dispatch_routine_is_an_invalid_request",
        call_without_a_dispatch_routine_is_an_invalid_request, NULL);
    test_add(list, "request_is_in_the_trace", request_is_in_the_trace, NULL);
}
