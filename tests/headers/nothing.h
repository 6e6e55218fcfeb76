/* nothing.h - no structure, and one that cannot have a name here. */
#define NOTHING 1

struct bytes {
    ULONG First;
};

struct only {
    float First;
};
