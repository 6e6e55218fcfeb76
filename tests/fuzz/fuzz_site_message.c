/* fuzz_site_message.c - any bytes as the names of calls that a worker sends:
 * they are read or refused, and what was read is names. The first two bytes say
 * how many there are, so that most inputs come to the names. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/failures/call_site.h"
#include "scenarios/runner/failures/site_message.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *context = talloc_new(NULL);
    const char *problem = NULL;
    size_t given = size < 2 ? 0 : size - 2;
    uint8_t *bytes = talloc_array(context, uint8_t, (unsigned)given + 4);
    uint32_t count = size < 2 ? 0 : data[0] | (uint32_t)data[1] << 8;
    struct site_message message;

    assert(bytes != NULL);
    memcpy(bytes, &count, sizeof(count));
    if (given > 0) {
        memcpy(bytes + sizeof(count), data + 2, given);
    }
    message = site_message_read(
        context, bytes, size < 2 ? size : given + 4, &problem);
    assert(message.taken <= given + 4);
    assert(problem != NULL || message.count == count);
    for (size_t i = 0; i < message.count; i++) {
        size_t length = strlen(message.name[i]);

        assert(length > 0 && length < CALL_SITE_NAME_BYTES);
        assert(strpbrk(message.name[i], " \n") == NULL);
    }
    talloc_free(context);
    return 0;
}
