/* test_terminal.c - what a run shows on a terminal, byte for byte: progress
 * that is taken away before anything else is printed, and colours. */
#define _GNU_SOURCE
#include "scenarios/runner/text/terminal.h"

#include <pty.h>

#include "tests/runner/run_scene.h"

#define CLEAR "\r\x1b[K"

static struct terminal_row {
    const char *name;
    const char *words[RUN_SCENE_WORDS];
    const char *term, *no_color; /* NULL: not set */
    unsigned short columns;      /* 0: the terminal does not know */
    const char *want[3];         /* has it, in this order */
    const char *want_none;       /* NULL: nothing that it must not have */
} terminal_rows[] = {
    {"progress_is_written_over", {"run", "a.yaml", "c.yaml"}, "xterm", NULL, 0,
        {"\r[1/2] 0 failed  one\x1b[K" CLEAR
         "\r[2/2] 0 failed  three\x1b[K" CLEAR "2 passed, 0 failed"},
        "\n\r"},
    {"progress_counts_what_failed", {"run", "."}, "xterm", NULL, 0,
        {"\r[1/3] 0 failed  one\x1b[K",
            "\r[2/3] 0 failed  two\x1b[K" CLEAR "./b.yaml:5:",
            "\r[3/3] 1 failed  three\x1b[K" CLEAR "2 passed, 1 failed"},
        NULL},
    {"progress_with_workers", {"run", ".", "-j2"}, "xterm", NULL, 0,
        {"\r[1/3] 0 failed  one\x1b[K" CLEAR,
            "\r[2/3] 0 failed  two\x1b[K" CLEAR,
            "\r[3/3] 1 failed  three\x1b[K" CLEAR "2 passed, 1 failed"},
        NULL},
    {"progress_stays_in_one_line", {"run", "c.yaml"}, "xterm", NULL, 15,
        {"\r[1/1] 0 failed\x1b[K" CLEAR "1 passed"}, "three"},
    {"result_in_colour", {"run", "."}, "xterm", NULL, 0,
        {": \x1b[1;31mFAIL\x1b[0m two step 1"}, NULL},
    {"passed_in_colour", {"run", "a.yaml", "--verbose"}, "xterm", NULL, 0,
        {"\x1b[32mPASS    \x1b[0m one\r\n"}, NULL},
    {"error_of_a_file_in_colour", {"run", "none.yaml"}, "xterm", NULL, 0,
        {"none.yaml: \x1b[1;31merror[NTP0101]\x1b[0m: "}, "failed  "},
    {"no_color", {"run", "."}, "xterm", "1", 0,
        {": FAIL two step 1", "\r[3/3] 1 failed  three\x1b[K"}, "\x1b[0m"},
    {"empty_no_color_is_none", {"run", "."}, "xterm", "", 0,
        {"\x1b[1;31mFAIL\x1b[0m"}, NULL},
    {"dumb_terminal", {"run", "."}, "dumb", NULL, 0, {": FAIL two step 1"},
        "\x1b"},
    {"terminal_without_a_name", {"run", "."}, NULL, NULL, 0,
        {": FAIL two step 1"}, "\x1b"},
};

static void set_or_not(const char *name, const char *value)
{
    if (value == NULL) {
        unsetenv(name);
    } else {
        setenv(name, value, 1);
    }
}

static void terminal_row(void **state)
{
    const struct terminal_row *row = *state;
    const struct winsize size = {.ws_row = 24, .ws_col = row->columns};
    struct run_scene scene;
    const char *at;

    run_scene_init(&scene);
    directory_write(scene.directory, "a.yaml", RUN_SCENARIO("one", "0"));
    directory_write(scene.directory, "b.yaml", RUN_SCENARIO("two", "1"));
    directory_write(scene.directory, "c.yaml", RUN_SCENARIO("three", "0"));
    scene.child = forkpty(&scene.output, NULL, NULL, &size);
    assert_true(scene.child >= 0);
    if (scene.child == 0) {
        set_or_not("TERM", row->term);
        set_or_not("NO_COLOR", row->no_color);
        run_scene_live(&scene, row->words);
    }
    run_scene_read(&scene, 0, NULL);
    assert_true(WIFEXITED(run_scene_wait(&scene)));
    at = scene.text;
    for (size_t i = 0; i < 3 && row->want[i] != NULL; i++) {
        at = strstr(at, row->want[i]);
        if (at == NULL) {
            assert_string_equal(scene.text, row->want[i]); /* shows both */
        }
    }
    if (row->want_none != NULL) {
        assert_null(strstr(scene.text, row->want_none));
    }
    run_scene_release(&scene);
}

/* Not a terminal: neither, whatever TERM is. */
static void pipe_is_no_terminal(void **state)
{
    static const char *const words[] = {"run", ".", NULL};
    struct run_scene scene;
    int ends[2];

    (void)state;
    run_scene_init(&scene);
    directory_write(scene.directory, "b.yaml", RUN_SCENARIO("two", "1"));
    assert_int_equal(pipe(ends), 0);
    scene.output = ends[0];
    scene.child = fork();
    if (scene.child == 0) {
        setenv("TERM", "xterm", 1);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        run_scene_live(&scene, words);
    }
    close(ends[1]);
    run_scene_read(&scene, 0, NULL);
    run_scene_wait(&scene);
    assert_non_null(strstr(scene.text, ": FAIL two step 1"));
    assert_null(strstr(scene.text, "\x1b"));
    run_scene_release(&scene);
}

TEST_FILE(test_terminal)
{
    TEST_ADD_ROWS(list, terminal_row, terminal_rows);
    test_add(list, "pipe_is_no_terminal", pipe_is_no_terminal, NULL);
}
