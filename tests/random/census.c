/* census.c - goes through a program with the reference, and notes where it
 * comes to. */
#include "tests/random/census.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "tests/random/reference.h"

enum { OF = 300 /* programs, that the floors are about */ };

static const struct {
    const char *name;
    uint64_t floor;
} rows[CENSUS_ROWS] = {
#define FLOOR(name, floor) {name, floor},
#include "tests/random/floors.def"
};

static const char *const acts[ACT_KINDS] = {
#define ACT(kind, level, name, answer) [ACT_##kind] = name,
#include "tests/random/acts.def"
};

/* Where one program has come to. */
struct visit {
    struct census *census;
    bool row[CENSUS_ROWS];
};

static void note(struct visit *visit, const char *format, ...)
{
    char name[CENSUS_NAME];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(name, sizeof(name), format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < CENSUS_ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            visit->row[i] = true;
            return;
        }
    }
    memcpy(visit->census->unknown, name, sizeof(name));
}

static void note_if(struct visit *visit, bool is_so, const char *name)
{
    if (is_so) {
        note(visit, "%s", name);
    }
}

static void note_machine(struct visit *visit, const struct program *program)
{
    const struct machine *machine = &program->machine;

    note(visit, "%s", machine_windows(machine->windows));
    note(visit, "%s", machine_architecture(machine->architecture));
    note(visit, "%s", machine->model->name);
    note_if(visit, machine->groups > 1, "several groups");
    note_if(visit, machine->groups > 1 && machine->size[0] < machine->size[1],
        "a small group before a large one");
    note_if(visit, program->actors > 1, "several actors");
    note_if(visit, machine->silos, "a silo");
}

static void note_answer(struct visit *visit, const struct program_step *step,
    const struct answer *answer)
{
    const char *name = acts[step->kind];

    if (answer->bugcheck != NULL) {
        note(visit, "%s: bug check", name);
    } else if (answer->faulted) {
        note(visit, "%s: access violation", name);
    } else if (answer->protection) {
        note(visit, "%s: #GP", name);
    } else if (answer->status != NULL) {
        note(visit, "%s: %s", name, answer->status);
    } else {
        note(visit, "%s", name);
    }
    for (size_t i = 0; i < answer->rule_count; i++) {
        note(visit, "%s", answer->rule[i]);
    }
}

/* What a claim of an event buffer came to. */
static void note_claim(struct visit *visit, const struct program_step *step,
    const struct answer *answer)
{
    for (size_t i = 0; i < step->claim.descriptor_count; i++) {
        if (step->claim.descriptor[i].type == DESCRIPTOR_EVENT_BUFFER &&
            answer->status != NULL) {
            note(visit, "event buffer: %s", answer->status);
        }
    }
}

/* Calls of the handlers of event buffers in one step. */
static void note_buffers(struct visit *visit, const struct reference *reference,
    const struct program_step *step, const struct answer *answer)
{
    const struct handler_call *before = NULL;

    for (size_t i = 0; i < answer->call_count; i++) {
        const struct handler_call *call = &answer->call[i];
        const struct held_set *set = &reference->set[call->set];

        if (call->entries == 0) {
            note_if(visit, i > 0 && answer->call[i - 1].entries > 0,
                "overflow handler behind a buffer's");
            continue;
        }
        note(visit, "buffer's handler");
        note_if(visit, call->entries > 1, "buffer's handler, several entries");
        note_if(visit, call->entries < set->threshold,
            "buffer's handler, fewer entries than it asked for");
        note_if(visit, before != NULL && call->set != before->set,
            "buffer's handlers of several sets");
        note_if(
            visit, call->processor > 0, "buffer's handler, not the first CPU");
        note_if(visit, step->kind == ACT_LOWER,
            "buffer's handler that was held back");
        before = call;
    }
    note_if(visit, answer->records > 0, "record");
    note_if(visit, answer->records > 0 && before == NULL,
        "record that no handler gets yet");
}

static void note_counting(struct visit *visit,
    const struct reference *reference, const struct program_step *step,
    const struct answer *answer)
{
    const struct processor_state *state =
        &reference->processor[step->counting.processor];

    for (size_t i = 0; i < answer->call_count; i++) {
        const struct held_set *set = &reference->set[answer->call[i].set];
        const uint64_t bits = answer->call[i].bits;

        if (answer->call[i].entries > 0) {
            continue;
        }
        note(visit, "handler");
        note_if(visit, set->reload.used, "handler that loads its counter");
        note_if(visit, (bits & (bits - 1)) != 0, "handler of several counters");
        note_if(visit, answer->call[i].set != answer->call[0].set,
            "handlers of several sets");
        note_if(visit, step->kind == ACT_LOWER, "handler that was held back");
        note_if(visit,
            answer->call[i].processor >= reference->program->machine.size[0],
            "handler in another group");
    }
    if (step->kind == ACT_RUN) {
        note_if(visit, answer->overflow_given, "overflow");
        note_if(visit, answer->interrupted && answer->call_count == 0,
            "overflow without a handler");
        note_if(visit, state->requested, "interrupt held back");
        note_if(visit, state->status != 0 && !state->requested,
            "overflow left for polling");
    }
}

/* What the callback of that registration comes to in a collection. */
static void note_callback(struct visit *visit,
    const struct registering *registering, const struct asking *asking)
{
    for (size_t i = 0; i < registering->added_count; i++) {
        const struct pcw_added *added = &registering->added[i];
        bool accepted = asking->enumerate ||
                        reference_pcw_accepts(registering, added, asking);

        note(visit, "PcwAddInstance: %s",
            accepted ? "STATUS_SUCCESS" : "STATUS_INVALID_BUFFER_SIZE");
        note_if(visit, added->id >= UINT32_C(0xFFFFFFFE),
            "pcw.instance.reserved_id");
        note_if(visit, reference_pcw_is_twin(registering, i),
            "a callback's pcw.instance.same_name");
    }
}

static void note_rows(struct visit *visit, const struct reference *reference,
    const struct program_step *step, const struct pcw_answer *answer)
{
    const struct asking *asking = &step->asking;

    if (!answer->rows_given) {
        return;
    }
    note_if(visit, answer->row_count == 0, "no row");
    note_if(visit, answer->row_count > 1, "several rows");
    note_if(visit, asking->query != PROGRAM_NOBODY, "collect in a query");
    note_if(visit, asking->enumerate, "enumeration");
    for (size_t i = 0; i < answer->row_count; i++) {
        note_if(visit, answer->row[i].value_count > 0, "row with values");
        note_if(visit,
            asking->counter_count > 0 && answer->row[i].value_count > 0,
            "row with the values that were asked for");
        note_if(visit, asking->pattern > 0, "row that a pattern lets through");
        note_if(visit, !asking->any_id, "row that an id lets through");
        note_if(visit, !asking->multiple, "row that is alone");
    }
    for (size_t i = 0; i < reference->pcw.registration_count; i++) {
        const struct registering *registering =
            &reference->pcw.registration[i].step->registering;

        if (registering->callback && asking->query == PROGRAM_NOBODY &&
            answer->runs[registering->slot] > 0) {
            note_callback(visit, registering, asking);
        }
    }
}

void census_add(struct census *census, const struct program *program)
{
    struct visit visit = {.census = census};
    struct reference reference;
    struct answer answer;

    note_machine(&visit, program);
    reference_start(&reference, program);
    for (size_t i = 0; i < program->count && !reference.stopped; i++) {
        const struct program_step *step = &program->step[i];

        reference_step(&reference, step, &answer);
        note_answer(&visit, step, &answer);
        note_claim(&visit, step, &answer);
        note_counting(&visit, &reference, step, &answer);
        note_buffers(&visit, &reference, step, &answer);
        note_rows(&visit, &reference, step, &answer.pcw);
    }
    for (size_t i = 0; i < CENSUS_ROWS; i++) {
        census->programs[i] += visit.row[i];
    }
}

void census_print(const struct census *census, FILE *out)
{
    for (size_t i = 0; i < CENSUS_ROWS; i++) {
        fprintf(out, "%8" PRIu64 " %4" PRIu64 " of %d  %s\n",
            census->programs[i], rows[i].floor, OF, rows[i].name);
    }
}

bool census_check(const struct census *census, uint64_t count, FILE *out)
{
    bool reached = true;

    if (census->unknown[0] != '\0') {
        fprintf(out, "floors.def has no row for: %s\n", census->unknown);
        reached = false;
    }
    for (size_t i = 0; i < CENSUS_ROWS; i++) {
        if (census->programs[i] * OF < rows[i].floor * count) {
            fprintf(out,
                "%" PRIu64 " of %" PRIu64 " programs reach '%s', fewer than "
                "%" PRIu64 " of %d\n",
                census->programs[i], count, rows[i].name, rows[i].floor, OF);
            reached = false;
        }
    }
    return reached;
}
