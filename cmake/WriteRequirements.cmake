# Writes OUTPUT, C of all entries in the YAML files of ROOT/DIRECTORY: their ids in
# order, and a function that makes the entry of a number, with whether its proofs.txt
# proves it, by scenarios or by unit tests.
# Not all of YAML is understood: a line holds a key, keys stand in the order of
# `entry`, long texts are in double quotes. tests/runner/language/test_requirements.c
# compares that with what the program reads in the files.
file(GLOB files RELATIVE "${ROOT}" "${ROOT}/${DIRECTORY}/*.yaml")
list(SORT files)
if(NOT files)
  message(FATAL_ERROR "${DIRECTORY}: no requirements")
endif()
set(id "[A-Z][A-Z-]*-[0-9][0-9][a-z]?")
set(plain "[A-Za-z][^\"\\\n]*")
set(unit "[a-z]+(\\.[a-z]+)*\\.test_[a-z0-9_]+")
set(ids "[A-Z][A-Za-z0-9, -]*")
set(quoted "\"([^\"\\\n]|\\\\\")*\"")
string(CONCAT entry
  "  ${id}:\n"
  "    tag: [DHOC]\n"
  "    source: ${plain}\n"
  "    text: ${quoted}\n"
  "(    switch: ${quoted}\n)?"
  "(    untestable: ${quoted}\n)?"
  "(    awaits: ${plain}\n)?"
  "(    unit: ${unit}\n)?"
  "(    same: \\[${ids}\\]\n)?")
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
  string(REGEX REPLACE "    same: \\[(${ids})\\]\n"
    "        .same = {\"\\1\"},\n" text "${text}")
  while(text MATCHES "[.]same = {[^}]*[0-9a-z], ")
    string(REGEX REPLACE "([.]same = {[^}]*[0-9a-z]), " "\\1\", \"" text
      "${text}")
  endwhile()
  string(REGEX REPLACE "    tag: (.)\n" "        .tag = '\\1',\n"
    text "${text}")
  string(REGEX REPLACE "  (${id}):\n" "    },\n    {\n        .id = \"\\1\",\n"
    text "${text}")
  # Every row ends where the next begins.
  string(REGEX REPLACE "^    },\n" "" text "${text}")
  string(APPEND rows "${text}    },\n")
endforeach()
string(REGEX MATCHALL "[.]same = {[^}]*}" same "${rows}")
string(REGEX MATCHALL "\"[^\"]*\"" same "${same}")
foreach(one IN LISTS same)
  string(FIND "${rows}" ".id = ${one},\n" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${DIRECTORY}: `same` names ${one}, which is not there")
  endif()
endforeach()
set(by "")
file(STRINGS "${ROOT}/${DIRECTORY}/proofs.txt" proofs REGEX "^(by|proves): ")
foreach(line IN LISTS proofs)
  if(line MATCHES "^by: ")
    set(by proven)
    if(line MATCHES "^by: ${unit}[.]")
      set(by proven_by_unit)
    endif()
    continue()
  endif()
  string(REGEX MATCHALL "${id}" ids "${line}")
  foreach(one IN LISTS ids)
    set(begin ".id = \"${one}\",\n")
    string(FIND "${rows}" "${begin}" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "${DIRECTORY}/proofs.txt: no requirement '${one}'")
    endif()
    list(FIND is_${by} "${one}" found)
    if(found EQUAL -1)
      list(APPEND is_${by} "${one}")
      string(REPLACE "${begin}" "${begin}        .${by} = true,\n"
        rows "${rows}")
    endif()
  endforeach()
endforeach()
# In order of the ids, with which rows begin. What means something in a list is
# another character meanwhile.
string(ASCII 1 2 3 stand_in)
foreach(i RANGE 2)
  string(SUBSTRING "${stand_in}" ${i} 1 other_${i})
endforeach()
string(REPLACE ";" "${other_0}" rows "${rows}")
string(REPLACE "[" "${other_1}" rows "${rows}")
string(REPLACE "]" "${other_2}" rows "${rows}")
string(REPLACE "    },\n" "    },\n;" rows "${rows}")
string(REGEX REPLACE ";$" "" rows "${rows}")
list(SORT rows)
set(number 0)
set(sorted "")
set(cases "")
foreach(row IN LISTS rows)
  string(REGEX MATCH "[.]id = (\"[^\"]*\"),\n" begin "${row}")
  string(APPEND sorted "    ${CMAKE_MATCH_1},\n")
  string(REGEX REPLACE "^    {\n"
    "    case ${number}:\n        *one = (struct requirement){\n" row "${row}")
  string(REGEX REPLACE "    },\n$" "        };\n        break;\n" row "${row}")
  string(APPEND cases "${row}")
  math(EXPR number "${number} + 1")
endforeach()
string(REPLACE "${other_0}" ";" cases "${cases}")
string(REPLACE "${other_1}" "[" cases "${cases}")
string(REPLACE "${other_2}" "]" cases "${cases}")
file(WRITE "${OUTPUT}" "/* Made from ${DIRECTORY}. */
#include \"scenarios/runner/language/requirements_table.h\"

#include <assert.h>

const char requirements_ids[][REQUIREMENT_ID_BYTES] = {
${sorted}};

const size_t requirements_table_count =
    sizeof(requirements_ids) / sizeof(requirements_ids[0]);

void requirements_table_make(size_t number, struct requirement *one)
{
    assert(number < requirements_table_count);
    switch (number) {
${cases}    }
    assert(one->id != NULL);
}
")
