/* each_parameter.h - writes each parameter of a row of exports.def in another
 * way: EACH_PARAMETER(AS_, P(..), P(..)) is AS_P(..), AS_P(..). A routine
 * without parameters has the one word NONE, so define AS_NONE too. */
#ifndef API_CORE_EACH_PARAMETER_H
#define API_CORE_EACH_PARAMETER_H

#define EACH_1(as, a) as##a
#define EACH_2(as, a, b) as##a, as##b
#define EACH_3(as, a, b, c) as##a, as##b, as##c
#define EACH_4(as, a, b, c, d) as##a, as##b, as##c, as##d
#define EACH_5(as, a, b, c, d, e) as##a, as##b, as##c, as##d, as##e
#define EACH_6(as, a, b, c, d, e, f) as##a, as##b, as##c, as##d, as##e, as##f
#define EACH_7(as, a, b, c, d, e, f, g)                                        \
    as##a, as##b, as##c, as##d, as##e, as##f, as##g
#define EACH_8(as, a, b, c, d, e, f, g, h)                                     \
    as##a, as##b, as##c, as##d, as##e, as##f, as##g, as##h
#define EACH_9(as, a, b, c, d, e, f, g, h, i)                                  \
    as##a, as##b, as##c, as##d, as##e, as##f, as##g, as##h, as##i
#define EACH_10(as, a, b, c, d, e, f, g, h, i, j)                              \
    as##a, as##b, as##c, as##d, as##e, as##f, as##g, as##h, as##i, as##j
#define EACH_11(as, a, b, c, d, e, f, g, h, i, j, k)                           \
    as##a, as##b, as##c, as##d, as##e, as##f, as##g, as##h, as##i, as##j, as##k
#define EACH_12(as, a, b, c, d, e, f, g, h, i, j, k, l)                        \
    EACH_11(as, a, b, c, d, e, f, g, h, i, j, k), as##l
#define EACH_13(as, a, b, c, d, e, f, g, h, i, j, k, l, m)                     \
    EACH_11(as, a, b, c, d, e, f, g, h, i, j, k), as##l, as##m
#define EACH_14(as, a, b, c, d, e, f, g, h, i, j, k, l, m, n)                  \
    EACH_11(as, a, b, c, d, e, f, g, h, i, j, k), as##l, as##m, as##n
#define EACH_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, each, ...) each
#define EACH_PARAMETER(as, ...)                                                \
    EACH_PICK(__VA_ARGS__, EACH_14, EACH_13, EACH_12, EACH_11, EACH_10,        \
        EACH_9, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2,        \
        EACH_1, 0)                                                             \
    (as, __VA_ARGS__)

#endif
