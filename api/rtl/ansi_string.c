/* ansi_string.c - RtlInitAnsiString. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/mm/copy_text.h"

enum { ANSI_STRING_BYTES = 0xFFFE }; /* page RtlInitAnsiString */

VOID RtlInitAnsiString_body(PANSI_STRING DestinationString, PCSTR SourceString)
{
    struct kernel *kernel = kernel_current();
    STRING string = {.Length = 0};

    if (SourceString != NULL) {
        size_t bytes = copy_text_length(kernel, ROUTINE_RtlInitAnsiString,
            SourceString, 1, ANSI_STRING_BYTES);

        string.Length = (USHORT)bytes;
        string.MaximumLength = (USHORT)(bytes + 1);
        string.Buffer = (PVOID)(uintptr_t)SourceString;
    }
    copy_out(kernel, ROUTINE_RtlInitAnsiString, DestinationString, &string,
        sizeof(string));
}
