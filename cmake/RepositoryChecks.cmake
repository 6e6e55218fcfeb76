# Tests of the repository itself: layers, sizes, format. And tests of these
# checks, each with a small tree that has to be refused.

# ntpmu_repository_check(NAME SCRIPT [DEFINITION...]): the test repository.NAME.
function(ntpmu_repository_check name script)
  list(TRANSFORM ARGN PREPEND "-D")
  add_test(NAME repository.${name} COMMAND "${CMAKE_COMMAND}"
    -D "ROOT=${PROJECT_SOURCE_DIR}" ${ARGN}
    -P "${PROJECT_SOURCE_DIR}/cmake/${script}")
endfunction()

# ntpmu_repository_refusal(NAME SCRIPT TEXT...): the script has to refuse the
# tree of that name and to mention each text.
function(ntpmu_repository_refusal name script)
  add_test(NAME repository.${name} COMMAND "${CMAKE_COMMAND}"
    -D "CHECK=${PROJECT_SOURCE_DIR}/cmake/${script}"
    -D "ROOT=${PROJECT_BINARY_DIR}/fixtures/${name}" -D "NAMES=${ARGN}"
    -P "${PROJECT_SOURCE_DIR}/cmake/ExpectRefusal.cmake")
endfunction()

ntpmu_repository_check(layers CheckRooms.cmake)
ntpmu_repository_check(size CheckSize.cmake)
ntpmu_repository_check(format CheckFormat.cmake)
ntpmu_repository_check(citations CheckCitations.cmake)
ntpmu_repository_check(not_modelled CheckNotModelled.cmake)
set_tests_properties(repository.format PROPERTIES
  SKIP_REGULAR_EXPRESSION "^skipped: ")

add_test(NAME repository.assertions COMMAND "${CMAKE_COMMAND}"
  -D "PROJECT=${PROJECT_SOURCE_DIR}" -D "COMPILER=${CMAKE_C_COMPILER}"
  -D "COMMANDS=${PROJECT_BINARY_DIR}/compile_commands.json"
  -D "WORK=${PROJECT_BINARY_DIR}/assertions"
  -P "${PROJECT_SOURCE_DIR}/cmake/CheckAssertions.cmake")

# ntpmu_rooms_refusal(NAME TEXT FILE LINE...): in a house that is right but for
# this file of these lines, the check has to mention the text.
function(ntpmu_rooms_refusal name text file)
  set(tree "${PROJECT_BINARY_DIR}/fixtures/layers_refuses_${name}")
  file(REMOVE_RECURSE "${tree}")
  ntpmu_write_house("${tree}")
  list(JOIN ARGN "\n" lines)
  file(APPEND "${tree}/${file}" "${lines}\n")
  ntpmu_repository_refusal(layers_refuses_${name} CheckRooms.cmake "${text}")
endfunction()

# ntpmu_write_house(TREE): rooms in which everything is as it should be.
function(ntpmu_write_house tree)
  file(WRITE "${tree}/cmake/rooms.txt" "# low ones first
sim/low # what all stand on
sim/left # a wing
& sim/right # the other one
api/high # on top
api/alone < sim/low # sees just this
")
  foreach(room IN ITEMS sim/low sim/left sim/right api/high api/alone)
    file(WRITE "${tree}/${room}/own.c" "#include \"${room}/own.h\"
#include \"sim/low/own.h\"\n")
    file(WRITE "${tree}/${room}/own.h" "#include <stdint.h>\n")
  endforeach()
  file(APPEND "${tree}/api/high/own.c" "#include \"sim/left/own.h\"\n")
  file(WRITE "${tree}/tests/api/high/test_own.c"
    "#include \"api/alone/own.h\"\n#include \"tests/rows.h\"\n")
endfunction()

set(tree "${PROJECT_BINARY_DIR}/fixtures/layers_takes_a_house")
ntpmu_write_house("${tree}")
add_test(NAME repository.layers_takes_a_house COMMAND "${CMAKE_COMMAND}"
  -D "ROOT=${tree}" -P "${PROJECT_SOURCE_DIR}/cmake/CheckRooms.cmake")

ntpmu_rooms_refusal(upward "sim/low/own.c:3: sim/low may not include"
  sim/low/own.c "#include \"api/high/own.h\"")
ntpmu_rooms_refusal(sideways "sim/right/own.c:3: sim/right may not include"
  sim/right/own.c "#include \"sim/left/own.h\"")
# sim/left is included by api/high already.
ntpmu_rooms_refusal(circle "sim/left/own.h:2: sim/left may not include"
  sim/left/own.h "#include \"api/high/own.h\"")
ntpmu_rooms_refusal(what_it_may_not_see
  "api/alone/own.c:3: api/alone may not include"
  api/alone/own.c "#include \"sim/left/own.h\"")
ntpmu_rooms_refusal(tests "sim/low/own.def:1: sim/low may not include"
  sim/low/own.def "#include \"tests/rows.h\"")
ntpmu_rooms_refusal(angles "written as #include"
  sim/low/own.h "#include <sim/low/other.h>")
ntpmu_rooms_refusal(stairs "written as #include"
  sim/low/own.h "#include \"../high/own.h\"")
ntpmu_rooms_refusal(folder "sim/cellar/wine.c: sim/cellar is no room"
  sim/cellar/wine.c "int wine;")
ntpmu_rooms_refusal(room_without_folder "there is no sim/attic"
  cmake/rooms.txt "sim/attic # dust")
ntpmu_rooms_refusal(room_twice "sim/low stands there twice"
  cmake/rooms.txt "sim/low # again")
ntpmu_rooms_refusal(room_that_sees_what_is_above "api/alone < sim/attic"
  cmake/rooms.txt "api/alone < sim/attic # dust")
ntpmu_rooms_refusal(line_without_words "written as ROOM # what is in it"
  cmake/rooms.txt "sim/attic")
ntpmu_rooms_refusal(test_of_no_room "sim/cellar is no room"
  tests/sim/cellar/test_wine.c "int wine;")

# own.c and own.h are one module, and with 45 more they are 46.
ntpmu_rooms_refusal(crowd "sim/low has 46 modules" sim/low/m1.c "int m1;")
foreach(i RANGE 2 45)
  file(WRITE
    "${PROJECT_BINARY_DIR}/fixtures/layers_refuses_crowd/sim/low/m${i}.c" "")
endforeach()

set(tree "${PROJECT_BINARY_DIR}/fixtures/size_refuses_long")
string(REPEAT "\n" 601 lines)
file(WRITE "${tree}/sim/long_file.h" "${lines}")
string(REPEAT "\n" 58 lines)
file(WRITE "${tree}/sim/long_function.c" "void too_long(void)\n{\n${lines}}\n")
ntpmu_repository_refusal(size_refuses_long CheckSize.cmake
  "sim/long_file.h: 601 lines" "too_long() has 61 lines")

# A requirement a mistake, and three that are cited as they should be: by a unit
# test, by an expectation, and by both.
set(tree "${PROJECT_BINARY_DIR}/fixtures/citations_refuses")
file(WRITE "${tree}/scenarios/requirements/pmu.yaml" "ntpmu: 1
requirements:
  PMU-A-01:
    tag: D
    unit: sim.pmu.test_it
  PMU-A-02:
    unit: sim.pmu.test_gone
  PMU-A-03:
    unit: sim.pmu.test_it
  PMU-A-04:
    tag: D
  PMU-A-05:
    tag: D
  PMU-A-06:
    tag: D
  PMU-A-07:
    tag: D
  PMU-A-08:
    untestable: \"why\"
  HAL-A-01:
    tag: D
")
file(WRITE "${tree}/scenarios/hal/one.yaml"
  "- expect: {covers: [PMU-A-04, PMU-A-05]}\n")
file(WRITE "${tree}/tests/sim/pmu/test_it.c"
  "/* PMU-A-01, PMU-A-03a, PMU-A-05, PMU-A-07 */\n")
ntpmu_repository_refusal(citations_refuses CheckCitations.cmake
  "PMU-A-02: there is no" "PMU-A-03: tests/sim/pmu/test_it.c does not"
  "there is no requirement PMU-A-03a" "PMU-A-06: no expectation" "PMU-A-07: no"
  "`unit`" "8 PMU requirements")

# One of each mistake, beside one name that is right.
set(tree "${PROJECT_BINARY_DIR}/fixtures/not_modelled_refuses")
file(WRITE "${tree}/README.md" "# it

`HalAllocateHardwareCounters`, `KeSetHardwareCounterConfiguration`,
`KeQueryHardwareCounterConfiguration`, `PPHYSICAL_COUNTER_OVERFLOW_HANDLER`

## Later

`PcwCreateInstance`
")
file(WRITE "${tree}/docs/fidelity.md" "
## Not modelled

| What | Instead |
|---|---|
| `KeInitializeDpc`, `KeSetTimer` | `KeStall` |

## More

| `KeSetEvent` | |
")
file(WRITE "${tree}/scenarios/runner/language/not_modelled.def"
  "NOT_MODELLED(\"KeInitializeDpc\", \"\")
NOT_MODELLED(\"KeSetEvent\", \"\")
")
file(WRITE "${tree}/scenarios/runner/language/callbacks.def"
  "CALLBACK_TYPE(PPHYSICAL_COUNTER_OVERFLOW_HANDLER, VOID)\n")
file(WRITE "${tree}/api/core/exports.def" "
ROUTINE(HalAllocateHardwareCounters, HAL)
ROUTINE(KeSetHardwareCounterConfiguration, HAL)
ROUTINE(PcwCreateInstance, HAL)
ROUTINE(KeSetEvent, HAL)
")
ntpmu_repository_refusal(not_modelled_refuses CheckNotModelled.cmake
  "fidelity.md: KeSetTimer is no row" "does not say that KeSetEvent"
  "KeSetEvent is a row of" "does not name PcwCreateInstance"
  "there is no KeQueryHardwareCounterConfiguration")
