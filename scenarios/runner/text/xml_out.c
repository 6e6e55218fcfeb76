/* xml_out.c - XML, written by libxml2's xmlTextWriter. What that passes on as
 * it comes, though no document may have it, is seen to here: characters that
 * XML has not (XML 1.0, section 2.2), and the end of a CDATA section (2.7). */
#include "scenarios/runner/text/xml_out.h"

#include <assert.h>
#include <libxml/parserInternals.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/xml_library.h"
#include "api/text/utf8.h"

struct xml_out {
    xmlTextWriter *writer;
    xmlBuffer *buffer;
};

static const xmlChar *chars(const char *text)
{
    return (const xmlChar *)text;
}

/* The writer says that memory is short, or that we call it out of turn. */
static void written(int bytes)
{
    assert(bytes >= 0);
    (void)bytes;
}

struct xml_out *xml_out_new(void)
{
    struct xml_out *xml = talloc_zero(NULL, struct xml_out);

    assert(xml != NULL);
    xml->buffer = xml_library()->xmlBufferCreate();
    assert(xml->buffer != NULL);
    xml->writer = xml_library()->xmlNewTextWriterMemory(xml->buffer, 0);
    assert(xml->writer != NULL);
    written(xml_library()->xmlTextWriterSetIndent(xml->writer, 1));
    written(
        xml_library()->xmlTextWriterSetIndentString(xml->writer, chars("  ")));
    written(xml_library()->xmlTextWriterStartDocument(
        xml->writer, NULL, "UTF-8", NULL));
    return xml;
}

/* The text of characters that XML has. */
static char *allowed(const char *text)
{
    size_t size = strlen(text), done = 0;
    char *copy =
        talloc_array(NULL, char, (unsigned)(size * UTF8_REPAIRED_BYTES) + 1);

    assert(copy != NULL);
    utf8_repair(text, size, copy);
    size = strlen(copy);
    for (size_t at = 0, used; at < size; at += used) {
        uint32_t code;

        used = utf8_decode(copy + at, size - at, &code);
        if (xmlIsCharQ(code)) {
            memmove(copy + done, copy + at, used);
            done += used;
        }
    }
    copy[done] = '\0';
    return copy;
}

void xml_out_element(struct xml_out *xml, const char *name)
{
    written(xml_library()->xmlTextWriterStartElement(xml->writer, chars(name)));
}

void xml_out_attribute(struct xml_out *xml, const char *name, const char *text)
{
    char *value = allowed(text);

    written(xml_library()->xmlTextWriterWriteAttribute(
        xml->writer, chars(name), chars(value)));
    talloc_free(value);
}

void xml_out_number(struct xml_out *xml, const char *name, size_t number)
{
    written(xml_library()->xmlTextWriterWriteFormatAttribute(
        xml->writer, chars(name), "%zu", number));
}

void xml_out_cdata(struct xml_out *xml, const char *text)
{
    static const char end[] = "]]>";
    char *value = allowed(text);
    char *rest = value, *within;

    while ((within = strstr(rest, end)) != NULL) {
        char *next = within + strlen("]]");

        written(xml_library()->xmlTextWriterWriteFormatCDATA(
            xml->writer, "%.*s", (int)(next - rest), rest));
        rest = next;
    }
    written(xml_library()->xmlTextWriterWriteCDATA(xml->writer, chars(rest)));
    talloc_free(value);
}

void xml_out_element_end(struct xml_out *xml)
{
    written(xml_library()->xmlTextWriterEndElement(xml->writer));
}

void xml_out_end(struct xml_out *xml, FILE *out)
{
    written(xml_library()->xmlTextWriterEndDocument(xml->writer));
    xml_library()->xmlFreeTextWriter(xml->writer);
    fwrite(xml_library()->xmlBufferContent(xml->buffer), 1,
        (size_t)xml_library()->xmlBufferLength(xml->buffer), out);
    xml_library()->xmlBufferFree(xml->buffer);
    talloc_free(xml);
}
