/* test_quiet.c - how long a processor goes on without a question: who ends it,
 * and that nothing comes of it. */
#include "sim/machine/quiet.h"

#include "sim/machine/msr.h"
#include "tests/rows.h"

enum {
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390,
    IA32_X2APIC_EOI = 0x80B,
    IA32_X2APIC_ICR = 0x830,
    IA32_X2APIC_LVT_PMI = 0x834,
    VECTOR = 0xFE,
    ACCESSES = 400,
};

#define ICR_OTHERS (UINT64_C(3) << 18)
#define ICR_SELF_FE (UINT64_C(1) << 18 | VECTOR)

struct scene {
    struct machine machine;
    struct machine_alarm alarm;
    const struct end_row *row;
    uint64_t leads[2], quiet[2]; /* before and behind the event */
    uint64_t budget;
    bool flag, forgetful;
    unsigned taken;
    uint64_t read; /* all values, one upon the other */
};

static void scene_init(struct scene *scene, uint32_t processors)
{
    const struct machine_config config = {.processors = processors,
        .groups = 1,
        .pmu = pmu_models[MODEL_INTEL_V4]};

    *scene = (struct scene){.budget = 1000};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
}

static struct cpu *first(struct scene *scene)
{
    return machine_cpu(&scene->machine, 0);
}

static uint64_t access_any(struct cpu *cpu)
{
    uint64_t value = 0;

    assert_int_equal(msr_read(cpu, IA32_PMC0, &value), MSR_OK);
    return value;
}

static void nothing(void *context)
{
    (void)context;
}

static bool flag_is_set(void *context)
{
    return ((struct scene *)context)->flag;
}

/* What may come before the processor, made so by what runs there. */
static void spawn_elsewhere(struct scene *scene)
{
    strand_spawn(machine_cpu(&scene->machine, 1), nothing, NULL, NULL);
}

static void spawn_here(struct scene *scene)
{
    strand_spawn(first(scene), nothing, NULL, NULL);
}

static void set_alarm(struct scene *scene)
{
    scene->alarm = (struct machine_alarm){.action = nothing};
    machine_set_alarm(&scene->machine, &scene->alarm, first(scene)->time + 150);
}

static void send_elsewhere(struct scene *scene)
{
    msr_write(first(scene), IA32_X2APIC_ICR, ICR_OTHERS | VECTOR);
}

static void set_budget(struct scene *scene)
{
    strand_set_budget(&scene->machine, &scene->budget);
}

static void overflow(struct scene *scene)
{
    struct cpu *cpu = first(scene);

    msr_write(cpu, IA32_X2APIC_LVT_PMI, VECTOR);
    msr_write(cpu, IA32_PERFEVTSEL0, 0x5300C0);
    msr_write(cpu, IA32_PMC0, 0xFFFFFFFF);
    access_any(cpu); /* it wraps: the PMI is raised 30 cycles later */
}

static void leave_and_come_back(struct scene *scene)
{
    strand_move(&scene->machine, machine_cpu(&scene->machine, 1));
    assert_int_equal(first(scene)->leads, 0);
    assert_int_equal(first(scene)->quiet, 0);
    strand_move(&scene->machine, first(scene));
}

static void count_up(struct scene *scene)
{
    access_any(first(scene));
}

/* Whether what was known before still is. */
static struct end_row {
    const char *name;
    void (*happens)(struct scene *scene);
    bool want_leads, want_quiet;
} end_rows[] = {
    {"an_access_ends_nothing", count_up, true, true},
    {"code_that_begins_elsewhere_ends_it", spawn_elsewhere, false, false},
    {"code_that_begins_here_ends_it", spawn_here, false, false},
    {"an_alarm_ends_it", set_alarm, false, false},
    {"an_interrupt_of_another_ends_it", send_elsewhere, false, false},
    {"other_points_to_count_end_it", set_budget, false, false},
    {"who_comes_back_asks_anew", leave_and_come_back, true, true},
    {"a_pmi_on_its_way_is_no_question_to_others", overflow, true, false},
};

static void take(void *context, struct cpu *cpu, uint8_t vector)
{
    struct scene *scene = context;

    assert_int_equal(vector, VECTOR);
    scene->taken++;
    msr_write(cpu, IA32_PERF_GLOBAL_OVF_CTRL, 1);
    msr_write(cpu, IA32_X2APIC_LVT_PMI, VECTOR);
    msr_write(cpu, IA32_X2APIC_EOI, 0);
}

/* The second access knows what the first has found out. */
static void look(void *context)
{
    struct scene *scene = context;
    struct cpu *cpu = first(scene);

    access_any(cpu);
    access_any(cpu);
    scene->leads[0] = cpu->leads;
    scene->quiet[0] = cpu->quiet;
    scene->row->happens(scene);
    scene->leads[1] = cpu->leads;
    scene->quiet[1] = cpu->quiet;
    assert_true(quiet_check(cpu));
    access_any(cpu);
    assert_true(quiet_check(cpu));
}

static void end_row(void **state)
{
    const struct end_row *row = *state;
    struct scene scene;

    scene_init(&scene, 2);
    scene.row = row;
    machine_on_interrupt(&scene.machine, take, &scene);
    strand_spawn(first(&scene), look, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);

    assert_int_not_equal(scene.leads[0], 0);
    assert_int_equal(scene.quiet[0], scene.leads[0]);
    assert_int_equal(scene.leads[1] == scene.leads[0], row->want_leads);
    assert_int_equal(scene.quiet[1] == scene.quiet[0], row->want_quiet);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(machine_cpu(&scene.machine, i)->leads, 0);
        assert_true(quiet_check(machine_cpu(&scene.machine, i)));
    }
    machine_release(&scene.machine);
}

/* Whoever waits is asked at every preemption point. */
static void wait_for_flag(void *context)
{
    struct scene *scene = context;

    strand_wait(&scene->machine, STRAND_BLOCKED, flag_is_set, scene);
    scene->taken = (unsigned)machine_cpu(&scene->machine, 1)->time;
}

static void set_flag_between_accesses(void *context)
{
    struct scene *scene = context;
    struct cpu *cpu = first(scene);

    access_any(cpu);
    access_any(cpu);
    assert_int_equal(cpu->quiet, 0);
    assert_int_not_equal(cpu->leads, 0); /* the order is known all the same */
    scene->flag = true;
    access_any(cpu);
    access_any(cpu);
}

static void who_waits_is_asked_at_every_access(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, 2);
    strand_spawn(machine_cpu(&scene.machine, 1), wait_for_flag, &scene, NULL);
    strand_spawn(first(&scene), set_flag_between_accesses, &scene, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);

    assert_int_equal(scene.taken, 300);
    machine_release(&scene.machine);
}

static uint64_t next_random(uint64_t *state)
{
    *state =
        *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Accesses by chance, also such that stop the counters, let them overflow and
 * interrupt oneself; they are the same ones however much is forgotten. */
static void access_by_chance(void *context)
{
    struct scene *scene = context;
    struct cpu *cpu = strand_current(&scene->machine)->cpu;
    uint64_t chance = cpu->index;

    for (unsigned i = 0; i < ACCESSES; i++) {
        uint64_t value = 0;

        if (scene->forgetful) {
            quiet_end(cpu);
        }
        switch (next_random(&chance) % 8) {
        case 0:
            msr_write(cpu, IA32_PERF_GLOBAL_CTRL, next_random(&chance) & 1);
            break;
        case 1:
            msr_write(cpu, IA32_PMC0, 0xFFFFFFFF - next_random(&chance) % 8);
            break;
        case 2:
            msr_write(cpu, IA32_PERFEVTSEL0,
                next_random(&chance) % 2 == 0 ? 0x5300C0 : 0x53003C);
            break;
        case 3:
            msr_write(cpu, IA32_X2APIC_ICR, ICR_SELF_FE);
            break;
        case 4:
            cpu_spend(cpu, 1 + next_random(&chance) % 300, 1);
            break;
        case 5:
            msr_read(cpu, 0x999, &value); /* #GP */
            break;
        default:
            msr_read(cpu, IA32_PMC0, &value);
            break;
        }
        scene->read =
            (scene->read ^ value ^ cpu->time) * UINT64_C(0x100000001B3);
    }
}

static void run_by_chance(struct scene *scene, bool forgetful, bool traced)
{
    scene_init(scene, 2);
    scene->forgetful = forgetful;
    scene->machine.trace.off = !traced;
    scene->machine.budget = 100000;
    machine_on_interrupt(&scene->machine, take, scene);
    for (uint32_t i = 0; i < 2; i++) {
        strand_spawn(
            machine_cpu(&scene->machine, i), access_by_chance, scene, NULL);
    }
    assert_int_equal(machine_run(&scene->machine), MACHINE_IDLE);
    machine_release(&scene->machine);
}

static void what_is_forgotten_makes_no_difference(void **state)
{
    struct scene scene[3];

    (void)state;
    run_by_chance(&scene[0], false, false);
    run_by_chance(&scene[1], true, false);
    run_by_chance(&scene[2], false, true);

    assert_true(scene[0].taken > 10);
    for (unsigned i = 1; i < 3; i++) {
        assert_int_equal(scene[i].taken, scene[0].taken);
        assert_int_equal(scene[i].read, scene[0].read);
        assert_int_equal(scene[i].machine.budget, scene[0].machine.budget);
        assert_int_equal(scene[i].machine.now, scene[0].machine.now);
    }
}

TEST_FILE(test_quiet)
{
    TEST_ADD_ROWS(list, end_row, end_rows);
    test_add(list, "who_waits_is_asked_at_every_access",
        who_waits_is_asked_at_every_access, NULL);
    test_add(list, "what_is_forgotten_makes_no_difference",
        what_is_forgotten_makes_no_difference, NULL);
}
