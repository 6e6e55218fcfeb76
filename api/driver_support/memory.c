/* memory.c - the memory routines that compilers call of their own accord. On
 * x64 a driver has them in itself, as with the WDK. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);

void *memcpy(void *to, const void *from, size_t size)
{
    void *at = to;

    __asm__ __volatile__("rep movsb"
                         : "+D"(at), "+S"(from), "+c"(size)
                         :
                         : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *last = to;
    const char *source = from;

    if (last <= source || last >= source + size) {
        return memcpy(to, from, size);
    }
    while (size > 0) {
        size--;
        last[size] = source[size];
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    void *at = to;

    __asm__ __volatile__("rep stosb"
                         : "+D"(at), "+c"(size)
                         : "a"(value)
                         : "memory");
    return to;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;

    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}
