/* test_worker_pool.c - every task has one answer, in order; a worker that dies
 * costs the task that it was doing and nothing else. */
#define _GNU_SOURCE
#include "scenarios/runner/run/worker_pool.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <talloc.h>
#include <time.h>
#include <unistd.h>

#include "scenarios/runner/output/host_leaks.h"
#include "scenarios/runner/run/worker.h"

#include "tests/rows.h"

/* What kills a worker: the task, and its way to die. */
struct deaths {
    size_t count;
    struct {
        size_t task;
        int signal; /* 0: exits with 7 */
    } death[4];
    bool at_begin; /* with 9, before any task */
    size_t bytes;  /* that an answer has besides its number */
};

static void begin(void *context)
{
    const struct deaths *deaths = context;

    if (deaths->at_begin) {
        _exit(9);
    }
}

static void work(void *context, size_t task, FILE *answer)
{
    const struct deaths *deaths = context;

    for (size_t i = 0; i < deaths->count; i++) {
        if (deaths->death[i].task != task) {
            continue;
        }
        if (deaths->death[i].signal == 0) {
            _exit(7);
        }
        fprintf(answer, "half an answer");
        fflush(answer);
        raise(deaths->death[i].signal);
    }
    fprintf(answer, "%zu", task);
    for (size_t i = 0; i < deaths->bytes; i++) {
        fputc('.', answer);
    }
}

static struct pool_row {
    const char *name;
    size_t tasks;
    unsigned workers;
    struct deaths deaths;
} pool_rows[] = {
    {"one_task_and_one_worker", 1, 1, {0}},
    {"fewer_tasks_than_workers", 2, 8, {0}},
    {"many_tasks_and_one_worker", 1000, 1, {0}},
    {"more_tasks_than_the_window", 20000, 3, {0}},
    {"answers_that_fill_the_socket", 60, 3, {.bytes = 1000000}},
    {"empty_chunks_at_the_end", 33, 16, {0}},
    {"first_task_aborts", 100, 2, {.count = 1, .death = {{0, SIGABRT}}}},
    {"last_task_aborts", 100, 2, {.count = 1, .death = {{99, SIGABRT}}}},
    {"only_task_aborts", 1, 1, {.count = 1, .death = {{0, SIGABRT}}}},
    {"task_is_killed", 100, 1, {.count = 1, .death = {{50, SIGKILL}}}},
    {"task_exits", 100, 4, {.count = 1, .death = {{50, 0}}}},
    {"neighbours_die", 100, 2,
        {.count = 4,
            .death = {{20, SIGABRT}, {21, 0}, {22, SIGKILL}, {23, 0}}}},
    {"deaths_far_apart", 10000, 4,
        {.count = 4,
            .death = {{20, SIGABRT}, {3000, 0}, {8000, SIGKILL}, {9999, 0}}}},
};

/* The status that a task's worker ends with; 0: it lives. */
static void assert_answer(const struct deaths *deaths, size_t task,
    const struct worker_answer *answer)
{
    char want[32];

    for (size_t i = 0; i < deaths->count; i++) {
        int number = deaths->death[i].signal;

        if (deaths->death[i].task != task) {
            continue;
        }
        assert_null(answer->bytes);
        if (number == 0) {
            assert_true(WIFEXITED(answer->status));
            assert_int_equal(WEXITSTATUS(answer->status), 7);
        } else {
            assert_true(WIFSIGNALED(answer->status));
            assert_int_equal(WTERMSIG(answer->status), number);
        }
        return;
    }
    snprintf(want, sizeof(want), "%zu", task);
    assert_non_null(answer->bytes);
    assert_int_equal(answer->length, strlen(want) + deaths->bytes);
    assert_memory_equal(answer->bytes, want, strlen(want));
}

static void pool_row(void **state)
{
    struct pool_row *row = *state;
    const struct worker_job job = {
        row->tasks, row->workers, begin, work, &row->deaths, NULL, NULL};
    struct worker_pool *pool = worker_pool_new(NULL, &job);

    for (size_t i = 0; i < row->tasks; i++) {
        struct worker_answer answer = worker_pool_next(pool);

        assert_answer(&row->deaths, i, &answer);
        free(answer.bytes);
        free(answer.note);
    }
    talloc_free(pool);
}

/* Each worker that cannot begin costs a task, so that there is an end. */
static void workers_that_cannot_begin(void **state)
{
    struct deaths deaths = {.at_begin = true};
    const struct worker_job job = {20, 3, begin, work, &deaths, NULL, NULL};
    struct worker_pool *pool = worker_pool_new(NULL, &job);

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        struct worker_answer answer = worker_pool_next(pool);

        assert_null(answer.bytes);
        assert_int_equal(WEXITSTATUS(answer.status), 9);
        free(answer.note);
    }
    talloc_free(pool);
}

static void freeing_it_ends_the_workers(void **state)
{
    struct deaths deaths = {0};
    const struct worker_job job = {100000, 4, NULL, work, &deaths, NULL, NULL};
    struct worker_pool *pool = worker_pool_new(NULL, &job);

    (void)state;
    free(worker_pool_next(pool).bytes);
    talloc_free(pool);
    assert_int_equal(waitpid(-1, NULL, 0), -1); /* there is no child */
}

/* In a child, because the limit stays. */
static void host_without_sockets(void **state)
{
    struct deaths deaths = {0};
    const struct worker_job job = {3, 2, NULL, work, &deaths, NULL, NULL};
    const struct rlimit none = {0, 0};
    pid_t child = fork();
    int status;

    (void)state;
    if (child == 0) {
        struct worker_pool *pool = worker_pool_new(NULL, &job);
        int right = setrlimit(RLIMIT_NOFILE, &none) == 0;

        for (size_t i = 0; i < job.tasks; i++) {
            struct worker_answer answer = worker_pool_next(pool);

            right &= answer.bytes == NULL && answer.status == -1;
        }
        _exit(right ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void one_that_hears_no_more_ends(void **state)
{
    struct deaths deaths = {0};
    const struct worker_job job = {1, 1, NULL, work, &deaths, NULL, NULL};
    struct worker worker = {.pid = 0};

    (void)state;
    assert_true(worker_begin(&worker, &job));
    shutdown(worker.socket, SHUT_WR);
    alarm(60);
    assert_int_equal(worker_bury(&worker), 0);
    alarm(0);
    worker_end(&worker);
}

/* The first task takes 10 ms, the second until somebody writes. */
static void work_until_told(void *context, size_t task, FILE *answer)
{
    const int *ends = context;
    char byte = '?';

    if (task == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    } else if (read(ends[0], &byte, 1) != 1) {
        _exit(7);
    }
    fputc(byte, answer);
}

static void answer_does_not_wait_for_a_long_task(void **state)
{
    int ends[2];
    const struct worker_job job = {
        2, 1, NULL, work_until_told, ends, NULL, NULL};
    struct worker worker = {.pid = 0};
    struct worker_answer answer;
    size_t task;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_true(worker_begin(&worker, &job));
    worker_give(&worker, (struct worker_chunk){0, 2});
    alarm(60);
    for (size_t i = 0; i < 2; i++) {
        while (!worker_take(&worker, &answer, &task)) {
            assert_true(worker_hear(&worker));
        }
        assert_int_equal(task, i);
        assert_int_equal(answer.length, 1);
        assert_int_equal(answer.bytes[0], i == 0 ? '?' : '!');
        free(answer.bytes);
        assert_int_equal(write(ends[1], "!", 1), 1);
    }
    alarm(0);
    worker_end(&worker);
    close(ends[0]);
    close(ends[1]);
}

struct waits {
    int ends[2];
    unsigned count;
};

static void work_until_somebody_waits(void *context, size_t task, FILE *answer)
{
    const struct waits *waits = context;
    char byte;

    (void)task;
    if (read(waits->ends[0], &byte, 1) != 1) {
        _exit(7);
    }
    fputc('.', answer);
}

static void count_waiting(void *context)
{
    struct waits *waits = context;

    waits->count++;
    assert_int_equal(write(waits->ends[1], "!", 1), 1);
}

/* Or the first task would never end. */
static void who_waits_is_told(void **state)
{
    struct waits waits = {.count = 0};
    const struct worker_job job = {
        1, 1, NULL, work_until_somebody_waits, &waits, count_waiting, NULL};
    struct worker_pool *pool;
    struct worker_answer answer;

    (void)state;
    assert_int_equal(pipe(waits.ends), 0);
    pool = worker_pool_new(NULL, &job);
    alarm(60);
    answer = worker_pool_next(pool);
    alarm(0);
    assert_int_equal(answer.length, 1);
    assert_true(waits.count >= 1);
    free(answer.bytes);
    talloc_free(pool);
    close(waits.ends[0]);
    close(waits.ends[1]);
}

static void say_that_it_ends(void *context)
{
    const int *ends = context;

    assert_int_equal(write(ends[1], "!", 1), 1);
}

static void work_at_once(void *context, size_t task, FILE *answer)
{
    (void)context;
    fprintf(answer, "%zu", task);
}

/* Who has done all gives back what it has; without such a sanitizer it is just
 * ended. */
static void worker_that_is_searched_ends_by_itself(void **state)
{
    int ends[2];
    const struct worker_job job = {
        2, 1, NULL, work_at_once, ends, NULL, say_that_it_ends};
    struct worker_pool *pool;
    char said[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pool = worker_pool_new(NULL, &job);
    free(worker_pool_next(pool).bytes);
    free(worker_pool_next(pool).bytes);
    talloc_free(pool);
    close(ends[1]);
    assert_int_equal(
        read(ends[0], said, sizeof(said)), host_leaks_are_sought() ? 1 : 0);
    close(ends[0]);
}

TEST_FILE(test_worker_pool)
{
    test_add(list, "worker_that_is_searched_ends_by_itself",
        worker_that_is_searched_ends_by_itself, NULL);
    TEST_ADD_ROWS(list, pool_row, pool_rows);
    test_add(
        list, "workers_that_cannot_begin", workers_that_cannot_begin, NULL);
    test_add(
        list, "freeing_it_ends_the_workers", freeing_it_ends_the_workers, NULL);
    test_add(list, "host_without_sockets", host_without_sockets, NULL);
    test_add(
        list, "one_that_hears_no_more_ends", one_that_hears_no_more_ends, NULL);
    test_add(list, "who_waits_is_told", who_waits_is_told, NULL);
    test_add(list, "answer_does_not_wait_for_a_long_task",
        answer_does_not_wait_for_a_long_task, NULL);
}
