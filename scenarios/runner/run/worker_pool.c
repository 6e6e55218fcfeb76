/* worker_pool.c - numbered tasks done by forked processes: chunks are handed
 * out, answers are kept until it is their turn, and what a worker that died had
 * not answered is handed out again. */
#include "scenarios/runner/run/worker_pool.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <talloc.h>

#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/worker.h"

enum {
    POOL_WINDOW = 8192,         /* tasks that are ahead of the next one */
    POOL_KEPT_BYTES = 64 << 20, /* of answers: then nothing new is begun */
    POOL_CHUNK = 32,            /* tasks at a time, at the most */
    POOL_WAIT_MS = 200,         /* from one waiting() to the next */
};

struct kept_answer {
    struct worker_answer answer;
    bool here;
};

struct worker_pool {
    struct worker_job job;
    struct worker *worker;
    unsigned workers;
    size_t next;                /* whose answer is given out next */
    size_t fresh;               /* the first that was never handed out */
    struct worker_chunk *again; /* that a dead worker has left */
    size_t again_count;
    struct kept_answer *kept; /* by task modulo POOL_WINDOW */
    size_t kept_bytes;
    bool none; /* no worker is left, and none can be made */
};

static int pool_end(struct worker_pool *pool)
{
    for (unsigned i = 0; i < pool->workers; i++) {
        worker_end(&pool->worker[i]);
    }
    for (size_t i = 0; i < POOL_WINDOW; i++) {
        free(pool->kept[i].answer.bytes);
        free(pool->kept[i].answer.note);
    }
    return 0;
}

struct worker_pool *worker_pool_new(void *context, const struct worker_job *job)
{
    struct worker_pool *pool = talloc_zero(context, struct worker_pool);

    assert(pool != NULL && job->workers > 0);
    pool->job = *job;
    pool->workers =
        job->tasks < job->workers ? (unsigned)job->tasks : job->workers;
    pool->worker = talloc_zero_array(pool, struct worker, pool->workers);
    pool->kept = talloc_zero_array(pool, struct kept_answer, POOL_WINDOW);
    assert(pool->worker != NULL && pool->kept != NULL);
    talloc_set_destructor(pool, pool_end);
    return pool;
}

static void keep(
    struct worker_pool *pool, size_t task, const struct worker_answer *answer)
{
    struct kept_answer *kept = &pool->kept[task % POOL_WINDOW];

    assert(
        !kept->here && task >= pool->next && task < pool->next + POOL_WINDOW);
    *kept = (struct kept_answer){*answer, true};
    pool->kept_bytes += answer->length;
}

/* Smaller towards the end, so that all workers end together. */
static size_t chunk_size(const struct worker_pool *pool)
{
    size_t left = pool->job.tasks - pool->fresh;
    size_t room = pool->next + POOL_WINDOW - pool->fresh;
    size_t size = left / (4 * pool->workers);

    size = size > POOL_CHUNK ? POOL_CHUNK : size;
    size = size == 0 && left > 0 ? 1 : size;
    return size > room ? room : size;
}

/* Takes what is to be done next. False: there is nothing, at least for now. */
static bool next_chunk(struct worker_pool *pool, struct worker_chunk *chunk)
{
    size_t size;

    if (pool->again_count > 0) {
        *chunk = pool->again[--pool->again_count];
        return true;
    }
    size = pool->kept_bytes > POOL_KEPT_BYTES ? 0 : chunk_size(pool);
    *chunk = (struct worker_chunk){pool->fresh, size};
    pool->fresh += size;
    return size > 0;
}

static void put_back(struct worker_pool *pool, struct worker_chunk chunk)
{
    if (chunk.count == 0) {
        return;
    }
    pool->again = talloc_realloc(pool, pool->again, struct worker_chunk,
        (unsigned)pool->again_count + 1);
    assert(pool->again != NULL);
    pool->again[pool->again_count++] = chunk;
}

/* The task that it died of; when it was doing none of its own, the first that
 * it has not answered, so that it goes on. */
static uint64_t fatal_task(const struct worker *worker)
{
    uint64_t running = worker->place->running;

    for (size_t i = 0; i < worker->chunks; i++) {
        const struct worker_chunk *chunk = &worker->chunk[i];

        if (running > chunk->first && running <= chunk->first + chunk->count) {
            return running - 1;
        }
    }
    return worker->chunk[0].first;
}

/* A copy of what the worker has left, if it is of that task. */
static struct crash_note *note_of(const struct worker *worker, uint64_t task)
{
    struct crash_note *note;

    if (worker->place->running != task + 1) {
        return NULL;
    }
    note = malloc(sizeof(*note));
    assert(note != NULL);
    *note = worker->place->note;
    return note;
}

static void mourn(struct worker_pool *pool, struct worker *worker)
{
    int status = worker_bury(worker);
    uint64_t fatal = worker->chunks > 0 ? fatal_task(worker) : 0;

    /* Backwards, because what is put back last is handed out first. */
    for (size_t i = worker->chunks; i > 0; i--) {
        struct worker_chunk chunk = worker->chunk[i - 1];
        uint64_t end = chunk.first + chunk.count;

        if (fatal < chunk.first || fatal >= end) {
            put_back(pool, chunk);
            continue;
        }
        put_back(pool, (struct worker_chunk){fatal + 1, end - fatal - 1});
        put_back(pool, (struct worker_chunk){chunk.first, fatal - chunk.first});
        keep(pool, (size_t)fatal,
            &(struct worker_answer){
                .status = status, .note = note_of(worker, fatal)});
    }
    worker->chunks = 0;
}

/* Gives a worker what it has room for; it is made when there is something. */
static void feed(struct worker_pool *pool, struct worker *worker)
{
    struct worker_chunk chunk;

    while (worker->chunks < WORKER_CHUNKS && next_chunk(pool, &chunk)) {
        if (worker->pid == 0 && !worker_begin(worker, &pool->job)) {
            put_back(pool, chunk);
            return;
        }
        worker_give(worker, chunk);
    }
}

static void hear(struct worker_pool *pool, struct worker *worker)
{
    bool more = worker_hear(worker);
    struct worker_answer answer;
    size_t task;

    while (worker_take(worker, &answer, &task)) {
        keep(pool, task, &answer);
    }
    if (!more) {
        mourn(pool, worker);
    }
}

/* Waits for some of the workers. Returns false when there are none. */
static bool attend(struct worker_pool *pool)
{
    struct pollfd *wanted =
        talloc_zero_array(pool, struct pollfd, pool->workers + 1);
    bool some = false;
    int ready = -1;

    assert(wanted != NULL);
    for (unsigned i = 0; i < pool->workers; i++) {
        const struct worker *worker = &pool->worker[i];

        wanted[i].fd = worker->pid == 0 ? -1 : worker->socket;
        wanted[i].events = POLLIN;
        some |= worker->pid != 0;
    }
    wanted[pool->workers].fd = interruption_descriptor();
    wanted[pool->workers].events = POLLIN;
    if (some) {
        ready = poll(wanted, pool->workers + 1,
            pool->job.waiting == NULL ? -1 : POOL_WAIT_MS);
        assert(ready >= 0 || errno == EINTR);
        for (unsigned i = 0; i < pool->workers && ready > 0; i++) {
            if (wanted[i].revents != 0) {
                hear(pool, &pool->worker[i]);
            }
        }
    }
    if (some && ready == 0) {
        pool->job.waiting(pool->job.context);
    }
    talloc_free(wanted);
    return some;
}

struct worker_answer worker_pool_next(struct worker_pool *pool)
{
    struct kept_answer *kept = &pool->kept[pool->next % POOL_WINDOW];
    struct worker_answer answer;

    assert(pool->next < pool->job.tasks);
    while (!kept->here && !pool->none && interruption_noted() == 0) {
        for (unsigned i = 0; i < pool->workers; i++) {
            feed(pool, &pool->worker[i]);
        }
        pool->none = !attend(pool);
    }
    answer = kept->here ? kept->answer : (struct worker_answer){.status = -1};
    *kept = (struct kept_answer){.here = false};
    pool->kept_bytes -= answer.length;
    pool->next++;
    return answer;
}
