/* hidden_code.h - code points that move the cursor, turn the direction of what
 * follows or cannot be seen, and have no place in what people are shown:
 * control and format characters, ends of lines and paragraphs. */
#ifndef API_TEXT_HIDDEN_CODE_H
#define API_TEXT_HIDDEN_CODE_H

#include <stdbool.h>
#include <stdint.h>

bool code_is_hidden(uint32_t code);

#endif
