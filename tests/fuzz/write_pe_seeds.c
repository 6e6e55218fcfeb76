/* write_pe_seeds.c - writes the files of tests/fuzz/corpus/pe, which are those
 * of tests/api/pe_builder.h, into the current directory. */
#include <stdbool.h>
#include <stdio.h>

#include "tests/api/pe/pe_builder.h"

static bool write_seed(const char *name, struct pe_image image)
{
    FILE *file = fopen(name, "wb");
    bool written = false;

    if (file != NULL) {
        written = fwrite(image.bytes, 1, image.size, file) == image.size;
        written &= fclose(file) == 0;
    }
    free(image.bytes);
    return written;
}

/* Imports by ordinal and of KMDF, a type of relocation that x64 has not. */
static struct pe_image build_refused(void)
{
    struct pe_image image = image_build();

    image_put(&image, AT_LOOKUP, 8, UINT64_C(0x800000000000000C));
    image_put_text(&image, AT_IMAGE_NAME + 0x10, "WDFLDR.SYS");
    image_put(&image, AT_RELOCATIONS + 8, 2, 0x3198);
    return image;
}

int main(void)
{
    bool all = write_seed("driver.sys", image_build());

    all &= write_seed("stripped.sys", image_build_stripped());
    all &= write_seed("refused.sys", build_refused());
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
