/* verdict_message.h - the message of verdict_pipe.h: a head, the failures, what
 * was cited, what was compared, the trace, a tail. Both ends are one program on
 * one host, so numbers are sent as they lie in memory, and a node by its
 * number. */
#ifndef RUNNER_RUN_VERDICT_MESSAGE_H
#define RUNNER_RUN_VERDICT_MESSAGE_H

#include <stdint.h>

enum { VERDICT_HEAD = 0x4E545056, VERDICT_TAIL = 0x56505445 };

#define VERDICT_NO_TEXT UINT32_MAX /* in place of a length */

/* What became of its comparisons, as bits. */
enum {
    LITERAL_MET = 1,
    LITERAL_DIFFERS = 2,
    LITERAL_SEVERAL = 4,
    LITERAL_BITS = 7,
};

#endif
