/* crash_report.h - our own failures: an assert or a fault in the program names
 * the instance that ran and exits as documented. */
#ifndef RUNNER_RUN_CRASH_REPORT_H
#define RUNNER_RUN_CRASH_REPORT_H

/* From now on such a failure exits with `code`. */
void crash_report_install(int code);

/* No more: such a failure ends the process, and whoever waits for it says so.
 */
void crash_report_remove(void);

/* What runs now; NULL: nothing. The text must live as long as it runs. */
void crash_report_running(const char *id);

#endif
