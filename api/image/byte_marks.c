/* byte_marks.c - the memory for marks of the bytes of an image. */
#include "api/image/byte_marks.h"

#include <stddef.h>
#include <stdlib.h>

bool byte_marks_init(struct byte_marks *marks, uint32_t size)
{
    *marks = (struct byte_marks){
        calloc((size_t)size / BYTE_MARK_WORD + 1, sizeof(*marks->word)), size};
    return marks->word != NULL;
}

void byte_marks_release(struct byte_marks *marks)
{
    free(marks->word);
    *marks = (struct byte_marks){NULL, 0};
}
