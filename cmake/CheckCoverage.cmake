# Runs PROGRAM coverage below PATHS with the drivers in DRIVERS, and refuses less
# than LEAST percent, a requirement that is failing or hollow, and JSON that is
# not what docs/requirements.md says.
cmake_policy(VERSION 3.25)
execute_process(
  COMMAND "${PROGRAM}" coverage ${PATHS} --allow-driver "${DRIVERS}"
    --format json --min-req "${LEAST}"
  OUTPUT_VARIABLE json ERROR_VARIABLE text RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(SEND_ERROR "exit ${code}\n${text}")
endif()
string(JSON count LENGTH "${json}")
if(count EQUAL 0)
  message(FATAL_ERROR "no requirement at all")
endif()
set(statuses failing proven cited xfail hollow unit untestable untested)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON requirement GET "${json}" ${i})
  foreach(key id family tag status)
    string(JSON ${key} GET "${requirement}" ${key})
  endforeach()
  string(JSON kind TYPE "${requirement}" on)
  if(NOT status IN_LIST statuses OR NOT tag MATCHES "^[DHOC]$" OR
     NOT id MATCHES "^${family}-[0-9][0-9][a-z]?$" OR NOT kind STREQUAL OBJECT)
    message(SEND_ERROR "wrong entry: ${requirement}")
  endif()
  if(status STREQUAL failing OR status STREQUAL hollow)
    message(SEND_ERROR "${id} is ${status}")
  endif()
endforeach()
