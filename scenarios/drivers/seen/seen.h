/* seen.h - what programs ask seen: the control codes and what they get. */
#ifndef SEEN_H
#define SEEN_H

#define SEEN_FUNCTION(code) (((code) >> 2) & 0xFFF)

#define SEEN_CREATED 0x800 /* 222000: out struct seen_created, of the file */
#define SEEN_LAST 0x801    /* 222004: out struct seen_request: the last one */
#define SEEN_FLAGS 0x802   /* 222008: DO_* that the device has from now on */
#define SEEN_KEEP 0x803    /* 22200C: it is completed by SEEN_RELEASE */
#define SEEN_RELEASE 0x804 /* 222010: a level, at which that is completed */
#define SEEN_PROBE                                                             \
    0x805 /* 222017: the status of probing the addresses, METHOD_NEITHER */
#define SEEN_ASKED                                                             \
    0x806 /* 222018, by any method and with any rights: the output is filled   \
             with SEEN_FILL */
#define SEEN_RETURNS                                                           \
    0x807                /* 22201C: an NTSTATUS of SEEN_ASKED or SEEN_RELEASE */
#define SEEN_BOOST 0x808 /* 222020: a priority boost of these */
#define SEEN_FILL 0x3C

/* What IRP_MJ_CREATE said, and the device. */
struct seen_created {
    ULONG options;
    ULONG access;
    USHORT share;
    USHORT attributes;
    USHORT name_length; /* bytes */
    UCHAR mode;
    UCHAR related; /* there was a RelatedFileObject */
    ULONG flags;   /* of the file object */
    SHORT device_type;
    USHORT device_size;
    UCHAR full_options; /* those of the context are the request's */
    UCHAR level;
    CHAR name[30]; /* the lower halves */
};

/* What a request said. */
struct seen_request {
    ULONG code; /* of a read or a write 0 */
    ULONG input, output;
    UCHAR mode;
    UCHAR system_buffer, user_buffer, mdl, type3;
    UCHAR first;       /* byte of what came */
    UCHAR close_level; /* of the last IRP_MJ_CLOSE */
    UCHAR mdl_writes;  /* its pages are locked for writing */
    LONG64 offset;
    ULONG key;
    ULONG mdl_bytes;
};

#endif
