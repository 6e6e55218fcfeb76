# Tests of the program as its users run it.
set(samples "${NTPMU_DRIVER_BUILD}/scenarios/drivers")
set(drivers "${NTPMU_DRIVER_BUILD}/tests/drivers")

# What the program does with text, files and processes is the same whichever
# compiler made it: tests of that alone, where they take long, are run of one, and of
# the other by `tools/test --all`.
set(once)
if(NTPMU_PEER)
  set(once CONFIGURATIONS All)
endif()

# Where they are no tests of their own, `replay` runs all instances.
include(NtpmuScenarios)
if(NTPMU_TEST_EACH)
  ntpmu_add_scenarios(scenarios DIRECTORY "${PROJECT_SOURCE_DIR}/scenarios"
    DRIVERS "${samples}")
endif()

# ntpmu_golden_test(NAME EXPECTED ARGUMENT...): output and exit code of a call
# in the project's directory.
function(ntpmu_golden_test name expected)
  # Each in quotes, because a directory's name may have blanks.
  list(TRANSFORM ARGN PREPEND "\"")
  list(TRANSFORM ARGN APPEND "\"")
  list(JOIN ARGN " " arguments)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}"
    -D "PROGRAM=$<TARGET_FILE:ntpmu>" -D "ARGUMENTS=${arguments}"
    -D "DIRECTORY=${PROJECT_SOURCE_DIR}" -D "BUILD=${NTPMU_DRIVER_BUILD}"
    -D "EXPECTED=${expected}"
    -P "${PROJECT_SOURCE_DIR}/cmake/CompareOutput.cmake")
  # No last results: they would depend on which tests have run.
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "XDG_CACHE_HOME=/dev/null")
endfunction()

# Files with errors, and what is said of them.
file(GLOB bad CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bad/*.yaml")
foreach(file IN LISTS bad)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("bad.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/bad/${stem}.expected"
    validate "tests/bad/${stem}.yaml")
endforeach()

# Typical mistakes of a scenario's author, and how each is answered.
file(GLOB mistakes CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/mistakes/*.yaml")
foreach(file IN LISTS mistakes)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("mistakes.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/mistakes/${stem}.expected"
    run "tests/mistakes/${stem}.yaml")
endforeach()
add_test(NAME mistakes.answered COMMAND "${CMAKE_COMMAND}"
  -D "TESTS=${PROJECT_SOURCE_DIR}/tests/mistakes"
  -P "${PROJECT_SOURCE_DIR}/cmake/CheckMistakes.cmake")

# Every error that a file can have is among them.
add_test(NAME diagnostics.covered COMMAND "${CMAKE_COMMAND}"
  -D "DEFINITIONS=${PROJECT_SOURCE_DIR}/scenarios/runner/yaml/diagnostics.def"
  -D "TESTS=${PROJECT_SOURCE_DIR}/tests"
  -P "${PROJECT_SOURCE_DIR}/cmake/CheckDiagnostics.cmake")

# Counter manifests, what is said of them, and of each problem one of them has.
file(GLOB manifests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/manifests/*.man")
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/manifests")
foreach(file IN LISTS manifests)
  cmake_path(GET file STEM stem)
  set(made "${CMAKE_CURRENT_BINARY_DIR}/manifests/${stem}")
  ntpmu_golden_test("manifests.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/manifests/${stem}.expected"
    ctrpp -o "${made}.h" -rc "${made}.rc" -ch "${made}_symbols.h"
    "tests/manifests/${stem}.man")
endforeach()
add_test(NAME manifests.covered COMMAND "${CMAKE_COMMAND}"
  -D "DEFINITIONS=${PROJECT_SOURCE_DIR}/api/ctrpp/problems.def"
  -D "TESTS=${PROJECT_SOURCE_DIR}/tests"
  -P "${PROJECT_SOURCE_DIR}/cmake/CheckDiagnostics.cmake")

# Valid scenarios that do not pass, and how that is reported.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/*.yaml")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/failing/${stem}.expected"
    run "tests/failing/${stem}.yaml")
endforeach()

# Races that are lost in some schedules only: each is found, and its schedule loses
# it again. And the suite holds in others than its usual one.
file(GLOB races CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/races/*.yaml")
foreach(file IN LISTS races)
  cmake_path(GET file STEM stem)
  # What is lost between two instructions.
  set(stepping "")
  if(stem MATCHES "^stepped_")
    set(stepping --step-drivers)
  endif()
  ntpmu_golden_test("races.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/races/${stem}.expected"
    explore "tests/races/${stem}.yaml" ${stepping}
      --allow-driver "${NTPMU_DRIVER_BUILD}/tests/drivers"
      --allow-driver "${NTPMU_DRIVER_BUILD}/scenarios/drivers")
  add_test(NAME "races.replayed.${stem}"
    COMMAND "${PROJECT_SOURCE_DIR}/tests/races/replayed" "$<TARGET_FILE:ntpmu>"
      "${file}" "${NTPMU_DRIVER_BUILD}" ${stepping})
endforeach()
add_test(NAME explore.stepped ${once} COMMAND ntpmu explore scenarios/drivers/queues
  scenarios/drivers/ticker scenarios/drivers/worker scenarios/drivers/deferred
  scenarios/drivers/meter scenarios/drivers/depot
  --allow-driver "${NTPMU_DRIVER_BUILD}/scenarios/drivers" --step-drivers
  --mode random --max-schedules 3 -j2
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME explore.each_point ${once} COMMAND ntpmu explore scenarios
  --basis documented --mode each_point -j2
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME explore.each_point_of_drivers CONFIGURATIONS All
  COMMAND ntpmu explore scenarios/drivers
  --allow-driver "${NTPMU_DRIVER_BUILD}/scenarios/drivers" --basis documented
  --mode each_point -j2
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME explore.random ${once} COMMAND ntpmu explore scenarios --basis documented
  --mode random --max-schedules 4 -j2
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

# Drivers that make a mistake where a call fails: each is found at the call, and found
# again by it. And what was tried is not tried again.
file(GLOB failures CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/failures/*.yaml")
foreach(file IN LISTS failures)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failures.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/failures/${stem}.expected"
    run "tests/failures/${stem}.yaml" --fail-each --verbose
      --allow-driver "${drivers}")
  add_test(NAME "failures.replayed.${stem}"
    COMMAND "${PROJECT_SOURCE_DIR}/tests/failures/replayed" "$<TARGET_FILE:ntpmu>"
      "${file}" "${drivers}")
endforeach()
# Those alone below a function: which makes the call, which called that, which is the
# last that a call is known by, and none.
foreach(function IN ITEMS make make_before control nobody)
  ntpmu_golden_test("failures.below.${function}"
    "${PROJECT_SOURCE_DIR}/tests/failures/below/${function}.expected"
    run "tests/failures/native_null_used.yaml" --fail-each --verbose
      --fail-scope function=${function} --allow-driver "${drivers}")
endforeach()
# An actor beside a driver is set-up, unless it is named.
ntpmu_golden_test("failures.named" "${PROJECT_SOURCE_DIR}/tests/failures/below/named.expected"
  run "tests/failures/native_program.yaml" --fail-each --verbose
    --fail-scope actor=drvA --allow-driver "${drivers}")
add_test(NAME failures.resumed ${once}
  COMMAND "${PROJECT_SOURCE_DIR}/tests/failures/resumed" "$<TARGET_FILE:ntpmu>"
    "${CMAKE_CURRENT_BINARY_DIR}/failures" "${drivers}"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME failures.interrupted ${once}
  COMMAND "${PROJECT_SOURCE_DIR}/tests/failures/interrupted" "$<TARGET_FILE:ntpmu>"
    "${CMAKE_CURRENT_BINARY_DIR}/failures_interrupted" "${drivers}"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
# Samples that are right stay so wherever a call of theirs fails, by either compiler.
# A variant without a mistake says so in its defects.h: none.
set(right_scenarios)
set(right_mingw)
file(GLOB sample_scenarios CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/scenarios/drivers/*/*.yaml")
foreach(file IN LISTS sample_scenarios)
  cmake_path(GET file PARENT_PATH directory)
  cmake_path(GET directory FILENAME sample)
  file(STRINGS "${file}" right
    REGEX "image: ${sample}(_vc9|_kept_by_io|_own_item|_try_item|_frees_itself)?[.]sys")
  file(STRINGS "${file}" plain REGEX "image: ${sample}[.]sys")
  if(right)
    list(APPEND right_scenarios "${file}")
  endif()
  if(plain AND sample MATCHES "^(deferred|depot|meter|queues|sampler|ticker|worker)$")
    list(APPEND right_mingw "${file}")
  endif()
endforeach()
add_test(NAME failures.clean ${once} COMMAND ntpmu run ${right_scenarios} --fail-each
    --allow-driver "${samples}" -j2
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME failures.clean.mingw ${once} COMMAND ntpmu run ${right_mingw} --fail-each
    --allow-driver "${samples}/mingw" -j2
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

# Parts of a run, joined: what the whole says. One of the races has thousands of
# schedules, none of which loses it: `scenarios/language` has others of that kind.
set(races_of_parts)
foreach(file IN LISTS races)
  if(NOT file MATCHES "/stepped_no_call[.]yaml$")
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(APPEND races_of_parts "|${file}")
  endif()
endforeach()
foreach(case IN ITEMS
    "failing|3|run|tests/failing"
    "more_than_instances|40|run|scenarios/hal/exclusive.yaml"
    "order|2|run|scenarios/hal|--order|random:3"
    "drivers|2|run|scenarios/drivers|--allow-driver|${samples}"
    "races|3|explore${races_of_parts}|--allow-driver|${drivers}"
    "failures|3|run|tests/failures|--fail-each|--allow-driver|${drivers}"
    "random|4|explore${races_of_parts}|--mode|random|--seed|7|--max-schedules|10|--allow-driver|${drivers}"
    "schedules|3|explore|scenarios/language")
  string(REPLACE "|" ";" case "${case}")
  list(POP_FRONT case name)
  add_test(NAME "parts.${name}" ${once}
    COMMAND "${PROJECT_SOURCE_DIR}/tests/parts/joined" "$<TARGET_FILE:ntpmu>"
      "${CMAKE_CURRENT_BINARY_DIR}/parts/${name}" ${case}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endforeach()
add_test(NAME parts.refused
  COMMAND "${PROJECT_SOURCE_DIR}/tests/parts/refused" "$<TARGET_FILE:ntpmu>"
    "${CMAKE_CURRENT_BINARY_DIR}/parts/refused"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
# Each part in a name space of its own.
foreach(case IN ITEMS "run|4|run|scenarios|--allow-driver|${samples}"
    "explore|4|explore|scenarios|--mode|pct|--max-schedules|10|--allow-driver|${samples}")
  string(REPLACE "|" ";" case "${case}")
  list(POP_FRONT case name)
  add_test(NAME "parts.apart.${name}" CONFIGURATIONS All
    COMMAND "${PROJECT_SOURCE_DIR}/tests/parts/joined" "$<TARGET_FILE:ntpmu>"
      "${CMAKE_CURRENT_BINARY_DIR}/parts/apart_${name}" ${case}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties("parts.apart.${name}" PROPERTIES SKIP_RETURN_CODE 77
    ENVIRONMENT NTPMU_APART=yes)
endforeach()

# The page of a chart, in a browser.
find_program(NTPMU_BROWSER chromium DOC "Chromium, which opens pages in tests")
add_test(NAME pages.chart CONFIGURATIONS All
  COMMAND "${CMAKE_COMMAND}" "-DNTPMU=$<TARGET_FILE:ntpmu>"
    "-DBROWSER=${NTPMU_BROWSER}" "-DROOT=${PROJECT_SOURCE_DIR}"
    "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/pages"
    -P "${PROJECT_SOURCE_DIR}/cmake/LookAtPage.cmake")
set_tests_properties(pages.chart PROPERTIES TIMEOUT 300)

# Scenarios that pass, and fail when one thing of them is wrong; and that there is
# one for each row of the tables that say what can be.
file(GLOB judged CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/judged/*.yaml")
foreach(file IN LISTS judged)
  cmake_path(GET file STEM stem)
  add_test(NAME "judged.${stem}"
    COMMAND "${PROJECT_SOURCE_DIR}/tests/judged/judged" "$<TARGET_FILE:ntpmu>"
      "${file}" "${NTPMU_DRIVER_BUILD}" ${stepping})
endforeach()
add_executable(list_judged "${PROJECT_SOURCE_DIR}/tests/judged/list_rows.c")
target_link_libraries(list_judged PRIVATE runner)
ntpmu_warnings(list_judged)
add_test(NAME judged_rows COMMAND "${PROJECT_SOURCE_DIR}/tests/judged/every"
  "$<TARGET_FILE:list_judged>" "${PROJECT_SOURCE_DIR}")
add_test(NAME judged_refuses
  COMMAND "${PROJECT_SOURCE_DIR}/tests/judged/refuses" "$<TARGET_FILE:ntpmu>"
    "${NTPMU_DRIVER_BUILD}" "${CMAKE_CURRENT_BINARY_DIR}/judged")
add_test(NAME judged.internal
  COMMAND "${PROJECT_SOURCE_DIR}/tests/judged/internal" "$<TARGET_FILE:ntpmu>"
    "${PROJECT_SOURCE_DIR}")

# The same as failing, with drivers; one may loop.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/drivers/*.yaml")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.drivers.${stem}"
    "${PROJECT_SOURCE_DIR}/tests/failing/drivers/${stem}.expected"
    run "tests/failing/drivers/${stem}.yaml" --timeout 0.3
    --allow-driver "${samples}"
    --allow-driver "${drivers}")
endforeach()

# What a report has of imports that the scenario answers for, and of missing ones.
foreach(of IN ITEMS replaced partly)
  ntpmu_golden_test("reports.imports_${of}"
    "${PROJECT_SOURCE_DIR}/tests/reports/imports_${of}.expected"
    run "tests/failing/drivers/imports_${of}.yaml" --report jsonl=-
    --allow-driver "${drivers}")
endforeach()

foreach(kind IN ITEMS tap junit github)
  ntpmu_golden_test("reports.imports_partly_${kind}"
    "${PROJECT_SOURCE_DIR}/tests/reports/imports_partly_${kind}.expected"
    run "tests/failing/drivers/imports_partly.yaml" --report ${kind}=-
    --allow-driver "${drivers}")
endforeach()

# What a driver's process shows of its steps, though it does not end.
ntpmu_golden_test("commands.step_of_a_driver"
  "${PROJECT_SOURCE_DIR}/tests/commands/step_of_a_driver.expected"
  run "tests/failing/drivers/pends.yaml" --step
  --allow-driver "${drivers}")

# What drivers publish, alone and with a scenario.
set(man "scenarios/drivers/queues/queue_counters.man")
ntpmu_golden_test("commands.counters_of_an_image"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_an_image.expected"
  counters "${samples}/queues.sys" --manifest "${man}" --samples 2 --cpus 2)
ntpmu_golden_test("commands.counters_of_an_image_that_breaks_a_rule"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_an_image_that_breaks_a_rule.expected"
  counters "${samples}/queues_id_reserved.sys" --manifest "${man}" --samples 2 --cpus 1)
ntpmu_golden_test("commands.counters_of_an_image_that_creates_unchecked"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_an_image_that_creates_unchecked.expected"
  counters "${drivers}/published.sys" --samples 1)
ntpmu_golden_test("commands.counters_of_an_image_whose_instance_is_refused"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_an_image_whose_instance_is_refused.expected"
  counters "${drivers}/published_short.sys" --samples 1)
ntpmu_golden_test("commands.counters_of_an_image_that_has_none"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_an_image_that_has_none.expected"
  counters "${samples}/sampler.sys")
ntpmu_golden_test("commands.counters_of_an_image_that_loops"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_an_image_that_loops.expected"
  counters "${drivers}/loop.sys" --timeout 0.3)
ntpmu_golden_test("commands.counters_of_a_driver"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_a_driver.expected"
  counters "tests/commands/counters/queues.yaml" --manifest "${man}"
  --allow-driver "${samples}")
ntpmu_golden_test("commands.counters_of_a_driver_that_is_not_allowed"
  "${PROJECT_SOURCE_DIR}/tests/commands/counters_of_a_driver_that_is_not_allowed.expected"
  counters "tests/commands/counters/queues.yaml")

# What is said of drivers that do not get through, without a scenario.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/drive/*.expected")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.drive.${stem}" "${file}"
    drive "${drivers}/${stem}.sys" --budget 1000)
endforeach()
# Reads, writes and control codes, in the order in which they are given.
ntpmu_golden_test("commands.drive_that_reads_and_writes"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_that_reads_and_writes.expected"
  drive "${samples}/methods.sys" --read 4:16 --ioctl 0x222003:010203:4
  --write 0506 --write 07:8)
# What the tool says of lists of imports.
add_test(NAME imports COMMAND "${PROJECT_SOURCE_DIR}/tests/imports/imports"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}")

# What drivers come to that import what nobody models, and are not refused.
file(GLOB failing CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/failing/missing/*.expected")
foreach(file IN LISTS failing)
  cmake_path(GET file STEM stem)
  ntpmu_golden_test("failing.missing.${stem}" "${file}"
    drive "${drivers}/${stem}.sys")
endforeach()
ntpmu_golden_test("commands.drive_with_strict_imports"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_with_strict_imports.expected"
  drive "${drivers}/missing_unreached.sys" --strict-imports)
ntpmu_golden_test("commands.drive_with_an_msr_that_is_fixed"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_with_an_msr_that_is_fixed.expected"
  drive "${drivers}/runtime_clang.sys" --msr 0x0=0)
ntpmu_golden_test("commands.drive_with_an_msr_that_is_stored"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_with_an_msr_that_is_stored.expected"
  drive "${drivers}/runtime_clang.sys" --msr 0x0=0,stored)
ntpmu_golden_test("commands.drive_several"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_several.expected"
  drive "${drivers}/refuses.sys" "${drivers}/hello_clang.sys"
  "${drivers}/lookup.sys" "${drivers}/keeps.sys" "${drivers}/gone.sys"
  --budget 1000)

# What memory integrity would have otherwise, and whom it fails.
foreach(found IN ITEMS pool pool_flag list write_execute init_writable
    import_table cookie_missing cookie_zero unguarded)
  list(APPEND integrity "${samples}/integrity_${found}.sys")
endforeach()
ntpmu_golden_test("commands.drive_against_memory_integrity"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_against_memory_integrity.expected"
  drive "${samples}/integrity.sys" ${integrity})
ntpmu_golden_test("commands.drive_as_a_verifier_does"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_as_a_verifier_does.expected"
  drive --verifier "${samples}/integrity.sys" "${samples}/integrity_list.sys")

# Devices that are registered for a shutdown are told of one, too.
ntpmu_golden_test("commands.drive_at_a_shutdown"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_at_a_shutdown.expected"
  drive "${samples}/saver.sys" "${samples}/saver_late_paged.sys")

# What is asked of one, and on which Windows.
ntpmu_golden_test("commands.drive_with_requests"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_with_requests.expected"
  drive "${samples}/ticker.sys" --ioctl 0x22E000 --ioctl 0x22E008::8 --cpus 2
  --model intel_v3)
# It stops in the read of the last device, and what was answered before that is no
# failure.
ntpmu_golden_test("commands.drive_that_stops_late"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_that_stops_late.expected"
  drive "${samples}/held.sys" --ioctl 0x222000:0000000000:8 --read 4)
# Whoever asks is a program: a handle that it has made up is no mistake of a driver
# that has asked whether it is one.
ntpmu_golden_test("commands.drive_with_a_handle_of_nothing"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_with_a_handle_of_nothing.expected"
  drive "${samples}/signaler.sys" --ioctl 0x222000:4444000000000000)
ntpmu_golden_test("commands.drive_on_all_windows_with_missing_imports"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_on_all_windows_with_missing_imports.expected"
  drive "${drivers}/missing_unreached.sys" "${drivers}/missing_called.sys"
  --os all)
ntpmu_golden_test("commands.drive_on_all_windows"
  "${PROJECT_SOURCE_DIR}/tests/commands/drive_on_all_windows.expected"
  drive "${samples}/queues.sys" "${samples}/queues_version_2.sys"
  "${samples}/sampler_null_call.sys" --os all --ioctl 0x22E000:00000000)

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

# The share of the requirements that the suite and the unit tests test, in
# percent. It only grows: raise it when `ntpmu coverage` prints more; new
# requirements come with what tests them.
set(least_coverage 90.0)
# The same of what is proven, of documents and headers.
set(least_proven 96.2)
# All families but those of the PMU: all of it is proven that can be.
set(proven_families "AFF|APC|BUG|BUS|CBK|CI|CPU|CTR|DPC|ERES|EVT|EXE|FMTX|FPU|GEN|GRP|HAL|HCP|ILOCK|IMP|INT|IO|IPI|IRQL|KHC|LOCK|LOOK|MDL|MMIO|MTX|NMI|OB|PAGED|PCW|POOL|PRI|PROC|PROF|PUSH|QLOCK|QPC|REG|RLOCK|RTL|RUND|RWLK|SEC|SEM|SLIST|STALL|SYSR|THR|TID|TIME|TMR|VRF|WAIT|WORK|XTMR|ZW")
# Of these our own rulings as well.
set(proven_whole "AFF|APC|BUG|BUS|CBK|CI|CPU|DPC|ERES|EVT|EXE|FMTX|FPU|GEN|GRP|HAL|HCP|ILOCK|IMP|INT|IO|IPI|IRQL|KHC|LOCK|LOOK|MDL|MMIO|MTX|NMI|OB|PAGED|PCW|POOL|PRI|PROC|PROF|PUSH|QLOCK|QPC|REG|RLOCK|RTL|RUND|RWLK|SEC|SEM|SLIST|STALL|THR|TID|TIME|TMR|VRF|WAIT|WORK|XTMR|ZW")
set(coverage "${CMAKE_COMMAND}" -D "PROGRAM=$<TARGET_FILE:ntpmu>"
  -D "DRIVERS=${samples}")
set(check_coverage -P "${PROJECT_SOURCE_DIR}/cmake/CheckCoverage.cmake")
if(NOT NTPMU_PEER)
  add_test(NAME coverage.suite COMMAND ${coverage}
    -D "PATHS=${PROJECT_SOURCE_DIR}/scenarios" -D "LEAST=${least_coverage}"
    -D "LEAST_PROVEN=${least_proven}" -D "FAMILIES=${proven_families}"
    -D "WHOLE=${proven_whole}" ${check_coverage})
endif()
# What that record says proves it does: it names nothing that is gone, and the
# first entry of each family fails where it should. tools/test tries them all.
if(CMAKE_GENERATOR STREQUAL "Ninja" AND NOT NTPMU_PEER)
  set(prove "${PROJECT_SOURCE_DIR}/tools/prove" --build
    "${PROJECT_BINARY_DIR}")
  add_test(NAME proofs.stale COMMAND ${prove} --stale)
  # So does every defect that is said to make no difference.
  add_test(NAME equivalents.stale COMMAND mutate equivalents
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  add_test(NAME proofs.first COMMAND ${prove} --first)
  set_tests_properties(proofs.first PROPERTIES TIMEOUT 900 COST 60)
endif()
set(tree "${PROJECT_SOURCE_DIR}/tests/commands/coverage")
foreach(case
    "failing:fails:IRQL-01a is failing"
    "hollow:hollow:HAL-FREE-01 is hollow"
    "less:passes:--min-req asks for ${least_coverage}%"
    "less_proven:passes:--min-proven asks for ${least_proven}%"
    "unproven:passes:HAL-FREE-01 is untested, and has to be proven"
    "unproven_ruling:passes:HAL-ALLOC-34 is untested, and has to be proven")
  string(REGEX MATCH "^(.*):(.*):(.*)$" case "${case}")
  set(name coverage.refuses_${CMAKE_MATCH_1})
  set(mentions "${CMAKE_MATCH_3}")
  add_test(NAME ${name} COMMAND ${coverage}
    -D "PATHS=${tree}/${CMAKE_MATCH_2}.yaml" -D "LEAST=${least_coverage}"
    -D "LEAST_PROVEN=${least_proven}" -D "FAMILIES=${proven_families}"
    -D "WHOLE=${proven_whole}" ${check_coverage})
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${mentions}")
endforeach()

# What failed is said once there, too, and in the end by requirement.
add_test(NAME coverage.failures_in_common
  COMMAND ntpmu coverage tests/failing/matrix.yaml
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set(words "matrix.yaml:11:23: FAIL failing.matrix.low,os=WIN8. step 1: returns: "
  "expected[^\n]*\n[^\n]*FAIL failing.matrix.high,os=WIN8. step finally.1: "
  "[^\n]*\n[^\n]*11:23: the same as in failing.matrix.low,os=WIN8. step 1 in 5 more instances: .*\n"
  "  IRQL-01a +6 instances, first tests/failing/matrix.yaml:11:23\n")
list(JOIN words "" words)
set_tests_properties(coverage.failures_in_common PROPERTIES
  PASS_REGULAR_EXPRESSION "${words}")

# Reports for programs, all kinds of one run.
find_program(XMLLINT xmllint REQUIRED)
add_test(NAME reports COMMAND "${CMAKE_COMMAND}"
  -D "PROGRAM=$<TARGET_FILE:ntpmu>"
  -D "DIRECTORY=${PROJECT_SOURCE_DIR}/tests/reports"
  -D "WORK=${CMAKE_CURRENT_BINARY_DIR}/reports" -D "XMLLINT=${XMLLINT}"
  -P "${PROJECT_SOURCE_DIR}/cmake/CompareReports.cmake")

# Each write of each command and report fails in turn. A command or a report that
# is new needs no line here, but one in tests/writes/cases.txt.
add_executable(fail_write "${PROJECT_SOURCE_DIR}/tests/writes/fail_write.c")
ntpmu_warnings(fail_write)
set(writes "${PROJECT_SOURCE_DIR}/tests/writes/writes" "$<TARGET_FILE:fail_write>"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}" "${drivers}")
file(STRINGS "${PROJECT_SOURCE_DIR}/scenarios/runner/command_line/options.def"
  commands REGEX "^COMMAND\\(")
foreach(command IN LISTS commands)
  string(REGEX REPLACE "^COMMAND\\([A-Z]+, *([a-z]+),.*" "\\1" command
    "${command}")
  add_test(NAME writes.${command} ${once} COMMAND ${writes}
    "${CMAKE_CURRENT_BINARY_DIR}/writes/${command}" ${command})
endforeach()
file(STRINGS "${PROJECT_SOURCE_DIR}/scenarios/runner/report/reports.def"
  kinds REGEX "^REPORT\\(")
foreach(kind IN LISTS kinds)
  string(REGEX REPLACE "^REPORT\\([^\"]*\"([a-z]+)\".*" "\\1" kind "${kind}")
  add_test(NAME writes.report_${kind} ${once} COMMAND ${writes}
    "${CMAKE_CURRENT_BINARY_DIR}/writes/report_${kind}" --report ${kind})
endforeach()

# Names of files that would be more than text where they are printed.
add_test(NAME nasty ${once} COMMAND "${PROJECT_SOURCE_DIR}/tests/nasty"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}" "${drivers}"
  "${CMAKE_CURRENT_BINARY_DIR}/nasty")
set_tests_properties(nasty PROPERTIES TIMEOUT 300)

# Runs that somebody interrupts, and those whose reader leaves.
add_test(NAME interrupted COMMAND "${PROJECT_SOURCE_DIR}/tests/interrupted"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}" "${drivers}"
  "${CMAKE_CURRENT_BINARY_DIR}/interrupted")
set_tests_properties(interrupted PROPERTIES TIMEOUT 120)

# Tests of the configuration All are those of `tools/test --all`. The long ones
# begin first. What the suite leaves when it runs in a batch is compared by
# several of them: it runs once. That of the other compiler's program stays from
# its own tests, while it is the newest.
set(suite "${PROJECT_SOURCE_DIR}/scenarios")
set(batch "${CMAKE_CURRENT_BINARY_DIR}/batch")
set(peer_batch)
add_test(NAME batch COMMAND "${PROJECT_SOURCE_DIR}/tests/batch"
  "$<TARGET_FILE:ntpmu>" "${suite}" "${samples}" "${batch}")
set_tests_properties(batch PROPERTIES FIXTURES_SETUP suite_batch TIMEOUT 900
  COST 120)
if(NTPMU_PEER)
  cmake_path(GET NTPMU_PEER PARENT_PATH peer_batch)
  string(APPEND peer_batch "/tests/batch")
  add_test(NAME batch.peer COMMAND "${PROJECT_SOURCE_DIR}/tests/batch"
    --if-older "${NTPMU_PEER}" "${suite}" "${samples}" "${peer_batch}")
  set_tests_properties(batch.peer PROPERTIES FIXTURES_SETUP suite_batch
    TIMEOUT 900 COST 120)
endif()
add_test(NAME replay COMMAND "${PROJECT_SOURCE_DIR}/tests/replay"
  "$<TARGET_FILE:ntpmu>" "${suite}" "${samples}" "${batch}"
  "${CMAKE_CURRENT_BINARY_DIR}/replay" ${peer_batch})
add_test(NAME replay.every CONFIGURATIONS All
  COMMAND "${PROJECT_SOURCE_DIR}/tests/replay" --all
  "$<TARGET_FILE:ntpmu>" "${suite}" "${samples}" "${batch}"
  "${CMAKE_CURRENT_BINARY_DIR}/replay_every")
set_tests_properties(replay replay.every PROPERTIES TIMEOUT 900 COST 100
  FIXTURES_REQUIRED suite_batch)

# Every row of the kernel's and the machine's tables is exercised by a scenario. The same for every
# compiler.
if(NOT NTPMU_PEER)
  add_executable(list_rows "${PROJECT_SOURCE_DIR}/tests/exercised/list_rows.c")
  target_link_libraries(list_rows PRIVATE api)
  ntpmu_warnings(list_rows)
  add_test(NAME exercised.rows
    COMMAND "${PROJECT_SOURCE_DIR}/tests/exercised/exercised"
      "$<TARGET_FILE:list_rows>" "${batch}.trace" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(exercised.rows PROPERTIES FIXTURES_REQUIRED suite_batch)
  # A row that nobody exercises, a reason that is none, one too many, and one for
  # nothing.
  add_test(NAME exercised.refuses
    COMMAND "${PROJECT_SOURCE_DIR}/tests/exercised/refuses"
      "${PROJECT_SOURCE_DIR}/tests/exercised/exercised"
      "${CMAKE_CURRENT_BINARY_DIR}/exercised")
endif()

add_test(NAME jobs COMMAND "${PROJECT_SOURCE_DIR}/tests/jobs"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}"
  "${CMAKE_CURRENT_BINARY_DIR}/jobs")
set_tests_properties(jobs PROPERTIES TIMEOUT 300)

# Samples start and end without a broken rule, and leave nothing.
foreach(sample IN ITEMS pmuctl sampler profiler queues meter depot)
  add_test(NAME driver.drive.${sample}
    COMMAND ntpmu drive "${samples}/${sample}.sys")
endforeach()

foreach(sample IN ITEMS sampler queues meter depot)
  add_test(NAME driver.same_trace.${sample}
    COMMAND "${PROJECT_SOURCE_DIR}/tests/same_trace" "$<TARGET_FILE:ntpmu>"
      "${PROJECT_SOURCE_DIR}/scenarios/drivers/${sample}"
      "${CMAKE_CURRENT_BINARY_DIR}/same_trace/${sample}"
      "${samples}/${sample}.sys" "${samples}/mingw/${sample}.sys")
endforeach()

add_test(NAME readme COMMAND "${PROJECT_SOURCE_DIR}/tests/readme"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}" "${samples}")

add_test(NAME own_project COMMAND "${PROJECT_SOURCE_DIR}/tests/own_project"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}"
  "${CMAKE_CURRENT_BINARY_DIR}/own_project")

add_test(NAME drive COMMAND "${PROJECT_SOURCE_DIR}/tests/drive"
  "$<TARGET_FILE:ntpmu>" "${CMAKE_CURRENT_BINARY_DIR}/drive"
  "${samples}/saver.sys" "${drivers}/halts.sys" "${samples}/pmuctl.sys"
  "${samples}/sampler.sys")

# A process a routine: the peer's need not be all of them.
set(every_routine 1)
if(NTPMU_PEER)
  set(every_routine 10)
endif()
add_test(NAME new COMMAND "${PROJECT_SOURCE_DIR}/tests/new"
  "$<TARGET_FILE:ntpmu>" "${CMAKE_CURRENT_BINARY_DIR}/new" ${every_routine})

# What it writes is text: the same whichever compiler made the program.
if(NOT NTPMU_PEER)
  set(expand "${PROJECT_SOURCE_DIR}/tests/expand")
  set(expanded "${batch}" "${suite}"
    "${PROJECT_SOURCE_DIR}/tests/commands/expand")
  add_test(NAME expand COMMAND "${expand}" --first "$<TARGET_FILE:ntpmu>"
    "${samples}" "${CMAKE_CURRENT_BINARY_DIR}/expand" ${expanded})
  add_test(NAME expand.every CONFIGURATIONS All
    COMMAND "${expand}" "$<TARGET_FILE:ntpmu>" "${samples}"
    "${CMAKE_CURRENT_BINARY_DIR}/expand_every" ${expanded})
  set_tests_properties(expand expand.every PROPERTIES TIMEOUT 900 COST 90
    FIXTURES_REQUIRED suite_batch
    ENVIRONMENT "XDG_CACHE_HOME=/dev/null")
endif()

add_test(NAME fmt COMMAND "${PROJECT_SOURCE_DIR}/tests/fmt"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}/tests/commands/fmt/untidy.yaml"
  "${CMAKE_CURRENT_BINARY_DIR}/fmt")

add_test(NAME update COMMAND "${PROJECT_SOURCE_DIR}/tests/update"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}/tests/updates" "${samples}"
  "${CMAKE_CURRENT_BINARY_DIR}/update")

# docs/language.md is what the tables say.
add_test(NAME docs.language COMMAND "${PROJECT_SOURCE_DIR}/tests/language"
  "$<TARGET_FILE:ntpmu>" "${PROJECT_SOURCE_DIR}/docs/language.md")

# And so are the pages of all routines and models.
foreach(list IN ITEMS routines models)
  add_test(NAME docs.${list} ${once} COMMAND "${PROJECT_SOURCE_DIR}/tests/explained"
    "$<TARGET_FILE:ntpmu>" ${list} "${PROJECT_SOURCE_DIR}/docs/${list}.md")
endforeach()

# docs/map.md is what the files' first lines say.
add_test(NAME docs.map COMMAND "${PROJECT_SOURCE_DIR}/tests/map"
  "${PROJECT_SOURCE_DIR}")

# The suite is laid out as the program does it.
add_test(NAME format.scenarios COMMAND ntpmu fmt --check
  "${PROJECT_SOURCE_DIR}/scenarios")
# Whoever runs tests keeps the last results of their own runs.
set_tests_properties(driver.same_trace.sampler driver.same_trace.queues
  driver.same_trace.meter driver.same_trace.depot readme own_project new update
  reports PROPERTIES
  ENVIRONMENT "XDG_CACHE_HOME=/dev/null")

if(NOT NTPMU_PEER)
  include(SchemaTest)
endif()

# The benchmarks are built, and the tables of docs/performance.md are those of the
# stored figures.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT NTPMU_PEER)
  add_custom_target(benchmarks ALL DEPENDS ntpmu_bench)
  add_test(NAME docs.performance
    COMMAND "${PROJECT_SOURCE_DIR}/tests/performance"
    "$<TARGET_FILE:ntpmu_bench>" "${PROJECT_SOURCE_DIR}")
endif()

# The PMU model as a library for others: built alone, installed, and linked from
# outside, by C and by C++.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  find_program(PACKAGE_CXX g++ REQUIRED)
else()
  find_program(PACKAGE_CXX clang++ REQUIRED)
endif()
add_test(NAME package COMMAND "${CMAKE_COMMAND}"
  -D "PROJECT=${PROJECT_SOURCE_DIR}" -D "WORK=${PROJECT_BINARY_DIR}/package"
  -D "COMPILER=${CMAKE_C_COMPILER}" -D "CXX_COMPILER=${PACKAGE_CXX}"
  -D "NM=${CMAKE_NM}" -D "LINES=40"
  -P "${PROJECT_SOURCE_DIR}/cmake/CheckPackage.cmake")
