/* resident.h - how much memory something takes. */
#ifndef TESTS_BENCH_RESIDENT_H
#define TESTS_BENCH_RESIDENT_H

/* Bytes that are resident when work(argument) has returned, in a process of its
 * own, because memory that was freed stays with one. */
double resident_after(void (*work)(const void *argument), const void *argument);

/* Only what has come with it: a process begins with what its parent has. */
double resident_added(void (*work)(const void *argument), const void *argument);

#endif
