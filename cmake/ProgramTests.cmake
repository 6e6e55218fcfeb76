# Tests of the program as its users run it.
include(NtpmuScenarios)
set(samples "${PROJECT_BINARY_DIR}/scenarios/drivers")
ntpmu_add_scenarios(scenarios DIRECTORY "${PROJECT_SOURCE_DIR}/scenarios"
  DRIVERS "${samples}")

# ntpmu_golden_test(NAME EXPECTED ARGUMENT...): output and exit code of a call
# in the project's directory.
function(ntpmu_golden_test name expected)
  # Each in quotes, because a directory's name may have blanks.
  list(TRANSFORM ARGN PREPEND "\"")
  list(TRANSFORM ARGN APPEND "\"")
  list(JOIN ARGN " " arguments)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}"
    -D "PROGRAM=$<TARGET_FILE:ntpmu>" -D "ARGUMENTS=${arguments}"
    -D "DIRECTORY=${PROJECT_SOURCE_DIR}" -D "BUILD=${PROJECT_BINARY_DIR}"
    -D "EXPECTED=${expected}"
    -P "${PROJECT_SOURCE_DIR}/cmake/CompareOutput.cmake")
endfunction()

# Files with errors, and what is said of them.
file(GLOB bad CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bad/*.yaml")
foreach(file IN LISTS bad)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("bad.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/bad/${stem}.expected"
    validate "tests/bad/${stem}.yaml")
endforeach()

# Valid scenarios that do not pass, and how that is reported.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/*.yaml")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/failing/${stem}.expected"
    run "tests/failing/${stem}.yaml")
endforeach()

# The same with drivers; one may loop.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/drivers/*.yaml")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.drivers.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/failing/drivers/${stem}.expected"
    run "tests/failing/drivers/${stem}.yaml" --timeout 0.3
    --allow-driver "${samples}"
    --allow-driver "${CMAKE_CURRENT_BINARY_DIR}/drivers")
endforeach()

# What is said of drivers that do not get through, without a scenario.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/drive/*.expected")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.drive.${stem}" "${file}"
    drive "${CMAKE_CURRENT_BINARY_DIR}/drivers/${stem}.sys" --budget 1000)
endforeach()

# One line a case: name, then the arguments.
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/commands/cases.txt" cases
  REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/commands/cases.txt")
foreach(case IN LISTS cases)
  separate_arguments(words UNIX_COMMAND "${case}")
  list(POP_FRONT words name)
  ntpmu_golden_test("commands.${name}"
    "${PROJECT_SOURCE_DIR}/tests/commands/${name}.expected" ${words})
endforeach()

# Reports for programs, all kinds of one run.
find_program(XMLLINT xmllint REQUIRED)
add_test(NAME reports COMMAND "${CMAKE_COMMAND}"
  -D "PROGRAM=$<TARGET_FILE:ntpmu>"
  -D "DIRECTORY=${PROJECT_SOURCE_DIR}/tests/reports"
  -D "WORK=${CMAKE_CURRENT_BINARY_DIR}/reports" -D "XMLLINT=${XMLLINT}"
  -P "${PROJECT_SOURCE_DIR}/cmake/CompareReports.cmake")

add_test(NAME replay COMMAND "${PROJECT_SOURCE_DIR}/tests/replay"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}/scenarios" "${samples}"
  "${CMAKE_CURRENT_BINARY_DIR}/replay" ${NTPMU_PEER})
set_tests_properties(replay PROPERTIES TIMEOUT 300)

add_test(NAME driver.same_trace
  COMMAND "${PROJECT_SOURCE_DIR}/tests/same_trace" "$<TARGET_FILE:ntpmu>"
    "${PROJECT_SOURCE_DIR}/scenarios/drivers/sampler"
    "${CMAKE_CURRENT_BINARY_DIR}/same_trace"
    "${samples}/sampler.sys" "${samples}/mingw/sampler.sys")

add_test(NAME readme COMMAND "${PROJECT_SOURCE_DIR}/tests/readme"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}" "${samples}")

add_test(NAME new COMMAND "${PROJECT_SOURCE_DIR}/tests/new"
  "$<TARGET_FILE:ntpmu>" "${CMAKE_CURRENT_BINARY_DIR}/new")

add_test(NAME expand COMMAND "${PROJECT_SOURCE_DIR}/tests/expand"
  "$<TARGET_FILE:ntpmu>" "${CMAKE_CURRENT_BINARY_DIR}/expand"
  "${PROJECT_SOURCE_DIR}/scenarios"
  "${PROJECT_SOURCE_DIR}/tests/commands/expand")
set_tests_properties(expand PROPERTIES TIMEOUT 600)

add_test(NAME fmt COMMAND "${PROJECT_SOURCE_DIR}/tests/fmt"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}/tests/commands/fmt/untidy.yaml"
  "${CMAKE_CURRENT_BINARY_DIR}/fmt")

# The suite is laid out as the program does it.
add_test(NAME format.scenarios COMMAND ntpmu fmt --check
  "${PROJECT_SOURCE_DIR}/scenarios")
