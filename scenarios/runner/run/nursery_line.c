/* nursery_line.c - what goes over the lines of a nursery: messages of
 * SOCK_SEQPACKET, with descriptors beside them. */
#define _GNU_SOURCE
#include "scenarios/runner/run/nursery_line.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/text/fnv.h"

bool nursery_order_name(
    struct nursery_order *order, const char *path, const char *id)
{
    size_t first = strlen(path) + 1, second = strlen(id) + 1;

    if (first + second > sizeof(order->name)) {
        return false;
    }
    memcpy(order->name, path, first);
    memcpy(order->name + first, id, second);
    return true;
}

const char *nursery_order_id(const struct nursery_order *order)
{
    return order->name + strlen(order->name) + 1;
}

uint64_t nursery_hash(const char *text, size_t length)
{
    uint64_t hash = FNV1A_EMPTY;

    for (size_t i = 0; i < length; i++) {
        hash = fnv1a_byte(hash, (uint8_t)text[i]);
    }
    return hash;
}

/* Room for what is sent beside the bytes. */
union beside {
    struct cmsghdr header; /* aligns it */
    char room[CMSG_SPACE(NURSERY_DESCRIPTORS * sizeof(int))];
};

bool nursery_send(int line, const void *bytes, size_t length,
    const int *descriptor, size_t descriptors)
{
    char none = 0;
    struct iovec part = {length == 0 ? &none : (void *)(uintptr_t)bytes,
        length == 0 ? 1 : length};
    union beside beside;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    size_t size = descriptors * sizeof(int);

    assert(descriptors <= NURSERY_DESCRIPTORS);
    if (descriptors > 0) {
        memset(&beside, 0, sizeof(beside));
        message.msg_control = &beside;
        message.msg_controllen = CMSG_SPACE(size);
        beside.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(size),
            .cmsg_level = SOL_SOCKET,
            .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&beside.header), descriptor, size);
    }
    return TEMP_FAILURE_RETRY(sendmsg(line, &message, MSG_NOSIGNAL)) ==
           (ssize_t)part.iov_len;
}

ssize_t nursery_receive(
    int line, void *bytes, size_t length, int *descriptor, size_t descriptors)
{
    struct iovec part = {bytes, length};
    union beside beside;
    struct msghdr message = {.msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = &beside,
        .msg_controllen = sizeof(beside)};
    const struct cmsghdr *header;
    ssize_t got;

    assert(descriptors <= NURSERY_DESCRIPTORS);
    for (size_t i = 0; i < descriptors; i++) {
        descriptor[i] = -1;
    }
    got = TEMP_FAILURE_RETRY(recvmsg(line, &message, MSG_CMSG_CLOEXEC));
    header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(descriptors * sizeof(int))) {
        memcpy(descriptor, CMSG_DATA(header), descriptors * sizeof(int));
    }
    return got < 0 ? 0 : got;
}
