/* callback.h - a provider's PCW_CALLBACK, called on the strand of the consumer
 * (PCW-CB-01). */
#ifndef API_PCW_CALLBACK_H
#define API_PCW_CALLBACK_H

#include "api/core/gate.h"
#include "api/pcw/query_list.h"

/* What is in the bytes of a PCW_CALLBACK_INFORMATION that its type gives no
 * meaning: an address that is nobody's, so that a driver that reads another
 * member of the union is found out. */
#define PCW_POISON UINT64_C(0xFFFFBAD0BAD0BAD0)

/* What is in all of them when the callback has returned. */
#define PCW_POISON_GONE UINT64_C(0xFFFFBAD1BAD1BAD1)

/* Memory that callbacks of the query read; false: the guest has none left. */
bool pcw_callback_prepare(struct kernel *kernel, struct pcw_query *query);

/* AddCounter or RemoveCounter, if there is a callback (PCW-CB-05). */
void pcw_callback_notify(struct kernel *kernel, struct pcw_query *query,
    struct pcw_registration *registration, PCW_CALLBACK_TYPE type);

/* EnumerateInstances or CollectData, if there is a callback (PCW-CB-04). */
void pcw_callback_request(
    struct pcw_request *request, struct pcw_registration *registration);

/* The request is cancelled: the callback may see it (PCW-TYPE-08). */
void pcw_callback_signal(struct kernel *kernel, struct pcw_query *query);

/* That memory is about to be freed. */
void pcw_callback_forget(struct kernel *kernel, struct pcw_query *query);

/* Whether the running strand is in a callback of that registration, of whatever
 * type; NULL: of any registration. */
bool pcw_runs_callback_of(
    struct kernel *kernel, const struct pcw_registration *registration);

/* A warning for a call that changes what a driver holds, where a callback that
 * collects has made it (PCW-CON-05). */
extern const struct gate_observer pcw_callback_observer;

#endif
