# ntpmu_add_layer(NAME [DIRECTORY dir] [EXCLUDE path...]): a static library of
# all C and assembly files below the directory, which is NAME where none is given,
# but for those files and directories.
function(ntpmu_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY" "EXCLUDE")
  if(NOT arg_DIRECTORY)
    set(arg_DIRECTORY ${name})
  endif()
  set(directory "${PROJECT_SOURCE_DIR}/${arg_DIRECTORY}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${directory}/*.c" "${directory}/*.S")
  foreach(path IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "/${arg_DIRECTORY}/${path}(/|$)")
  endforeach()
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  target_compile_definitions(${name} PRIVATE _XOPEN_SOURCE=700)
  ntpmu_warnings(${name})
  ntpmu_count(${name})
endfunction()
