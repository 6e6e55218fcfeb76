/* reserved_words.h - words that names in generated headers must not be. */
#ifndef API_CTRPP_RESERVED_WORDS_H
#define API_CTRPP_RESERVED_WORDS_H

/* What a word is; reserved_words.def says more. */
enum reserved_word {
    RESERVED_NOT, /* free */
    RESERVED_C,
    RESERVED_CPP,
    RESERVED_MACRO,
    RESERVED_NAME,
    RESERVED_INNER,
};

enum reserved_word reserved_word_find(const char *word);

#endif
