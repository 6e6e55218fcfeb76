# cmake -D ROOT=dir -P CheckRooms.cmake: fails when a file of sim, api or
# scenarios includes what its room may not see, when a folder with sources is no
# room of cmake/rooms.txt, when a room has more modules than one can know, and
# when a test lies where there is no room. A room sees those before it, so where
# nothing is refused there is no circle either. Tests and the suite's drivers may
# include everything.
cmake_policy(VERSION 3.25)
set(most_modules 45)

# sees_ROOM: the rooms that it may include, itself among them.
file(STRINGS "${ROOT}/cmake/rooms.txt" lines REGEX "^[^#]")
set(rooms)
set(before)
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(& )?([a-z_/]+)( <([a-z_/ ]*))? # .+$")
    message(FATAL_ERROR "rooms.txt: ${line}: written as ROOM # what is in it, "
      "with & before or < behind the room")
  endif()
  set(room "${CMAKE_MATCH_2}")
  if(NOT CMAKE_MATCH_1)
    set(before ${rooms}) # else it sees what the one before does
  endif()
  set(sees ${before})
  if(CMAKE_MATCH_3)
    string(REGEX MATCHALL "[^ ]+" sees "${CMAKE_MATCH_4}")
    foreach(other IN LISTS sees)
      if(NOT other IN_LIST rooms)
        message(SEND_ERROR "rooms.txt: ${room} < ${other}: it stands below, or "
          "nowhere")
      endif()
    endforeach()
  endif()
  if(room IN_LIST rooms)
    message(SEND_ERROR "rooms.txt: ${room} stands there twice")
  endif()
  set(sees_${room} ${sees} ${room})
  list(APPEND rooms ${room})
endforeach()

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/sim/*.[chS]"
  "${ROOT}/api/*.[chS]" "${ROOT}/scenarios/*.[chS]" "${ROOT}/sim/*.def"
  "${ROOT}/api/*.def" "${ROOT}/scenarios/*.def")
list(FILTER files EXCLUDE REGEX "^scenarios/drivers/")
if(NOT files)
  message(FATAL_ERROR "no file below ${ROOT} was checked")
endif()

# A .c with its .h is one module.
foreach(file IN LISTS files)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET file STEM stem)
  if(NOT folder IN_LIST rooms)
    message(SEND_ERROR "${file}: ${folder} is no room of rooms.txt")
  endif()
  if(NOT file MATCHES "\\.def$" AND NOT stem IN_LIST modules_${folder})
    list(APPEND modules_${folder} "${stem}")
  endif()
endforeach()
foreach(room IN LISTS rooms)
  list(LENGTH modules_${room} count)
  if(count GREATER most_modules)
    message(SEND_ERROR "${room} has ${count} modules, more than "
      "${most_modules}: it wants walls")
  endif()
  if(NOT EXISTS "${ROOT}/${room}")
    message(SEND_ERROR "rooms.txt: there is no ${room}")
  endif()
endforeach()

# Tests lie where their subject does: tests/runner stands for scenarios/runner.
file(GLOB_RECURSE tests RELATIVE "${ROOT}" "${ROOT}/tests/sim/test_*.c"
  "${ROOT}/tests/api/test_*.c" "${ROOT}/tests/runner/test_*.c")
foreach(test IN LISTS tests)
  cmake_path(GET test PARENT_PATH folder)
  string(REGEX REPLACE "^tests/" "" room "${folder}")
  string(REGEX REPLACE "^runner" "scenarios/runner" room "${room}")
  if(NOT room IN_LIST rooms)
    message(SEND_ERROR "${test}: ${room} is no room of rooms.txt")
  endif()
endforeach()

# What is looked at: all "..." and those <...> that name files of the project.
execute_process(
  COMMAND grep -EHn
    [[^[ 	]*#[ 	]*include[ 	]*("|<(sim|api|scenarios|tests)/)]] ${files}
  WORKING_DIRECTORY "${ROOT}" OUTPUT_VARIABLE includes RESULT_VARIABLE result)
if(result GREATER 1)
  message(FATAL_ERROR "grep failed: ${result}")
endif()
string(REGEX MATCHALL "[^\n]+" includes "${includes}")
foreach(include IN LISTS includes)
  if(NOT include MATCHES
      "^(([^:]+)/[^/:]+:[0-9]+):#include \"(([A-Za-z0-9_/]+)/[A-Za-z0-9_]+\\.[a-z]+)\"")
    message(SEND_ERROR "${include}: written as #include \"room/file.h\"")
    continue()
  endif()
  if(NOT CMAKE_MATCH_4 IN_LIST sees_${CMAKE_MATCH_2})
    message(SEND_ERROR "${CMAKE_MATCH_1}: ${CMAKE_MATCH_2} may not include "
      "\"${CMAKE_MATCH_3}\"")
  endif()
endforeach()
list(LENGTH files count)
list(LENGTH rooms room_count)
message(STATUS "${count} files in ${room_count} rooms checked")
