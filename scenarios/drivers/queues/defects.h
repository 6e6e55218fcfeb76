/* defects.h - the mistakes that can be planted in queues, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. The code where one is
 * planted says so by its name; all of it is constant, so that the other code
 * stays what it was. */
#ifndef QUEUES_DEFECTS_H
#define QUEUES_DEFECTS_H

#define DEFECT_NONE 0
/* Instances that the driver makes. */
#define DEFECT_BLOCK_FREED 1       /* a queue's memory before its instance */
#define DEFECT_INSTANCE_KEPT 2     /* the memory only, never the instance */
#define DEFECT_BLOCK_ON_STACK 3    /* the instance's data is a local */
#define DEFECT_BLOCK_IN_REQUEST 30 /* the same, in the request's buffer */
#define DEFECT_BLOCK_SMALL 4       /* the size of a pointer to it */
#define DEFECT_CREATE_UNCHECKED 5  /* the status of making an instance */
#define DEFECT_CLOSED_TWICE 6
#define DEFECT_NAME_UNCHECKED 7   /* half characters are accepted */
#define DEFECT_CASE_MATTERS 8     /* "rx" and "RX" are two queues */
#define DEFECT_INSTANCES_LEAKED 9 /* unload forgets the first set */
/* Registrations. */
#define DEFECT_REGISTRATION_LEAKED 10 /* unload forgets the second set */
#define DEFECT_CLOSED_LATE 11         /* instances after their registration */
#define DEFECT_UNREGISTERED_TWICE 12
#define DEFECT_REGISTERED_TWICE 13   /* the first one's handle is lost */
#define DEFECT_CLEANED_UP_BLINDLY 14 /* unregisters what never was */
#define DEFECT_REGISTER_UNCHECKED 15 /* its status */
#define DEFECT_VERSION_2 16          /* as the generated function has it */
/* The callback. */
#define DEFECT_UNREGISTERED_INSIDE 17
#define DEFECT_WRONG_MEMBER 18       /* AddCounter has no Buffer */
#define DEFECT_BUFFER_KEPT 19        /* and used when work is done */
#define DEFECT_ADDED_AT_DISPATCH 20  /* instances, under a lock */
#define DEFECT_IRQL_KEPT 21          /* returned at another level */
#define DEFECT_INTERRUPTS_KEPT 22    /* returned with interrupts disabled */
#define DEFECT_COLLECTION_CHANGES 23 /* what there is to collect */
#define DEFECT_RENAMED 24            /* an instance, when it has worked */
#define DEFECT_ID_RESERVED 25        /* 0xFFFFFFFF for want of an id */
#define DEFECT_ADDED_ODD 26          /* a name with half a character */
#define DEFECT_NAMES_EQUAL 27        /* all instances have one name */
#define DEFECT_COUNTED_ONCE 28       /* queries, but each is uncounted */
#define DEFECT_INFO_KEPT 29          /* and its Buffer read when work is done */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
