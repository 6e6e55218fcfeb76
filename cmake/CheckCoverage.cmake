# Runs PROGRAM coverage below PATHS with the drivers in DRIVERS, and refuses less
# than LEAST percent tested and LEAST_PROVEN percent proven, a requirement that
# is failing or hollow, one with tag D or H of the FAMILIES, a regular expression,
# or with any tag of those of WHOLE, that is not proven though it could be, and
# JSON that is not what docs/requirements.md says.
cmake_policy(VERSION 3.25)
execute_process(
  COMMAND "${PROGRAM}" coverage ${PATHS} --allow-driver "${DRIVERS}"
    --format json --min-req "${LEAST}" --min-proven "${LEAST_PROVEN}"
  OUTPUT_VARIABLE json ERROR_VARIABLE text RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  # What is indented keeps its lines.
  string(REPLACE "\n" "\n  " text "  ${text}")
  message(SEND_ERROR "exit ${code}\n${text}")
endif()
string(JSON count LENGTH "${json}")
if(count EQUAL 0)
  message(FATAL_ERROR "no requirement at all")
endif()
# One by one, because to get from a long array takes the longer the longer it is.
string(REGEX REPLACE "\"same\":\\[[^]]*]," "" json "${json}")
string(REGEX REPLACE "[][;]" "_" json "${json}")
string(REGEX MATCHALL "{\"id\":[^{}]*\"on\":{[^{}]*}}" requirements "${json}")
list(LENGTH requirements found)
if(NOT found EQUAL count)
  message(FATAL_ERROR "${count} entries, and ${found} that can be read")
endif()
set(statuses failing proven cited xfail hollow unit untestable untested)
foreach(requirement IN LISTS requirements)
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
  string(JSON awaits ERROR_VARIABLE none GET "${requirement}" awaits)
  if(awaits AND NOT status STREQUAL untested)
    message(SEND_ERROR "${id} awaits ${awaits}, and is ${status}: take that key "
      "out of its entry")
  endif()
  if((tag MATCHES "^[DH]$" AND "${family}" MATCHES "^(${FAMILIES})(-|$)" OR
      "${family}" MATCHES "^(${WHOLE})(-|$)") AND
     NOT awaits AND NOT status MATCHES "^(proven|untestable|failing|hollow)$")
    message(SEND_ERROR "${id} is ${status}, and has to be proven: add a defect "
      "that makes its expectation fail to scenarios/requirements/proofs.txt")
  endif()
endforeach()
