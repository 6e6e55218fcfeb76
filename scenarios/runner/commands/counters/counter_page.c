/* counter_page.c - a page in HTML with a chart and what happened; its script
 * and style are those of the folder page. */
#include <talloc.h>

#include "scenarios/runner/commands/counters/chart_marks.h"
#include "scenarios/runner/commands/counters/counter_chart.h"
#include "scenarios/runner/commands/counters/page_texts.h"
#include "scenarios/runner/text/markup_text.h"
#include "scenarios/runner/text/visible_text.h"

void counter_chart_print_page(const struct counter_chart *chart, FILE *out)
{
    void *context = talloc_new(NULL);

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n<title>",
        out);
    markup_text_print(visible_text(context, chart->heading), out);
    fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n",
        chart_css, page_css);
    fputs("<p><label>Counters with <input id=\"words\" type=\"search\"></label>"
          "<label><input id=\"show-marks\" type=\"checkbox\" checked> "
          "overflows and broken rules</label></p>\n",
        out);
    counter_chart_print(chart, false, out);
    chart_marks_print_table(chart, out);
    fprintf(out,
        "<div id=\"reading\"></div>\n<script>\n%s</script>\n</body>\n"
        "</html>\n",
        page_js);
    talloc_free(context);
}
