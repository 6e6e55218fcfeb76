/* wrong.h - errors, and none of them hides the next. */
struct wrong {
    ULNG First;
    UCHAR Second;
    struct missing Third;
};
