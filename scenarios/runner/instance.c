/* instance.c - ids out of the axes of the matrix. */
#include "scenarios/runner/instance.h"

#include <assert.h>
#include <talloc.h>

/* An axis of the matrix is part of the id, a fixed machine is not. */
static char *instance_id(void *context, const struct scenario *scenario,
    const struct machine_choice *choice)
{
    char *id = talloc_strdup(context, scenario->id);

    if (scenario->matrix_os) {
        id = talloc_asprintf_append(id, "[os=%s", os_rows[choice->os].name);
    }
    if (scenario->matrix_arch) {
        id = talloc_asprintf_append(id, "%sarch=%s",
            scenario->matrix_os ? "," : "[", arch_rows[choice->arch].name);
    }
    if (scenario->matrix_os || scenario->matrix_arch) {
        id = talloc_strdup_append(id, "]");
    }
    return id;
}

void instances_add(struct instances *instances, const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->choice_count; i++) {
        instances->item = talloc_realloc(instances, instances->item,
            struct instance, (unsigned)instances->count + 1);
        assert(instances->item != NULL);
        instances->item[instances->count++] = (struct instance){
            .scenario = scenario,
            .id = instance_id(instances, scenario, &scenario->choice[i]),
            .choice = scenario->choice[i],
        };
    }
}
