/* register_scene.h - one processor of each vendor whose counters run: the
 * registers by which code reads, writes, stops and starts them, and an overflow
 * with its interrupt, without a kernel and with one. */
#ifndef TESTS_BENCH_REGISTER_SCENE_H
#define TESTS_BENCH_REGISTER_SCENE_H

#include "sim/pmu/model.h"

struct cpu;

/* A vendor's processor, and its registers by address or encoding. */
struct register_scene {
    enum model model;
    unsigned counters; /* event counters, all of which run */
    uint32_t counter0; /* counts user branches when it is to overflow */
    uint32_t select0;
    uint32_t stride;    /* from a counter to the next */
    uint64_t events[2]; /* what counters count in turn, also in the kernel */
    uint64_t branches;  /* in user code, with an interrupt */
    uint64_t preset;    /* PERIOD events before the overflow */
    uint32_t control;   /* stops and starts all */
    uint64_t started;
    uint32_t clear; /* clears the overflow bits that are written */
    uint32_t open;  /* masked since the overflow, LVTPC; 0: it is not */
};

extern const struct register_scene register_scenes[VENDOR_COUNT];

/* The vendor's instruction, which is executed. */
void access_write(struct cpu *cpu, uint32_t reg, uint64_t value);
uint64_t access_read(struct cpu *cpu, uint32_t reg);

/* Calls work(scene, cpu, count) as code on a processor whose counters run, far
 * from their wraps, and returns the nanoseconds of one of `count`. */
typedef void register_work(
    const struct register_scene *scene, struct cpu *cpu, unsigned count);
double register_scene_operation(
    enum vendor vendor, register_work *work, unsigned count);

/* The nanoseconds of one of `count` overflows of counter 0 in user code, with
 * its interrupt, whose handler does what it must to be called again. With a
 * kernel the HAL does that, and the handler of the set presets the counter. */
double register_scene_overflow(enum vendor vendor, unsigned count);
double register_scene_hal_overflow(enum vendor vendor, unsigned count);

#endif
