/* fuzz_format.c - any format, any arguments, any text behind them: the
 * formatter reads what is there and nothing else, and its text is never too
 * long. */
#include <assert.h>
#include <string.h>

#include "api/rtl/format.h"
#include "tests/fuzz/fuzz.h"

/* Where the input seems to lie for the formatter: first the arguments, with
 * the format at an offset that the first byte says. */
#define INPUT_ADDRESS UINT64_C(0x10000)

struct input {
    const uint8_t *byte;
    size_t size;
};

static bool read_input(void *context, void *to, uint64_t address, size_t size)
{
    const struct input *input = context;
    uint64_t offset = address - INPUT_ADDRESS;

    if (address < INPUT_ADDRESS || offset > input->size ||
        size > input->size - offset) {
        /* Beyond the end lie zeros, to the end of the page. */
        if (address < INPUT_ADDRESS ||
            offset + size > (input->size / 4096 + 1) * 4096) {
            return false;
        }
        memset(to, 0, size);
        if (offset < input->size) {
            memcpy(to, input->byte + offset, (size_t)(input->size - offset));
        }
        return true;
    }
    memcpy(to, input->byte + offset, size);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    const struct guest_reader reader = {&input, read_input};
    struct format_text text;

    if (size == 0) {
        return 0;
    }
    format_text(&text, &reader, INPUT_ADDRESS + data[0], INPUT_ADDRESS);
    assert(text.length <= FORMAT_BYTES);
    return 0;
}
