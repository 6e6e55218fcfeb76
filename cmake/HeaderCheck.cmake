# The test `headers`: each is complete and guarded, for this compiler. A small
# tree with one of each mistake has to be refused.
set(flags -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Wstrict-prototypes
  -Wmissing-prototypes -Wundef -Werror)
list(JOIN flags "," flags)
set(check "${PROJECT_SOURCE_DIR}/cmake/CheckHeaders.cmake")
set(options -D "COMPILER=${CMAKE_C_COMPILER}" -D "FLAGS=${flags}")
add_test(NAME headers COMMAND "${CMAKE_COMMAND}"
  -D "ROOT=${PROJECT_SOURCE_DIR}" ${options} -P "${check}")

set(tree "${PROJECT_BINARY_DIR}/fixtures/headers_refuses")
file(WRITE "${tree}/sim/incomplete.h"
  "/* . */\n#ifndef A\n#define A\nvoid f(size_t size);\n#endif\n")
file(WRITE "${tree}/sim/behind.h"
  "/* . */\n#ifndef B\n#define B\nint g(uint8_t byte);\n#endif\n")
file(WRITE "${tree}/sim/behind.c"
  "#define _GNU_SOURCE\n#include \"sim/behind.h\"\n")
file(WRITE "${tree}/sim/unguarded.h" "/* . */\ntypedef int once;\n")
file(WRITE "${tree}/sim/misguarded.h"
  "/* . */\n#ifndef C\n#define D\ntypedef int other;\n#endif\n")
add_test(NAME headers_refuses COMMAND "${CMAKE_COMMAND}" -D "CHECK=${check}"
  -D "ROOT=${tree}" -D "OPTIONS=${options}"
  -D "NAMES=sim/incomplete.h does not include;sim/behind.h does not include;\
sim/unguarded.h: not guarded;sim/misguarded.h: not guarded"
  -P "${PROJECT_SOURCE_DIR}/cmake/ExpectRefusal.cmake")
