# ntpmu_add_fuzz_target(NAME LAYER [FILE...]): fuzz_NAME runs
# tests/fuzz/fuzz_NAME.c on files, and the test fuzz.NAME on those of
# tests/fuzz/corpus/NAME and on the others that are named. With NTPMU_FUZZ
# fuzz_NAME is libFuzzer's instead.
function(ntpmu_add_fuzz_target name layer)
  set(directory "${PROJECT_SOURCE_DIR}/tests/fuzz")
  file(GLOB corpus CONFIGURE_DEPENDS "${directory}/corpus/${name}/*")
  add_executable(fuzz_${name} "${directory}/fuzz_${name}.c")
  target_link_libraries(fuzz_${name} PRIVATE ${layer})
  ntpmu_warnings(fuzz_${name})
  if(NTPMU_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${name} PRIVATE "${directory}/replay.c")
  endif()
  set_property(GLOBAL APPEND PROPERTY ntpmu_fuzz_targets fuzz_${name})
  add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${corpus} ${ARGN})
  set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 120)
endfunction()

ntpmu_add_fuzz_target(pe api)
ntpmu_add_fuzz_target(unwind api)
ntpmu_add_fuzz_target(patch api)
ntpmu_add_fuzz_target(format api)
ntpmu_add_fuzz_target(sddl sddl)
ntpmu_add_fuzz_target(expression runner)
ntpmu_add_fuzz_target(part runner)
ntpmu_add_fuzz_target(site_message runner)

# Whatever is a scenario, or nearly one.
file(GLOB_RECURSE scenarios CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/scenarios/*.yaml"
  "${PROJECT_SOURCE_DIR}/tests/bad/*.yaml"
  "${PROJECT_SOURCE_DIR}/tests/failing/*.yaml")
ntpmu_add_fuzz_target(yaml runner ${scenarios})
ntpmu_add_fuzz_target(scenario runner ${scenarios})
file(GLOB manifests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/manifests/*.man")
list(FILTER manifests EXCLUDE REGEX "/empty\\.man$") # no input of a fuzzer
ntpmu_add_fuzz_target(manifest runner ${manifests})
get_property(targets GLOBAL PROPERTY ntpmu_fuzz_targets)
add_custom_target(fuzzers DEPENDS ${targets})

# The corpus of pe is what the tests' builder makes.
add_executable(write_pe_seeds
  "${PROJECT_SOURCE_DIR}/tests/fuzz/write_pe_seeds.c")
target_include_directories(write_pe_seeds PRIVATE "${PROJECT_SOURCE_DIR}")
ntpmu_warnings(write_pe_seeds)
set(seeds "${PROJECT_BINARY_DIR}/seeds/pe")
file(MAKE_DIRECTORY "${seeds}")
add_test(NAME fuzz.pe_seeds
  COMMAND sh -c "\"$<TARGET_FILE:write_pe_seeds>\" && \
diff -r . \"${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/pe\""
  WORKING_DIRECTORY "${seeds}")

# Changed copies of drivers' files, run as those are.
add_executable(mutate_driver
  "${PROJECT_SOURCE_DIR}/tests/fuzz/mutate_driver.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/mutation.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/numbers.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/trial.c")
target_link_libraries(mutate_driver PRIVATE runner)
ntpmu_warnings(mutate_driver)
set(drivers "${NTPMU_DRIVER_BUILD}/tests/drivers")
add_test(NAME fuzz.driver_mutations COMMAND sh -c
  "\"$<TARGET_FILE:mutate_driver>\" hello_seh.sys --seed 2 --count 750 && \
\"$<TARGET_FILE:mutate_driver>\" io_mingw.sys --seed 2 --count 750"
  WORKING_DIRECTORY "${drivers}")
add_test(NAME fuzz.driver_cut COMMAND mutate_driver hello_seh.sys --cut
  WORKING_DIRECTORY "${drivers}")
set_tests_properties(fuzz.driver_mutations fuzz.driver_cut PROPERTIES
  TIMEOUT 120)

# Requests to each sample that is correct.
add_test(NAME fuzz.requests
  COMMAND "${PROJECT_SOURCE_DIR}/tests/fuzz/random_requests"
    "$<TARGET_FILE:ntpmu>" "${NTPMU_DRIVER_BUILD}/scenarios/drivers"
    --from 1000000)
set_tests_properties(fuzz.requests PROPERTIES TIMEOUT 300)

# Changed copies of scenarios, validated and run as those are.
add_executable(mutate_scenario
  "${PROJECT_SOURCE_DIR}/tests/fuzz/mutate_scenario.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/batches.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/numbers.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/scenario_words.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/text_corpus.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/text_mutation.c")
target_link_libraries(mutate_scenario PRIVATE runner)
ntpmu_warnings(mutate_scenario)
add_test(NAME fuzz.scenario_mutations
  COMMAND mutate_scenario scenarios tests/failing --seed 2 --count 300
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(fuzz.scenario_mutations PROPERTIES TIMEOUT 120)

# Accounts of runs, judged as the runs were; changed ones, judged or refused.
add_executable(mutate_account
  "${PROJECT_SOURCE_DIR}/tests/fuzz/mutate_account.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/batches.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/numbers.c")
target_link_libraries(mutate_account PRIVATE runner)
ntpmu_warnings(mutate_account)
add_test(NAME fuzz.accounts
  COMMAND mutate_account tests/failing tests/judged scenarios --seed 2
    --count 2400
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(fuzz.accounts PROPERTIES TIMEOUT 120)

# Changed copies of counter manifests, compiled.
add_executable(mutate_manifest
  "${PROJECT_SOURCE_DIR}/tests/fuzz/mutate_manifest.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/batches.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/numbers.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/text_corpus.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/text_mutation.c")
target_link_libraries(mutate_manifest PRIVATE runner)
ntpmu_warnings(mutate_manifest)
add_test(NAME fuzz.manifest_mutations
  COMMAND mutate_manifest tests/manifests --seed 2 --count 3000
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(fuzz.manifest_mutations PROPERTIES TIMEOUT 120)

# Random programs, judged by a reference that shares nothing with the APIs.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/random/*.c")
add_executable(random_programs ${sources}
  "${PROJECT_SOURCE_DIR}/tests/fuzz/batches.c"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/numbers.c")
target_link_libraries(random_programs PRIVATE runner)
ntpmu_warnings(random_programs)
add_test(NAME fuzz.random_programs
  COMMAND random_programs --seed 7 --count 400 --floors)
set_tests_properties(fuzz.random_programs PROPERTIES TIMEOUT 120)
# Three drivers that are in each other's way, on half of the machines in event
# buffers, too.
add_test(NAME fuzz.random_contention
  COMMAND random_programs --seed 15 --count 300 --subject contention)
set_tests_properties(fuzz.random_contention PROPERTIES TIMEOUT 120)
# Three drivers that share event buffers.
add_test(NAME fuzz.random_event_buffers
  COMMAND random_programs --seed 15 --count 300 --subject event_buffers)
set_tests_properties(fuzz.random_event_buffers PROPERTIES TIMEOUT 120)
# So few do not come to all that floors.def asks for.
add_test(NAME fuzz.random_programs_floors COMMAND sh -c
  "\"$<TARGET_FILE:random_programs>\" --seed 2 --count 12 --floors || \
echo refused")
set_tests_properties(fuzz.random_programs_floors PROPERTIES TIMEOUT 120
  PASS_REGULAR_EXPRESSION
  "0 of 12 programs reach 'pcw.close.twice', fewer than [0-9]+ of 300.*refused")
# What the reference does not know of is found, and shrunk to so many steps; of
# HAL-EVB-03b's two look at what a handler was given.
foreach(difference IN ITEMS "HAL-ALLOC-51: index|2" "HAL-ALLOC-37c: accept|1"
    "HAL-EVB-03b: own|6" "HAL-EVB-06: driver|1" "KHC-QRY-03b: bytes|2"
    "HAL-OVF-17: disable|2" "PCW-CRE-15: silent|3" "PCW-CB-07: late|3"
    "PCW-CB-08: callback_first|4")
  string(REPLACE "|" ";" difference "${difference}")
  list(GET difference 0 ruling)
  list(GET difference 1 steps)
  string(REGEX REPLACE ":.*" "" id "${ruling}")
  add_test(NAME fuzz.random_programs_differ.${id}
    COMMAND "${PROJECT_SOURCE_DIR}/tests/random/differs"
    $<TARGET_FILE:random_programs> "${ruling}" "${steps}")
  set_tests_properties(fuzz.random_programs_differ.${id} PROPERTIES TIMEOUT 120)
endforeach()
