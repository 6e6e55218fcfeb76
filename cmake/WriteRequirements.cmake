# Writes OUTPUT, a C table of all entries in the YAML files of ROOT/DIRECTORY and
# two of the ids that its proofs.txt proves, by scenarios and by unit tests.
# Not all of YAML is understood: a line holds a key, keys stand in the order of
# `entry`, long texts are in double quotes. tests/runner/language/test_requirements.c
# compares the table with what the program reads in the files.
file(GLOB files RELATIVE "${ROOT}" "${ROOT}/${DIRECTORY}/*.yaml")
list(SORT files)
if(NOT files)
  message(FATAL_ERROR "${DIRECTORY}: no requirements")
endif()
set(id "[A-Z][A-Z-]*-[0-9][0-9][a-z]?")
set(plain "[A-Za-z][^\"\\\n]*")
set(unit "[a-z]+(\\.[a-z]+)*\\.test_[a-z0-9_]+")
set(quoted "\"([^\"\\\n]|\\\\\")*\"")
string(CONCAT entry
  "  ${id}:\n"
  "    tag: [DHOC]\n"
  "    source: ${plain}\n"
  "    text: ${quoted}\n"
  "(    switch: ${quoted}\n)?"
  "(    untestable: ${quoted}\n)?"
  "(    awaits: ${plain}\n)?"
  "(    unit: ${unit}\n)?")
set(rows "")
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" text)
  string(REGEX REPLACE "${entry}" "" rest "${text}")
  if(NOT rest STREQUAL "ntpmu: 1\nrequirements:\n")
    string(REPLACE "ntpmu: 1\nrequirements:\n" "" rest "${rest}")
    message(FATAL_ERROR "${file}: not in the form that "
      "cmake/WriteRequirements.cmake describes, from here on:\n${rest}")
  endif()
  string(REPLACE "ntpmu: 1\nrequirements:\n" "" text "${text}")
  string(REGEX REPLACE "    switch: (${quoted})\n"
    "        .choices = \\1,\n" text "${text}")
  string(REGEX REPLACE "    (text|untestable): (${quoted})\n"
    "        .\\1 = \\2,\n" text "${text}")
  string(REGEX REPLACE "    (source|awaits): (${plain})\n"
    "        .\\1 = \"\\2\",\n" text "${text}")
  string(REGEX REPLACE "    unit: (${unit})\n"
    "        .unit = \"\\1\",\n" text "${text}")
  string(REGEX REPLACE "    tag: (.)\n" "        .tag = '\\1',\n"
    text "${text}")
  string(REGEX REPLACE "  (${id}):\n" "    },\n    {\n        .id = \"\\1\",\n"
    text "${text}")
  # Every row ends where the next begins.
  string(REGEX REPLACE "^    },\n" "" text "${text}")
  string(APPEND rows "${text}    },\n")
endforeach()
set(proven_by_scenario "")
set(proven_by_unit "")
set(by "")
file(STRINGS "${ROOT}/${DIRECTORY}/proofs.txt" proofs REGEX "^(by|proves): ")
foreach(line IN LISTS proofs)
  if(line MATCHES "^by: ")
    set(by scenario)
    if(line MATCHES "^by: ${unit}[.]")
      set(by unit)
    endif()
    continue()
  endif()
  string(REGEX MATCHALL "${id}" ids "${line}")
  foreach(one IN LISTS ids)
    if(NOT rows MATCHES "\\.id = \"${one}\"")
      message(FATAL_ERROR "${DIRECTORY}/proofs.txt: no requirement '${one}'")
    endif()
    list(APPEND proven_by_${by} "${one}")
  endforeach()
endforeach()
foreach(by IN ITEMS scenario unit)
  list(REMOVE_DUPLICATES proven_by_${by})
  list(TRANSFORM proven_by_${by} REPLACE "(.+)" "    \"\\1\",\n")
  string(CONCAT proven_by_${by} ${proven_by_${by}})
endforeach()
file(WRITE "${OUTPUT}" "/* Made from ${DIRECTORY}. */
#include \"scenarios/runner/language/requirements_table.h\"

const struct requirement requirements_table[] = {
${rows}};

const size_t requirements_table_count =
    sizeof(requirements_table) / sizeof(requirements_table[0]);

const char *const requirements_proven[] = {
${proven_by_scenario}    NULL};

const char *const requirements_proven_by_unit[] = {
${proven_by_unit}    NULL};
")
