/* test_work_queue.c - whose items are queued or run: the workers of the queues
 * that there are, and no others (executive.md, WORK-02). */
#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/ex/work_queue.h"
#include "api/ex/worker.h"
#include "tests/rows.h"

/* What is asked, with a worker in each of the queues and in what lies behind
 * them. */
struct scene {
    struct works works;
    struct work_queue behind;
    struct work_worker worker[WORK_QUEUES + 1];
};

static struct keeps_row {
    const char *name;
    unsigned runs; /* the worker that runs the driver's item */
    bool io;
    bool want_keeps;
    unsigned want_listed;
} keeps_rows[] = {
    {"critical_worker_runs_it", 0, true, true, 1},
    {"another_worker_runs_it", 1, true, true, 1},
    {"it_is_no_item_of_the_io_manager", 0, false, false, 1},
    {"what_lies_behind_the_queues_is_none", 2, true, false, 0},
};

static void note(void *context, const struct leak_found *found)
{
    unsigned *listed = context;

    assert_int_equal(found->leak, LEAK_WORK_ITEM);
    ++*listed;
}

static void keeps_row(void **state)
{
    static struct kernel kernel;
    static struct driver driver;
    const struct keeps_row *row = *state;
    struct scene scene = {.behind = {.workers = &scene.worker[2]}};
    unsigned listed = 0;

    scene.works.queue[0].workers = &scene.worker[0];
    scene.works.queue[1].workers = &scene.worker[1];
    scene.worker[row->runs].runs = &driver;
    scene.worker[row->runs].io = row->io;
    kernel.works = &scene.works;
    assert_int_equal(work_keeps(&kernel, &driver), row->want_keeps);
    work_leaks.list(&kernel, &(struct leak_listing){&driver, note, &listed});
    assert_int_equal(listed, row->want_listed);
}

TEST_FILE(test_work_queue)
{
    TEST_ADD_ROWS(list, keeps_row, keeps_rows);
}
