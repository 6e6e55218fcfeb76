/* page_texts.h - what a page with a chart has besides the chart: files of the
 * folder page, embedded. */
#ifndef RUNNER_COMMANDS_COUNTERS_PAGE_TEXTS_H
#define RUNNER_COMMANDS_COUNTERS_PAGE_TEXTS_H

extern const char chart_css[]; /* what a chart looks like, also alone */
extern const char page_css[];  /* what is around it */
extern const char page_js[];   /* what it answers to */

#endif
