# cmake -D ROOT=dir -D COMPILER=cc -D FLAGS=option,... -P CheckHeaders.cmake:
# fails when a header is not guarded or does not include what it uses. One that
# stands first in a .c was compiled alone with it; the others are compiled here.
# Those of drivers are for the drivers' compilers.
cmake_policy(VERSION 3.25)
set(sources "")
set(headers "")
foreach(directory IN ITEMS sim api scenarios/runner tests)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${directory}/*.c")
  list(APPEND sources ${files})
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${directory}/*.h")
  list(APPEND headers ${files})
endforeach()
list(FILTER headers EXCLUDE REGEX "^(api/include|tests/api/ctrpp/golden|tests/headers)/")
list(LENGTH headers count)
if(count EQUAL 0)
  message(FATAL_ERROR "no header below ${ROOT} was checked")
endif()

foreach(header IN LISTS headers)
  file(READ "${ROOT}/${header}" text)
  if(NOT text MATCHES "\n#ifndef ([A-Z0-9_]+)\n#define ([A-Z0-9_]+)\n" OR
     NOT CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2 OR NOT text MATCHES "\n#endif\n$")
    message(SEND_ERROR "${header}: not guarded")
  endif()
endforeach()

# Not those behind a #define, which may be what the header lacks.
foreach(source IN LISTS sources)
  file(STRINGS "${ROOT}/${source}" line LIMIT_COUNT 1
    REGEX "^#(include|define|if)")
  if(line MATCHES "^#include \"(.*)\"")
    list(REMOVE_ITEM headers "${CMAKE_MATCH_1}")
  endif()
endforeach()

string(REPLACE "," ";" FLAGS "${FLAGS}")
list(APPEND FLAGS -Wno-pedantic) # no complaint that there is nothing else
foreach(header IN LISTS headers)
  execute_process(COMMAND "${COMPILER}" ${FLAGS} "-I${ROOT}" -fsyntax-only
    -include "${header}" -x c /dev/null RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${header} does not include what it uses:\n${errors}")
  endif()
endforeach()
list(LENGTH headers compiled)
message(STATUS "${count} headers checked, ${compiled} of them compiled alone")
