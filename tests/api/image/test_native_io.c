/* test_native_io.c - a compiled driver from DriverEntry to DriverUnload: what
 * its calls pass through the import thunks, and what comes back. */
#include "api/io/driver.h"
#include "api/io/io.h"
#include "tests/api/image/native_scene.h"
#include "tests/api/io/program_file.h"

/* A driver's life, and what the program that uses it sees. */
struct life {
    struct native_scene scene;
    NTSTATUS entry, open, unload;
    struct io_result result;
    char output[8];
};

static void live(void *argument)
{
    struct life *life = argument;
    struct kernel *kernel = kernel_current();
    struct io_file *file;
    struct io_driver *driver =
        io_driver_make(kernel, &life->scene.booted.driver, "io",
            (uint64_t)(uintptr_t)life->scene.image->base, 0x10000);

    life->entry = io_driver_entry(kernel, driver, life->scene.address);
    life->open = program_open(kernel, driver, "\\\\.\\NtpmuIo", &file);
    if (!NT_SUCCESS(life->entry) || !NT_SUCCESS(life->open)) {
        return;
    }
    program_control(
        kernel, file, 0x222000, "Hello", 5, life->output, 8, &life->result);
    io_close(kernel, file);
    life->unload = io_driver_unload(kernel, driver);
}

/* The texts of each record of that kind, one record after another. */
static void texts(
    const struct life *life, const char *kind, char *text, size_t size)
{
    const struct trace *trace = &life->scene.booted.machine.trace;

    text[0] = '\0';
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_record *record = &trace->record[i];
        struct trace_field field;

        if (strcmp(record->kind->name, kind) != 0) {
            continue;
        }
        for (unsigned k = 0; trace_field(record->kind, k, &field); k++) {
            assert_int_equal(field.conversion, 's');
            snprintf(text + strlen(text), size - strlen(text), "%s",
                trace_text_at(trace, record->value[field.value]));
        }
        snprintf(text + strlen(text), size - strlen(text), "\n");
    }
}

static void live_as(struct life *life, const char *image)
{
    *life = (struct life){.entry = -1, .open = -1, .unload = -1};
    native_init(&life->scene, image);
    native_prepare_call(&life->scene, "DriverEntry", 0, 0);
    booted_spawn(&life->scene.booted, 0, live, life);
    if (machine_run(&life->scene.booted.machine) != MACHINE_IDLE) {
        native_show_stop(&life->scene);
    }
}

static struct driver_row {
    const char *name;
    const char *image;
} driver_rows[] = {
    {"driver_of_clang", "io.sys"},
    {"driver_of_mingw", "io_mingw.sys"},
};

static void driver_row(void **state)
{
    const struct driver_row *row = *state;
    struct life life;
    const struct kernel *kernel = &life.scene.booted.kernel;
    char text[1000];

    live_as(&life, row->image);
    assert_int_equal(kernel->bugcheck.code, BUGCHECK_NONE);
    assert_int_equal(life.entry, 0);
    assert_int_equal(life.open, 0);
    assert_int_equal(life.result.status, 0);
    assert_int_equal(life.result.information, 5);
    assert_memory_equal(life.output, "hELLO\0\0\0", 8);
    assert_int_equal(life.unload, 0);
    assert_int_equal(kernel->rules.count, 0);
    assert_null(kernel->io->objects);
    texts(&life, "print", text, sizeof(text));
    assert_string_equal(text,
        "\\\\Registry\\\\Machine\\\\System\\\\CurrentControlSet\\\\Services"
        "\\\\io makes \\\\Device\\\\NtpmuIo\n"
        "request 1: echo, -5, 123456789abcdef0, 0000000000001234, ok,     "
        "5|\n");
    native_release(&life.scene);
}

static void both_builds_make_the_same_calls(void **state)
{
    static char clang[8000], mingw[8000];
    struct life life;

    (void)state;
    live_as(&life, "io.sys");
    texts(&life, "call", clang, sizeof(clang));
    native_release(&life.scene);
    live_as(&life, "io_mingw.sys");
    texts(&life, "call", mingw, sizeof(mingw));
    native_release(&life.scene);
    assert_non_null(
        strstr(clang, "RtlInitUnicodeString(DestinationString=stack, "
                      "SourceString=\"\\Device\\NtpmuIo\")\n"));
    assert_non_null(strstr(clang, "IofCompleteRequest("));
    assert_string_equal(clang, mingw);
}

TEST_FILE(test_native_io)
{
    TEST_ADD_ROWS(list, driver_row, driver_rows);
    test_add(list, "both_builds_make_the_same_calls",
        both_builds_make_the_same_calls, NULL);
}
