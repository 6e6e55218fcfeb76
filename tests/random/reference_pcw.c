/* reference_pcw.c - what PcwRegister to PcwAddInstance must answer, and what a
 * consumer must see, requirement by requirement. */
#include "tests/random/reference_pcw.h"

#include <string.h>

#include "tests/random/names.h"
#include "tests/random/reference.h"

static const char success[] = "STATUS_SUCCESS";
static const char too_small[] = "STATUS_INVALID_BUFFER_SIZE";
static const char gone[] = "PAGE_FAULT_IN_NONPAGED_AREA";

enum { MASK_BITS = 64, FRESH = 0xA5 };

void reference_pcw_start(struct pcw_state *state)
{
    memset(state->block, FRESH, sizeof(state->block));
}

unsigned reference_silo(const struct program *program, unsigned actor)
{
    return program->machine.silos && actor == 1;
}

static size_t find(const struct pcw_state *state, unsigned number)
{
    size_t i = 0;

    while (i < state->registration_count &&
           state->registration[i].step->number != number) {
        i++;
    }
    return i;
}

static size_t find_instance(const struct pcw_state *state, unsigned number)
{
    size_t i = 0;

    while (i < state->instance_count &&
           state->instance[i].step->number != number) {
        i++;
    }
    return i;
}

static size_t find_query(const struct pcw_state *state, unsigned number)
{
    size_t i = 0;

    while (i < state->query_count && state->query[i].step->number != number) {
        i++;
    }
    return i;
}

/* PCW-REG-03 to PCW-REG-08a; NULL: sound. */
static const char *check_registering(const struct program *program,
    const struct registering *registering, struct answer *answer)
{
    const bool second = program->machine.windows >= WINDOWS_FE;

    if (registering->fault == FAULT_EMPTY_NAME ||
        registering->fault == FAULT_ODD_NAME ||
        (registering->version != 0x100 &&
            !(second && registering->version == 0x200)) ||
        (registering->version == 0x200 && registering->flags > 1)) {
        return "STATUS_INVALID_PARAMETER_2";
    }
    if (registering->fault == FAULT_HUGE_COUNT) {
        return "STATUS_INTEGER_OVERFLOW"; /* PCW-REG-06b */
    }
    if (registering->fault == FAULT_BLANK_NAME) {
        answer_rule(answer, "pcw.register.blank_name");
    }
    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct pcw_counter *counter = &registering->counter[i];

        for (size_t n = 0; n < i; n++) {
            if (registering->counter[n].id == counter->id) {
                answer_rule(answer, "pcw.register.same_id"); /* PCW-REG-13 */
            }
        }
        if (counter->size != 4 && counter->size != 8) {
            answer_rule(answer, "pcw.register.size"); /* PCW-REG-13 */
        }
    }
    return NULL;
}

static bool is_null(enum fault fault)
{
    return fault == FAULT_NULL_OUTPUT || fault == FAULT_NULL_INFO ||
           fault == FAULT_NULL_NAME || fault == FAULT_NULL_ARRAY ||
           fault == FAULT_NULL_REGISTRATION;
}

static void register_set(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    struct pcw_state *state = &reference->pcw;

    if (is_null(step->registering.fault)) {
        answer->faulted = true; /* PCW-REG-08b, PCW-REG-12a */
        return;
    }
    answer->status =
        check_registering(reference->program, &step->registering, answer);
    if (answer->status != NULL) {
        return;
    }
    state->registration[state->registration_count++] =
        (struct held_registration){.step = step,
            .live = true,
            .silo = reference_silo(reference->program, step->actor)};
    answer->status = success;
    answer->granted = true;
}

static void unregister_set(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    struct pcw_state *state = &reference->pcw;
    size_t at = find(state, step->of);

    if (!state->registration[at].live) {
        answer_stop(reference, answer, "pcw.unregister.stale", gone);
        return; /* PCW-UNR-04 */
    }
    state->registration[at].live = false;
    for (size_t i = 0; i < state->instance_count; i++) {
        struct held_instance *instance = &state->instance[i];

        if (instance->registration == at && instance->live) {
            instance->live = false; /* PCW-UNR-01 */
            instance->lost = true;
        }
    }
}

/* PCW-CRE-04b: how many blocks the counters lie in. */
static uint32_t blocks_needed(const struct registering *registering)
{
    uint32_t needed = 0;

    for (size_t i = 0; i < registering->counter_count; i++) {
        if (registering->counter[i].structure + 1U > needed) {
            needed = registering->counter[i].structure + 1U;
        }
    }
    return needed;
}

/* PCW-CRE-04a to PCW-CRE-06c; NULL: sound. */
static const char *check_creating(const struct reference *reference,
    const struct creating *creating, const struct registering *registering,
    struct answer *answer)
{
    const uint32_t needed = blocks_needed(registering);
    const uint32_t bytes =
        reference->program->machine.architecture == ARCH_X86 ? 8 : 16;

    if ((uint64_t)creating->count * bytes > UINT32_MAX) {
        return "STATUS_INTEGER_OVERFLOW";
    }
    if (creating->count < needed) {
        return "STATUS_INVALID_PARAMETER_4";
    }
    if (registering->counter_count > 0 && creating->count > needed) {
        answer_rule(answer, "pcw.create.more"); /* PCW-CRE-04c, 04d */
    }
    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct pcw_counter *counter = &registering->counter[i];
        const struct pcw_data *data = &creating->data[counter->structure];

        if (data->block == PROGRAM_BLOCKS) {
            answer->faulted = true; /* PCW-CRE-10a */
            return NULL;
        }
        if (data->size < (uint32_t)counter->offset + counter->size) {
            return too_small; /* PCW-CRE-05 */
        }
    }
    return NULL;
}

static const char *name_of(const struct registering *registering)
{
    return registering->fault == FAULT_BLANK_NAME
               ? name_blank
               : name_sets[registering->name];
}

/* PCW-CRE-08b: how many there were of that name in that silo. */
static uint32_t next_id(const struct pcw_state *state, size_t registration)
{
    const struct held_registration *one = &state->registration[registration];
    uint32_t id = 0;

    for (size_t i = 0; i < state->instance_count; i++) {
        const struct held_registration *other =
            &state->registration[state->instance[i].registration];

        id += one->silo == other->silo &&
              names_equal(name_of(&one->step->registering),
                  name_of(&other->step->registering));
    }
    return id;
}

static void create(struct reference *reference, const struct program_step *step,
    struct answer *answer)
{
    const struct creating *creating = &step->creating;
    struct pcw_state *state = &reference->pcw;
    const size_t at = find(state, creating->registration);

    if (creating->fault == FAULT_NULL_REGISTRATION) {
        answer_rule(answer, "pcw.registration.null");
    }
    if (is_null(creating->fault)) {
        answer->faulted = true; /* PCW-CRE-02b, PCW-CRE-10a */
        return;
    }
    if (!state->registration[at].live) {
        answer_stop(reference, answer, "pcw.create.stale", gone);
        return; /* PCW-CRE-19 */
    }
    if (creating->fault == FAULT_ODD_NAME) {
        answer_rule(answer, "pcw.instance.odd_name"); /* PCW-CRE-02c */
    }
    answer->status = check_creating(reference, creating,
        &state->registration[at].step->registering, answer);
    if (answer->status != NULL || answer->faulted) {
        return;
    }
    for (size_t i = 0; i < state->instance_count; i++) {
        const struct held_instance *other = &state->instance[i];

        if (other->live && other->registration == at &&
            names_equal(name_created[creating->name],
                name_created[other->step->creating.name])) {
            answer_rule(answer, "pcw.instance.same_name"); /* PCW-CRE-15 */
            break;
        }
    }
    state->instance[state->instance_count] =
        (struct held_instance){step, at, true, false, next_id(state, at)};
    state->instance_count++;
    answer->status = success;
    answer->granted = true;
}

static void close_instance(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    struct pcw_state *state = &reference->pcw;
    struct held_instance *instance =
        &state->instance[find_instance(state, step->of)];

    if (instance->live) {
        instance->live = false; /* PCW-CLS-01 */
    } else if (instance->lost) {
        answer_stop(reference, answer, "pcw.close.after_unregister", gone);
    } else {
        answer_stop(reference, answer, "pcw.close.twice", gone);
    }
}

static void store(struct pcw_state *state, const struct storing *storing)
{
    for (unsigned i = 0; i < storing->bytes; i++) {
        state->block[storing->block][storing->offset + i] =
            (uint8_t)(storing->value >> 8 * i);
    }
}

/* PCW-TYPE-06a, PCW-TYPE-06b. */
static bool is_asked(const struct asking *asking, uint16_t id)
{
    for (size_t i = 0; asking != NULL && i < asking->counter_count; i++) {
        if (asking->counter[i] == id && id < MASK_BITS) {
            return true;
        }
    }
    return asking == NULL || asking->counter_count == 0;
}

/* PCW-ADD-05, PCW-ADD-07a, PCW-ADD-07b. */
bool reference_pcw_accepts(const struct registering *registering,
    const struct pcw_added *added, const struct asking *asking)
{
    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct pcw_counter *counter = &registering->counter[i];
        const struct pcw_data *data = &added->data[counter->structure];

        if (is_asked(asking, counter->id) &&
            (counter->structure >= added->count ||
                data->block == PROGRAM_BLOCKS ||
                data->size < (uint32_t)counter->offset + counter->size)) {
            return false;
        }
    }
    return true;
}

bool reference_pcw_is_twin(const struct registering *registering, size_t added)
{
    for (size_t i = 0; i < added; i++) {
        if (names_equal(name_added[registering->added[i].name],
                name_added[registering->added[added].name])) {
            return true;
        }
    }
    return false;
}

/* Values of 4 and 8 bytes (PCW-CON-02) of counters that have their id alone. */
static void add_values(const struct pcw_state *state,
    const struct registering *registering, const struct pcw_data *data,
    const struct asking *asking, struct pcw_row *row)
{
    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct pcw_counter *counter = &registering->counter[i];
        bool known = counter->size == 4 || counter->size == 8;
        uint64_t value = 0;

        for (size_t n = 0; n < registering->counter_count; n++) {
            known =
                known && (n == i || registering->counter[n].id != counter->id);
        }
        if (!known || !is_asked(asking, counter->id)) {
            continue;
        }
        for (unsigned n = counter->size; n-- > 0;) {
            value = value << 8 | state->block[data[counter->structure].block]
                                             [counter->offset + n];
        }
        row->value[row->value_count++] = (struct pcw_seen){counter->id, value};
    }
}

/* PCW-CON-01; one instance alone where the name is empty (PCW-TYPE-07). */
static bool passes(const struct asking *asking, const char *name, uint32_t id)
{
    const char *pattern = name_patterns[asking->pattern];

    return (asking->any_id || asking->id == id) &&
           ((!asking->multiple && pattern[0] == '\0') ||
               names_match(pattern, name));
}

static void add_row(const struct pcw_state *state,
    const struct registering *registering, const struct pcw_data *data,
    const struct asking *asking, const char *name, struct pcw_row row,
    struct pcw_answer *answer)
{
    if (!passes(asking, name, row.id) ||
        (!asking->multiple && answer->row_count > 0)) { /* PCW-ADD-09 */
        return;
    }
    if (!asking->enumerate) {
        add_values(state, registering, data, asking, &row);
    }
    answer->row[answer->row_count++] = row;
}

/* PCW-CB-08: created instances, then those that the callback adds. */
static void gather(const struct pcw_state *state, size_t at,
    const struct asking *asking, struct pcw_answer *answer)
{
    const struct registering *registering =
        &state->registration[at].step->registering;

    for (size_t i = 0; i < state->instance_count; i++) {
        const struct held_instance *instance = &state->instance[i];
        const struct creating *creating = &instance->step->creating;

        if (instance->live && instance->registration == at) {
            add_row(state, registering, creating->data, asking,
                name_created[creating->name],
                (struct pcw_row){.name = creating->name, .id = instance->id},
                answer);
        }
    }
    for (size_t i = 0; registering->callback && i < registering->added_count;
         i++) {
        const struct pcw_added *added = &registering->added[i];

        if (asking->enumerate ||
            reference_pcw_accepts(registering, added, asking)) {
            add_row(state, registering, added->data, asking,
                name_added[added->name],
                (struct pcw_row){
                    .name = NAME_CREATED + added->name, .id = added->id},
                answer);
        }
    }
}

/* PCW-REG-08a, PCW-REG-11a. */
static bool is_seen(const struct reference *reference, size_t at,
    const struct program_step *consumer)
{
    const struct held_registration *one = &reference->pcw.registration[at];
    const struct registering *registering = &one->step->registering;
    const bool neutral =
        registering->version == 0x200 && (registering->flags & 1) != 0;

    return one->live &&
           (neutral || one->silo == reference_silo(
                                        reference->program, consumer->actor)) &&
           names_equal(
               name_of(registering), name_sets[consumer->asking.set_name]);
}

static void run_callback(
    const struct pcw_state *state, size_t at, struct pcw_answer *answer)
{
    const struct registering *registering =
        &state->registration[at].step->registering;

    if (registering->callback) {
        answer->runs[registering->slot]++;
    }
}

/* PCW-CB-07: AddCounter, once a registration. */
static void tell(struct reference *reference, struct open_query *query,
    struct pcw_answer *answer)
{
    for (size_t i = 0; i < reference->pcw.registration_count; i++) {
        if (is_seen(reference, i, query->step) && !query->told[i]) {
            query->told[i] = true;
            run_callback(&reference->pcw, i, answer);
        }
    }
}

/* PCW-CB-05: RemoveCounter, for each that was told. */
static void take_leave(const struct reference *reference,
    struct open_query *query, struct pcw_answer *answer)
{
    for (size_t i = 0; i < reference->pcw.registration_count; i++) {
        if (query->told[i] && reference->pcw.registration[i].live) {
            run_callback(&reference->pcw, i, answer);
        }
    }
    query->live = false;
}

/* CollectData or EnumerateInstances of each, in the order of registration. */
static void collect(struct reference *reference,
    const struct program_step *step, struct open_query *query,
    struct pcw_answer *answer)
{
    struct asking asking = query->step->asking;

    asking.enumerate = step->asking.enumerate;
    if (!asking.enumerate) {
        tell(reference, query, answer);
    }
    answer->rows_given = true;
    for (size_t i = 0; i < reference->pcw.registration_count; i++) {
        if (is_seen(reference, i, query->step)) {
            run_callback(&reference->pcw, i, answer);
            gather(&reference->pcw, i, &asking, answer);
        }
    }
}

static void consume(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    struct pcw_state *state = &reference->pcw;
    struct open_query own = {.step = step, .live = true};

    if (step->kind == ACT_OPEN) {
        tell(reference, &own, &answer->pcw);
        state->query[state->query_count++] = own;
        answer->granted = true;
    } else if (step->kind == ACT_CLOSE_QUERY) {
        take_leave(reference, &state->query[find_query(state, step->of)],
            &answer->pcw);
    } else if (step->asking.query != PROGRAM_NOBODY) {
        collect(reference, step,
            &state->query[find_query(state, step->asking.query)], &answer->pcw);
    } else {
        collect(reference, step, &own, &answer->pcw);
        take_leave(reference, &own, &answer->pcw);
    }
}

void reference_pcw_step(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    if (step->kind == ACT_REGISTER) {
        register_set(reference, step, answer);
    } else if (step->kind == ACT_UNREGISTER) {
        unregister_set(reference, step, answer);
    } else if (step->kind == ACT_CREATE) {
        create(reference, step, answer);
    } else if (step->kind == ACT_CLOSE) {
        close_instance(reference, step, answer);
    } else if (step->kind == ACT_STORE) {
        store(&reference->pcw, &step->storing);
    } else {
        consume(reference, step, answer);
    }
}

/* A query is its actor's. */
static bool has_query(const struct pcw_state *state,
    const struct program_step *step, unsigned number)
{
    const size_t at = find_query(state, number);

    return at < state->query_count && state->query[at].live &&
           state->query[at].step->actor == step->actor;
}

bool reference_pcw_allows(
    const struct reference *reference, const struct program_step *step)
{
    const struct pcw_state *state = &reference->pcw;

    if (step->kind == ACT_UNREGISTER) {
        return find(state, step->of) < state->registration_count;
    }
    if (step->kind == ACT_CREATE) {
        return find(state, step->creating.registration) <
               state->registration_count;
    }
    if (step->kind == ACT_CLOSE) {
        return find_instance(state, step->of) < state->instance_count;
    }
    if (step->kind == ACT_CLOSE_QUERY) {
        return has_query(state, step, step->of);
    }
    return step->kind != ACT_COLLECT || step->asking.query == PROGRAM_NOBODY ||
           has_query(state, step, step->asking.query);
}
