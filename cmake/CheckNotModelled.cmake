# cmake -D ROOT=dir -P CheckNotModelled.cmake: README.md, the table "Not
# modelled" of docs/fidelity.md, not_modelled.def and the kernel's own tables
# say the same. A routine that the table names is refused by name, one that is
# refused by name stands in the table, and neither has a row in exports.def. The
# opening of README.md names the five interfaces, each of which is there.
cmake_minimum_required(VERSION 3.25)

set(interfaces HalAllocateHardwareCounters KeSetHardwareCounterConfiguration
  KeQueryHardwareCounterConfiguration PcwCreateInstance
  PPHYSICAL_COUNTER_OVERFLOW_HANDLER)

# names_of(VARIABLE FILE REGEX): what the group of the regex matches, once each.
function(names_of variable file regex)
  file(GLOB_RECURSE path "${ROOT}/api/${file}" "${ROOT}/scenarios/${file}")
  if(NOT path)
    message(FATAL_ERROR "no file is called ${file}")
  endif()
  set(text "")
  foreach(one IN LISTS path)
    file(READ "${one}" part)
    string(APPEND text "${part}")
  endforeach()
  string(REGEX MATCHALL "${regex}" matches "${text}")
  list(TRANSFORM matches REPLACE "${regex}" "\\1")
  list(REMOVE_DUPLICATES matches)
  if(NOT matches)
    message(FATAL_ERROR "${file} has no names")
  endif()
  set(${variable} "${matches}" PARENT_SCOPE)
endfunction()

names_of(refused not_modelled.def "NOT_MODELLED\\(\"([A-Za-z]+)\"")
names_of(routines exports*.def "\nROUTINE\\(([A-Za-z0-9_]+)")
names_of(callbacks callbacks.def "CALLBACK_TYPE\\(([A-Z_]+)")

file(READ "${ROOT}/docs/fidelity.md" text)
if(NOT text MATCHES "\n## Not modelled\n(.*)")
  message(FATAL_ERROR "docs/fidelity.md has no section \"Not modelled\"")
endif()
string(REGEX REPLACE "\n## .*" "" section "${CMAKE_MATCH_1}")
# The first column of each row names what there is not.
string(REGEX MATCHALL "\n\\|[^|]+\\|" rows "${section}")
string(REGEX MATCHALL "`(Ex|Hal|Io|Iof|Ke|Kf|Mm|Ob|Pcw|Rtl|Enable|Disable|Query|Read)[A-Za-z]+`"
  documented "${rows}")
list(TRANSFORM documented REPLACE "`" "")

foreach(name IN LISTS documented)
  if(NOT name IN_LIST refused)
    message(SEND_ERROR "docs/fidelity.md: ${name} is no row of not_modelled.def")
  endif()
endforeach()
foreach(name IN LISTS refused)
  if(NOT name IN_LIST documented)
    message(SEND_ERROR "not_modelled.def: docs/fidelity.md does not say that "
      "${name} is not modelled")
  endif()
  if(name IN_LIST routines)
    message(SEND_ERROR "not_modelled.def: ${name} is a row of exports.def")
  endif()
endforeach()

file(READ "${ROOT}/README.md" text)
string(REGEX REPLACE "\n## .*" "" opening "${text}")
foreach(name IN LISTS interfaces)
  if(NOT opening MATCHES "`${name}`")
    message(SEND_ERROR "README.md: the opening does not name ${name}")
  endif()
  if(NOT name IN_LIST routines AND NOT name IN_LIST callbacks)
    message(SEND_ERROR "README.md: there is no ${name}")
  endif()
endforeach()
list(LENGTH refused count)
message(STATUS "${count} names that are not modelled")
