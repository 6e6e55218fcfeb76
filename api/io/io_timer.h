/* io_timer.h - timers of device objects, which call a routine about once a
 * second: IoInitializeTimer, IoStartTimer, IoStopTimer. */
#ifndef API_IO_IO_TIMER_H
#define API_IO_IO_TIMER_H

struct io_device;
struct kernel;

/* The device goes away, and what it has of a timer with it: one that still runs
 * stops the machine (TMR-18). */
void io_timer_end(struct kernel *kernel, struct io_device *device);

#endif
