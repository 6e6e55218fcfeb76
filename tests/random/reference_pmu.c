/* reference_pmu.c - counters of user code: cycle by cycle, an event at a time,
 * as slowly as it can be said. */
#include "tests/random/reference_pmu.h"

#include "tests/random/reference.h"

static uint64_t limit(const struct machine *machine)
{
    return machine->width_bits == 64 ? UINT64_MAX
                                     : (UINT64_C(1) << machine->width_bits) - 1;
}

static uint64_t bit_of(uint32_t index)
{
    return UINT64_C(1) << index;
}

/* pmu.md 1.2: IA32_PMCn takes 32 bits, and the highest of them fills the rest;
 * the other registers take all of what they have. */
static uint64_t loaded(
    const struct machine *machine, uint32_t index, uint64_t value)
{
    if (machine->model->registers == REGISTERS_INTEL &&
        index < machine->model->fixed_first) {
        value &= UINT32_MAX;
        value |= (value >> 31 & 1) != 0 ? ~(uint64_t)UINT32_MAX : 0;
    }
    return value & limit(machine);
}

/* The set's handler, and what it loads. */
static void call_handler(struct reference *reference, size_t set,
    unsigned processor, uint64_t bits, struct answer *answer)
{
    const struct reload *reload = &reference->set[set].reload;
    struct counter_state *counter =
        &reference->processor[processor].counter[reload->index];

    answer_call(answer, (struct handler_call){set, processor, bits, 0});
    if (reload->used) { /* HAL-OVF-06c */
        counter->touched = true;
        counter->value =
            loaded(&reference->program->machine, reload->index, reload->value);
    }
}

/* HAL-OVF-06b: snapshot, clear exactly those bits, call the handlers of their
 * sets in the order of allocation (HAL-OVF-03b), each with its own bits
 * (HAL-OVF-02b), behind those of event buffers. */
static void serve(
    struct reference *reference, unsigned processor, struct answer *answer)
{
    struct processor_state *state = &reference->processor[processor];
    uint64_t bits = state->status;

    for (uint32_t i = 0; i < MACHINE_INDEXES; i++) {
        /* HAL-OVF-10: left for an owner that polls. */
        if (state->counter[i].running && !state->counter[i].interrupts) {
            bits &= ~bit_of(i);
        }
    }
    state->status &= ~bits;
    if ((bits & REFERENCE_BUFFER_BIT) != 0) {
        reference_buffer_serve(reference, processor, answer);
    }
    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];
        uint64_t own = bits & set->counters[processor];

        /* HAL-OVF-02d, HAL-OVF-14, HAL-OVF-16. */
        if (set->live && !set->exclusive && set->handler && own != 0) {
            call_handler(reference, i, processor, own, answer);
        }
    }
}

void reference_pmu_deliver(
    struct reference *reference, unsigned processor, struct answer *answer)
{
    struct processor_state *state = &reference->processor[processor];

    /* IRQL-03: an interrupt of the same level is masked as well. */
    if (state->requested && state->wait == 0 &&
        reference_level(reference, processor) <
            machine_profile_level(reference->program->machine.architecture)) {
        state->requested = false;
        answer->interrupted = true;
        serve(reference, processor, answer);
    }
}

/* Clocks run by themselves. */
uint64_t reference_pmu_events(
    const struct counting *run, enum event event, uint32_t cycles)
{
    const struct rate *rate = &run->rate[event];

    if (event == EVENT_CYCLES) {
        return cycles;
    }
    return rate->p == 0 ? 0 : (uint64_t)rate->p * cycles / rate->q;
}

void reference_pmu_request(struct reference *reference, unsigned processor)
{
    const struct machine *machine = &reference->program->machine;
    struct processor_state *state = &reference->processor[processor];

    if (!state->requested) {
        state->requested = true;
        state->wait = machine->latency + machine->skid;
    }
}

/* pmu.md 1.3: the carry out of the width sets the bit, with or without an
 * interrupt; one that is requested already is not requested again. */
static void overflow(struct reference *reference, unsigned processor,
    uint32_t index, uint32_t cycle, struct answer *answer)
{
    const struct machine *machine = &reference->program->machine;
    struct processor_state *state = &reference->processor[processor];

    if (machine->model->has_status) {
        state->status |= bit_of(index);
    }
    answer->overflows[index]++;
    if (!answer->overflow_given && !answer->interrupted) {
        answer->overflow_given = true;
        answer->overflow_index = index;
        answer->overflow_cycle = cycle;
    }
    if (state->counter[index].interrupts) {
        reference_pmu_request(reference, processor);
    }
}

/* Counters that run go on running: handlers only load them. */
static size_t running(const struct processor_state *state, uint32_t *index)
{
    size_t count = 0;

    for (uint32_t i = 0; i < MACHINE_INDEXES; i++) {
        if (state->counter[i].running) {
            index[count++] = i;
        }
    }
    return count;
}

static void count_cycle(struct reference *reference, const struct counting *run,
    uint32_t index, uint32_t cycle, struct answer *answer)
{
    struct counter_state *counter =
        &reference->processor[run->processor].counter[index];

    for (uint64_t left = reference_pmu_events(run, counter->event, cycle) -
                         reference_pmu_events(run, counter->event, cycle - 1);
         left > 0; left--) {
        counter->value++;
        /* pmu.md 1.4: the event behind the overflow. */
        counter->due = counter->due || counter->armed;
        counter->armed = false;
        if (counter->value > limit(&reference->program->machine)) {
            counter->value = 0;
            counter->armed = counter->sampled && !counter->due;
            overflow(reference, run->processor, index, cycle, answer);
        }
    }
}

/* User code, and then as much of the kernel's, which no counter here counts,
 * that every interrupt on its way arrives. */
static void run(struct reference *reference, const struct counting *run,
    struct answer *answer)
{
    struct processor_state *state = &reference->processor[run->processor];
    uint32_t index[MACHINE_INDEXES];
    const size_t count = running(state, index);

    for (uint32_t cycle = 1; cycle <= run->cycles; cycle++) {
        if (state->requested && state->wait > 0) {
            state->wait--;
        }
        for (size_t i = 0; i < count; i++) {
            count_cycle(reference, run, index[i], cycle, answer);
        }
        reference_buffer_record(reference, run, answer);
        reference_pmu_deliver(reference, run->processor, answer);
    }
    state->wait = 0;
    reference_pmu_deliver(reference, run->processor, answer);
}

/* HAL-ALLOC-59: a register of a counter that no set of the actor's holds on
 * that processor. */
static void check_held(const struct reference *reference,
    const struct program_step *step, size_t writes, struct answer *answer)
{
    const struct counting *counting = &step->counting;

    while (writes-- > 0 &&
           (reference_counters(reference, step->actor, counting->processor) &
               bit_of(counting->index)) == 0) {
        answer_rule(answer, "hal.counter.unheld");
    }
}

/* RDPMC and MRS of a counter that is not there. */
static void read_counter(const struct reference *reference,
    const struct counting *counting, struct answer *answer)
{
    if (!machine_has_counter(&reference->program->machine, counting->index)) {
        answer->protection = true; /* pmu.md 1.5 */
        return;
    }
    answer->value_given = true;
    answer->value = reference->processor[counting->processor]
                        .counter[counting->index]
                        .value;
}

/* An overflow bit is cleared. pmu.md 1.7: Arm's interrupt is a level, so one
 * that is held back goes with the last bit that asks for it. */
static void drop_status(
    struct reference *reference, unsigned processor, uint32_t index)
{
    struct processor_state *state = &reference->processor[processor];
    bool is_asked = false;

    state->status &= ~bit_of(index);
    for (uint32_t i = 0; i < MACHINE_INDEXES; i++) {
        is_asked = is_asked || (state->counter[i].interrupts &&
                                   (state->status & bit_of(i)) != 0);
    }
    if (reference->program->machine.model->registers == REGISTERS_ARM) {
        state->requested = state->requested && is_asked;
    }
}

static void program_counter(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const struct machine *machine = &reference->program->machine;
    const struct counting *counting = &step->counting;
    struct processor_state *state = &reference->processor[counting->processor];
    const struct counter_state before = state->counter[counting->index];

    state->counter[counting->index] = (struct counter_state){
        .touched = true,
        .running = true,
        .interrupts = counting->interrupts,
        .event = counting->event,
        .value = counting->value & limit(machine),
        .sampled = before.sampled,
        .armed = before.armed,
    };
    if (machine->model->registers == REGISTERS_ARM) {
        drop_status(reference, counting->processor, counting->index);
    }
    /* The select of one that ran, the preset, the select. */
    check_held(reference, step, before.running ? 3 : 2, answer);
}

bool reference_pmu_loses(
    const struct reference *reference, const struct counting *counting)
{
    const uint64_t own = bit_of(counting->index);

    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        if (set->live && set->handler &&
            (set->counters[counting->processor] & own) != 0) {
            return (reference->processor[counting->processor].status & own) !=
                   0;
        }
    }
    return false;
}

/* HAL-OVF-06a, but for a counter that is polled (HAL-OVF-10). */
static void clear_status(struct reference *reference,
    const struct counting *counting, struct answer *answer)
{
    struct processor_state *state = &reference->processor[counting->processor];
    const struct counter_state *counter = &state->counter[counting->index];

    if (reference_pmu_loses(reference, counting) &&
        (!counter->running || counter->interrupts)) {
        answer_rule(answer, "hal.status.written");
    }
    drop_status(reference, counting->processor, counting->index);
}

void reference_pmu_step(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const struct counting *counting = &step->counting;
    struct processor_state *state = &reference->processor[counting->processor];
    struct counter_state *counter = &state->counter[counting->index];

    if (step->kind == ACT_PROGRAM) {
        program_counter(reference, step, answer);
    } else if (step->kind == ACT_STOP) {
        counter->running = false;
    } else if (step->kind == ACT_WRITE) {
        counter->touched = true;
        counter->value = loaded(
            &reference->program->machine, counting->index, counting->value);
        check_held(reference, step, 1, answer);
    } else if (step->kind == ACT_CLEAR) {
        clear_status(reference, counting, answer);
    } else if (step->kind == ACT_READ) {
        read_counter(reference, counting, answer);
    } else {
        run(reference, counting, answer);
    }
}

bool reference_pmu_allows(
    const struct reference *reference, const struct program_step *step)
{
    const struct counting *counting = &step->counting;
    const bool arm =
        reference->program->machine.model->registers == REGISTERS_ARM;

    if (step->kind != ACT_STOP && step->kind != ACT_CLEAR &&
        (step->kind != ACT_PROGRAM || !arm)) {
        return true;
    }
    return (reference_counters(reference, step->actor, counting->processor) &
               bit_of(counting->index)) != 0;
}

bool reference_pmu_is_running(const struct reference *reference, size_t set)
{
    const struct machine *machine = &reference->program->machine;

    for (unsigned i = 0; i < machine_processors(machine); i++) {
        for (uint32_t n = 0; n < MACHINE_INDEXES; n++) {
            if ((reference->set[set].counters[i] & bit_of(n)) != 0 &&
                reference->processor[i].counter[n].running) {
                return true;
            }
        }
    }
    return false;
}
