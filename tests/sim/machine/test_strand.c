/* test_strand.c - making strands: who runs, whose they are, and when there are
 * too many or none may run. In what order they go on is test_scheduler.c's
 * business. */
#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

enum { STACKS = 14336, GUEST_STRANDS = 12288 };

/* A machine of two processors, and what its strands have seen. */
struct scene {
    struct machine machine;
    struct strand *current;
    const void *owner;
    uint64_t time;
    unsigned runs;
};

static void scene_init(struct scene *scene)
{
    struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    *scene = (struct scene){.runs = 0};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
}

static const char owner_of_the_call;

static void look(void *argument)
{
    struct scene *scene = argument;

    scene->current = strand_current(&scene->machine);
    scene->owner = scene->current->owner;
    scene->time = scene->current->cpu->time;
    scene->runs++;
}

static void call_look_on_processor_1(void *argument)
{
    struct scene *scene = argument;

    strand_call_on(
        machine_cpu(&scene->machine, 1), look, scene, &owner_of_the_call);
}

static void spend_and_spawn_on_processor_1(void *argument)
{
    struct scene *scene = argument;

    cpu_spend(machine_cpu(&scene->machine, 0), 700, 1);
    strand_spawn(machine_cpu(&scene->machine, 1), look, scene, NULL);
}

static void nobody_is_current_outside_a_run(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 0), look, &scene, NULL);
    assert_null(strand_current(&scene.machine));
    machine_run(&scene.machine);
    assert_null(strand_current(&scene.machine));
    machine_release(&scene.machine);
}

static void running_strand_is_current_and_keeps_its_owner(void **state)
{
    struct scene scene;
    struct strand *strand;
    int owner;

    (void)state;
    scene_init(&scene);
    strand = strand_spawn(machine_cpu(&scene.machine, 1), look, &scene, &owner);
    machine_run(&scene.machine);
    assert_ptr_equal(scene.current, strand);
    assert_ptr_equal(scene.owner, &owner);
    assert_int_equal(scene.runs, 1);
    machine_release(&scene.machine);
}

static void call_on_another_processor_has_the_owner_it_is_given(void **state)
{
    struct scene scene;
    int owner;

    (void)state;
    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 0), call_look_on_processor_1,
        &scene, &owner);
    machine_run(&scene.machine);
    assert_ptr_equal(scene.owner, &owner_of_the_call);
    assert_int_equal(scene.runs, 1);
    machine_release(&scene.machine);
}

static void strand_does_not_start_before_it_is_made(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 0), spend_and_spawn_on_processor_1,
        &scene, NULL);
    machine_run(&scene.machine);
    assert_int_equal(scene.time, 700);
    machine_release(&scene.machine);
}

static void strand_made_after_a_run_starts_at_the_machine_s_time(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 0), spend_and_spawn_on_processor_1,
        &scene, NULL);
    machine_run(&scene.machine);
    machine_cpu(&scene.machine, 1)->time = 0;
    strand_spawn(machine_cpu(&scene.machine, 1), look, &scene, NULL);
    machine_run(&scene.machine);
    assert_int_equal(scene.time, 700);
    assert_int_equal(scene.runs, 2);
    machine_release(&scene.machine);
}

static void strand_beyond_the_last_stack_is_refused(void **state)
{
    struct scene scene;
    struct cpu *cpu;

    (void)state;
    scene_init(&scene);
    cpu = machine_cpu(&scene.machine, 0);
    for (int i = 0; i < STACKS; i++) {
        assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    }
    assert_null(strand_spawn(cpu, look, &scene, NULL));
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.runs, 14336);
    machine_release(&scene.machine);
}

static void guest_s_strand_beyond_12288_is_refused(void **state)
{
    struct scene scene;
    struct cpu *cpu;

    (void)state;
    scene_init(&scene);
    cpu = machine_cpu(&scene.machine, 0);
    for (int i = 0; i < GUEST_STRANDS; i++) {
        assert_non_null(strand_spawn_for_guest(cpu, look, &scene, NULL));
    }
    assert_null(strand_spawn_for_guest(cpu, look, &scene, NULL));
    assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.runs, 12289);
    machine_release(&scene.machine);
}

static void strand_without_memory_is_refused(void **state)
{
    struct scene scene;
    struct cpu *cpu;
    struct arena *arena = &scene.machine.arena;

    (void)state;
    scene_init(&scene);
    cpu = machine_cpu(&scene.machine, 0);
    arena->reserve = arena->limit - arena->used;
    assert_null(strand_spawn_for_guest(cpu, look, &scene, NULL));
    assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    arena->reserve = 0;
    arena->limit = arena->used;
    assert_null(strand_spawn(cpu, look, &scene, NULL));
    assert_int_equal(scene.machine.strands, 1);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(scene.runs, 1);
    machine_release(&scene.machine);
}

/* The memory of all that have ended is there for the next ones. */
static void three_at_a_time_take_the_memory_of_three(void **state)
{
    struct scene scene;
    const struct arena *arena = &scene.machine.arena;
    size_t used = 0;

    (void)state;
    scene_init(&scene);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3; i++) {
            assert_non_null(strand_spawn(
                machine_cpu(&scene.machine, 0), look, &scene, NULL));
        }
        assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
        used = round == 0 ? arena->used : used;
        assert_int_equal(arena->used, used);
    }
    assert_int_equal(scene.runs, 12);
    machine_release(&scene.machine);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

static void wait_for_ever(void *argument)
{
    struct scene *scene = argument;

    scene->runs++;
    strand_wait(&scene->machine, STRAND_BLOCKED, never, NULL);
}

/* All of them wait at once, each on its own stack, and a reset leaves 256. */
static void many_strands_wait_and_leave_no_stacks_behind(void **state)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    struct scene scene;

    (void)state;
    scene_init(&scene);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_non_null(strand_spawn(
            machine_cpu(&scene.machine, i % 2), wait_for_ever, &scene, NULL));
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_DEADLOCK);
    assert_int_equal(scene.runs, 5000);
    assert_int_equal(scene.machine.stacks.made, 5000);
    machine_reset(&scene.machine, &config);
    assert_int_equal(scene.machine.stacks.made, 256);
    machine_release(&scene.machine);
}

static void strand_has_no_stack_before_its_first_turn(void **state)
{
    struct scene scene;
    struct cpu *cpu;

    (void)state;
    scene_init(&scene);
    cpu = machine_cpu(&scene.machine, 0);
    assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    assert_int_equal(scene.machine.stacks.made, 0);
    machine_run(&scene.machine);
    assert_int_equal(scene.runs, 2);
    assert_int_equal(scene.machine.stacks.made, 1);
    machine_release(&scene.machine);
}

/* Beyond as many as processors' worth of them a stack is made sure of. */
static void four_thousand_strands_have_no_stack_before_their_first_turn(
    void **state)
{
    struct scene scene;
    struct cpu *cpu;

    (void)state;
    scene_init(&scene);
    cpu = machine_cpu(&scene.machine, 0);
    for (int i = 0; i < 4096; i++) {
        assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    }
    assert_int_equal(scene.machine.stacks.made, 0);
    assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    assert_int_equal(scene.machine.stacks.made, 4097);
    machine_release(&scene.machine);
}

static void ended_strand_leaves_its_stack_and_memory_to_the_next(void **state)
{
    struct scene scene;
    struct cpu *cpu;
    size_t used;

    (void)state;
    scene_init(&scene);
    cpu = machine_cpu(&scene.machine, 0);
    assert_non_null(strand_spawn(cpu, look, &scene, NULL));
    machine_run(&scene.machine);
    used = scene.machine.arena.used;
    for (int i = 0; i < STACKS; i++) {
        assert_non_null(strand_spawn(cpu, look, &scene, NULL));
        machine_run(&scene.machine);
    }
    assert_int_equal(scene.runs, 14337);
    assert_int_equal(scene.machine.arena.used, used);
    assert_int_equal(scene.machine.stacks.made, 1);
    machine_release(&scene.machine);
}

/* A strand's stacks for native code, asked for twice. */
struct guest {
    struct machine *machine;
    uint8_t *first, *second;
};

static void take_guest_stack(void *argument)
{
    struct guest *guest = argument;

    guest->first = strand_guest_stack(guest->machine);
    guest->second = strand_guest_stack(guest->machine);
    if (guest->first != NULL) {
        guest->first[0] = 1;
        guest->first[24 * 1024 - 1] = 1;
    }
}

static void guest_stack_is_the_strand_s_until_it_ends(void **state)
{
    struct scene scene;
    struct guest one = {0}, two = {0};

    (void)state;
    scene_init(&scene);
    one.machine = two.machine = &scene.machine;
    strand_spawn(machine_cpu(&scene.machine, 0), take_guest_stack, &one, NULL);
    machine_run(&scene.machine);
    strand_spawn(machine_cpu(&scene.machine, 0), take_guest_stack, &two, NULL);
    machine_run(&scene.machine);

    assert_non_null(one.first);
    assert_ptr_equal(one.second, one.first);
    assert_ptr_equal(two.first, one.first);
    assert_int_equal(scene.machine.guest_stacks.made, 1);
    assert_true(
        stack_pool_holds(&scene.machine.guest_stacks, one.first, 24576));
    assert_true(stack_pool_is_guard(
        &scene.machine.guest_stacks, (uintptr_t)one.first - 1));
    machine_release(&scene.machine);
}

static void take_guest_stack_and_stop(void *argument)
{
    struct guest *guest = argument;

    take_guest_stack(guest);
    machine_stop(guest->machine);
}

static void reset_frees_the_guest_stack_of_a_strand_that_was_stopped(
    void **state)
{
    struct scene scene;
    struct guest one = {0}, two = {0};
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    (void)state;
    scene_init(&scene);
    one.machine = two.machine = &scene.machine;
    strand_spawn(
        machine_cpu(&scene.machine, 0), take_guest_stack_and_stop, &one, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_STOPPED);
    machine_reset(&scene.machine, &config);
    strand_spawn(machine_cpu(&scene.machine, 0), take_guest_stack, &two, NULL);
    machine_run(&scene.machine);
    assert_ptr_equal(two.first, one.first);
    machine_release(&scene.machine);
}

static void strand_gets_no_guest_stack_when_all_are_in_use(void **state)
{
    struct scene scene;
    struct guest guest = {0};

    (void)state;
    scene_init(&scene);
    guest.machine = &scene.machine;
    for (int i = 0; i < STACKS; i++) {
        assert_non_null(stack_pool_take(&scene.machine.guest_stacks));
    }
    strand_spawn(
        machine_cpu(&scene.machine, 0), take_guest_stack, &guest, NULL);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_null(guest.first);
    machine_release(&scene.machine);
}

static void sleep_outside_a_run_returns_at_once(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    strand_sleep_until(&scene.machine, 1000);
    assert_int_equal(machine_cpu(&scene.machine, 0)->time, 0);
    assert_int_equal(scene.machine.now, 0);
    machine_release(&scene.machine);
}

static void stop_before_a_run_lets_nothing_begin(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 0), look, &scene, NULL);
    machine_stop(&scene.machine);
    assert_int_equal(machine_run(&scene.machine), MACHINE_STOPPED);
    assert_int_equal(scene.runs, 0);
    machine_release(&scene.machine);
}

static void change_of_processor_is_traced(void **state)
{
    struct scene scene;
    char line[80];

    (void)state;
    scene_init(&scene);
    strand_spawn(machine_cpu(&scene.machine, 1), look, &scene, NULL);
    strand_spawn(machine_cpu(&scene.machine, 0), look, &scene, NULL);
    machine_run(&scene.machine);
    assert_int_equal(scene.machine.trace.count, 1);
    trace_format(&scene.machine.trace, 0, line, sizeof(line));
    assert_string_equal(line, "0 cpu1 switch from=0");
    machine_release(&scene.machine);
}

static void spend_5000_and_wait(void *argument)
{
    struct scene *scene = argument;

    cpu_spend(machine_cpu(&scene->machine, 0), 5000, 1);
    cpu_checkpoint(machine_cpu(&scene->machine, 0));
}

static void spend_700_and_spawn_here(void *argument)
{
    struct scene *scene = argument;

    cpu_spend(machine_cpu(&scene->machine, 1), 700, 1);
    strand_spawn(machine_cpu(&scene->machine, 1), look, scene, NULL);
}

static void strand_starts_at_the_time_of_who_made_it(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    strand_spawn(
        machine_cpu(&scene.machine, 0), spend_5000_and_wait, &scene, NULL);
    strand_spawn(
        machine_cpu(&scene.machine, 1), spend_700_and_spawn_here, &scene, NULL);
    machine_run(&scene.machine);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.time, 700);
    assert_int_equal(scene.machine.now, 5000);
    machine_release(&scene.machine);
}

TEST_FILE(test_strand)
{
    test_add(list, "nobody_is_current_outside_a_run",
        nobody_is_current_outside_a_run, NULL);
    test_add(list, "running_strand_is_current_and_keeps_its_owner",
        running_strand_is_current_and_keeps_its_owner, NULL);
    test_add(list, "call_on_another_processor_has_the_owner_it_is_given",
        call_on_another_processor_has_the_owner_it_is_given, NULL);
    test_add(list, "strand_does_not_start_before_it_is_made",
        strand_does_not_start_before_it_is_made, NULL);
    test_add(list, "strand_made_after_a_run_starts_at_the_machine_s_time",
        strand_made_after_a_run_starts_at_the_machine_s_time, NULL);
    test_add(list, "strand_beyond_the_last_stack_is_refused",
        strand_beyond_the_last_stack_is_refused, NULL);
    test_add(list, "guest_s_strand_beyond_12288_is_refused",
        guest_s_strand_beyond_12288_is_refused, NULL);
    test_add(list, "three_at_a_time_take_the_memory_of_three",
        three_at_a_time_take_the_memory_of_three, NULL);
    test_add(list, "strand_without_memory_is_refused",
        strand_without_memory_is_refused, NULL);
    test_add(list, "many_strands_wait_and_leave_no_stacks_behind",
        many_strands_wait_and_leave_no_stacks_behind, NULL);
    test_add(list, "strand_has_no_stack_before_its_first_turn",
        strand_has_no_stack_before_its_first_turn, NULL);
    test_add(list,
        "four_thousand_strands_have_no_stack_before_their_first_turn",
        four_thousand_strands_have_no_stack_before_their_first_turn, NULL);
    test_add(list, "ended_strand_leaves_its_stack_and_memory_to_the_next",
        ended_strand_leaves_its_stack_and_memory_to_the_next, NULL);
    test_add(list, "guest_stack_is_the_strand_s_until_it_ends",
        guest_stack_is_the_strand_s_until_it_ends, NULL);
    test_add(list, "reset_frees_the_guest_stack_of_a_strand_that_was_stopped",
        reset_frees_the_guest_stack_of_a_strand_that_was_stopped, NULL);
    test_add(list, "strand_gets_no_guest_stack_when_all_are_in_use",
        strand_gets_no_guest_stack_when_all_are_in_use, NULL);
    test_add(list, "sleep_outside_a_run_returns_at_once",
        sleep_outside_a_run_returns_at_once, NULL);
    test_add(list, "stop_before_a_run_lets_nothing_begin",
        stop_before_a_run_lets_nothing_begin, NULL);
    test_add(list, "change_of_processor_is_traced",
        change_of_processor_is_traced, NULL);
    test_add(list, "strand_starts_at_the_time_of_who_made_it",
        strand_starts_at_the_time_of_who_made_it, NULL);
}
