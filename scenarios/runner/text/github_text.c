/* github_text.c - text as workflow commands of GitHub Actions take it: % and a
 * byte's number for what would end a value or the command. */
#include "scenarios/runner/text/github_text.h"

#include <stdbool.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/visible_text.h"

static void put_escaped(const char *text, const char *special, FILE *out)
{
    for (const char *c = text; *c != '\0'; c++) {
        bool escaped = strchr(special, *c) != NULL;

        fprintf(out, escaped ? "%%%02X" : "%c", (unsigned char)*c);
    }
}

/* Lines are visible each by itself, because what ends them is the text's own.
 */
void github_text_data(const char *text, FILE *out)
{
    size_t length;

    for (; *text != '\0'; text += length) {
        char *line, *visible;

        length = strcspn(text, "\n");
        line = talloc_strndup(NULL, text, length);
        visible = visible_text(line, line);
        put_escaped(visible, "%\r\n", out);
        talloc_free(line);
        if (text[length] == '\n') {
            fputs("%0A", out);
            length++;
        }
    }
}

void github_text_property(const char *text, FILE *out)
{
    char *visible = visible_text(NULL, text);

    put_escaped(visible, "%\r\n:,", out);
    talloc_free(visible);
}
