# cmake -D PROGRAM=ntpmu -D DIRECTORY=tests/reports -D WORK=dir
#   -D XMLLINT=program -P CompareReports.cmake
# Runs a copy of DIRECTORY/suite with every kind of report at once and compares
# what each writes with the file of that name in DIRECTORY; the XML has to be
# valid. With NTPMU_UPDATE set in the environment it writes those files instead.
set(reports junit=report.xml tap=report.tap jsonl=report.jsonl
  github=report.github)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
file(COPY "${DIRECTORY}/suite" DESTINATION "${WORK}")
set(arguments)
foreach(report IN LISTS reports)
  list(APPEND arguments --report "${report}")
endforeach()
execute_process(COMMAND "${PROGRAM}" run suite ${arguments}
  WORKING_DIRECTORY "${WORK}"
  OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE code)
if(NOT code EQUAL 3)
  message(SEND_ERROR "ntpmu exited with ${code}, not with 3")
endif()

foreach(report IN LISTS reports)
  string(REGEX REPLACE "^.*=" "" name "${report}")
  if(DEFINED ENV{NTPMU_UPDATE})
    file(COPY_FILE "${WORK}/${name}" "${DIRECTORY}/${name}")
  endif()
  file(READ "${WORK}/${name}" actual)
  file(READ "${DIRECTORY}/${name}" expected)
  if(NOT actual STREQUAL expected)
    message("--- expected\n${expected}--- actual\n${actual}---")
    message(SEND_ERROR "${name} differs from ${DIRECTORY}/${name}")
  endif()
endforeach()

execute_process(COMMAND "${XMLLINT}" --noout
    --schema "${DIRECTORY}/junit.xsd" "${WORK}/report.xml"
  RESULT_VARIABLE code ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
  message(SEND_ERROR "report.xml is not valid:\n${errors}")
endif()
