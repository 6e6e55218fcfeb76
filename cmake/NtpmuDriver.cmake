# ntpmu_add_driver(NAME [COMPILER clang|mingw] SOURCES file...
#                  [DEFINITIONS name[=value]...] [INCLUDES directory...]
#                  [COUNTERS target...] [LINK option...]):
# compiles Windows driver source to NAME.sys in the current binary directory.
# NAME is a target; its property DRIVER_FILE is the path of the file, and
# DRIVER_OBJECTS are those of its objects, in the order of SOURCES. One of these
# that ends in .obj is an object already: of another driver, say. COUNTERS are
# manifests of ntpmu_add_counters, whose headers the source includes. LINK are
# options of the compiler's linker, /integritycheck say.
#
# clang (the default) has structured exceptions; mingw is for source without.
# The host's compiler and its flags, -Werror among them, play no part here.
# NTDDI_VERSION is Windows 11's unless DEFINITIONS set it or _WIN32_WINNT.
# NTPMU_DRIVER_OPTIONS, if a project sets it, are options for all of its drivers.
include_guard(GLOBAL)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH NTPMU_DRIVER_ROOT)
include("${CMAKE_CURRENT_LIST_DIR}/NtpmuCounters.cmake")

# What drivers are compiled for: by clang, and Windows' version where nothing else
# is asked for. mingw-w64's headers define their attributes away where __GNUC__ is
# not.
set(NTPMU_DRIVER_CLANG_TARGET --target=x86_64-pc-windows-msvc -D__GNUC__=4
  -D__GNUC_MINOR__=2)
set(NTPMU_DRIVER_WINDOWS -DNTDDI_VERSION=0x0A00000B -D_WIN32_WINNT=0x0A00
  -DWINVER=0x0A00)
set(NTPMU_DRIVER_PROCESSOR -DAMD64)

# ntpmu_driver_tool(VARIABLE PACKAGE NAME): finds a program or says what Debian
# has it in.
function(ntpmu_driver_tool variable package name)
  find_program(${variable} NAMES "${name}")
  mark_as_advanced(${variable})
  if(NOT ${variable})
    message(FATAL_ERROR "Building drivers needs ${name}: install Debian's "
      "package ${package} (tools/setup run does).")
  endif()
endfunction()

# ntpmu_driver_toolchain(COMPILER): finds what the compiler's drivers need.
function(ntpmu_driver_toolchain compiler)
  if(compiler STREQUAL "clang")
    ntpmu_driver_tool(NTPMU_DRIVER_CLANG clang-19 clang-19)
    ntpmu_driver_tool(NTPMU_DRIVER_LINK lld-19 lld-link-19)
    ntpmu_driver_tool(NTPMU_DRIVER_LIB llvm-19 llvm-lib-19)
    ntpmu_driver_tool(NTPMU_DRIVER_LLVM_DLLTOOL llvm-19 llvm-dlltool-19)
  elseif(compiler STREQUAL "mingw")
    set(gcc_package gcc-mingw-w64-x86-64-win32)
    set(binutils_package binutils-mingw-w64-x86-64)
    ntpmu_driver_tool(NTPMU_DRIVER_GCC ${gcc_package} x86_64-w64-mingw32-gcc)
    foreach(tool IN ITEMS ar objcopy dlltool)
      string(TOUPPER ${tool} upper)
      ntpmu_driver_tool(NTPMU_DRIVER_${upper} ${binutils_package}
        x86_64-w64-mingw32-${tool})
    endforeach()
  else()
    message(FATAL_ERROR "COMPILER is clang or mingw, not ${compiler}")
  endif()
  find_path(NTPMU_DRIVER_HEADERS ddk/ntddk.h
    PATHS /usr/x86_64-w64-mingw32/include NO_DEFAULT_PATH)
  mark_as_advanced(NTPMU_DRIVER_HEADERS)
  if(NOT NTPMU_DRIVER_HEADERS)
    message(FATAL_ERROR "Building drivers needs mingw-w64's headers: install "
      "Debian's package mingw-w64-x86-64-dev (tools/setup run does).")
  endif()
endfunction()

# ntpmu_driver_compile_command(VARIABLE COMPILER [DEFINITION...]): the command
# line that compiles driver source, but for what is compiled to what.
function(ntpmu_driver_compile_command variable compiler)
  ntpmu_driver_toolchain(${compiler})
  if(compiler STREQUAL "clang")
    # A function of one section must not be inlined into code of another.
    set(command "${NTPMU_DRIVER_CLANG}" ${NTPMU_DRIVER_CLANG_TARGET}
      -fasync-exceptions
      -fstack-protector-strong -Xclang -cfguard-no-checks -fno-inline
      -ferror-limit=0) # each field that is of a wrong size, not 20 of them
  else()
    # Each function is one section: what alloc_text places must be neither
    # inlined, cloned, split nor merged. Page 0 holds GS offsets.
    set(command "${NTPMU_DRIVER_GCC}" -fms-extensions -ffunction-sections
      -fno-inline -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-partial-inlining
      -fno-reorder-functions -fno-reorder-blocks-and-partition
      -fno-stack-protector --param=min-pagesize=0 -Wno-unknown-pragmas)
  endif()
  # Who called the kernel last shall be on the stack, for reports.
  list(APPEND command -O2 -fno-optimize-sibling-calls -Wall -Wextra -Wno-multichar)
  if(NOT "${ARGN}" MATCHES "(^|;)(NTDDI_VERSION|_WIN32_WINNT)=")
    list(APPEND command ${NTPMU_DRIVER_WINDOWS})
  endif()
  list(TRANSFORM ARGN PREPEND -D)
  list(APPEND command ${NTPMU_DRIVER_PROCESSOR} ${NTPMU_DRIVER_OPTIONS} ${ARGN}
    "-I${NTPMU_DRIVER_ROOT}/api/include"
    -isystem "${NTPMU_DRIVER_HEADERS}/ddk" -isystem "${NTPMU_DRIVER_HEADERS}")
  set(${variable} "${command}" PARENT_SCOPE)
endfunction()

# ntpmu_driver_object(VARIABLE COMPILER SOURCE DIRECTORY BEFORE COMMAND...):
# compiles a file with a command line into the directory, after what is in the
# list BEFORE.
function(ntpmu_driver_object variable compiler source directory before)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    NORMALIZE)
  cmake_path(GET source FILENAME file)
  set(object "${directory}/${file}.obj")
  if(object IN_LIST ${variable})
    message(FATAL_ERROR "two sources of a driver are called ${file}")
  endif()
  set(depends "${source}" ${before})
  set(compile ${ARGN} -MD -MF "${object}.d" -MT "${object}"
    -c "${source}" -o "${object}")
  if(compiler STREQUAL "mingw")
    set(script "${NTPMU_DRIVER_ROOT}/cmake/CompileMingwDriver.cmake")
    list(APPEND depends "${script}")
    set(compile "${CMAKE_COMMAND}" -D "SOURCE=${source}" -D "OBJECT=${object}"
      -D "OBJCOPY=${NTPMU_DRIVER_OBJCOPY}" -P "${script}" -- ${ARGN})
  endif()
  add_custom_command(OUTPUT "${object}"
    COMMAND ${compile}
    DEPENDS ${depends} DEPFILE "${object}.d"
    COMMENT "Compiling driver source ${file} (${compiler})" VERBATIM)
  set(${variable} ${${variable}} "${object}" PARENT_SCOPE)
endfunction()

# ntpmu_driver_imports(VARIABLE COMPILER DIRECTORY): the import libraries of the
# kernel's images, made of exports.def and data_exports.def alone.
function(ntpmu_driver_imports variable compiler directory)
  set(template "${NTPMU_DRIVER_ROOT}/api/driver_support/import_library.def")
  set(file_NTOSKRNL ntoskrnl.exe)
  set(file_HAL HAL.dll)
  set(libraries)
  foreach(image IN ITEMS NTOSKRNL HAL)
    string(TOLOWER ${image} stem)
    set(library "${directory}/${stem}.lib")
    set(selection "-DIN_NTOSKRNL(line)=" "-DIN_HAL(line)="
      "-DIN_DISPATCH(line)=")
    list(APPEND selection "-UIN_${image}" "-DIN_${image}(line)=line")
    if(compiler STREQUAL "clang")
      set(preprocess "${NTPMU_DRIVER_CLANG}")
      set(make "${NTPMU_DRIVER_LLVM_DLLTOOL}" -m i386:x86-64)
    else()
      set(preprocess "${NTPMU_DRIVER_GCC}")
      set(make "${NTPMU_DRIVER_DLLTOOL}" -m i386:x86-64)
    endif()
    add_custom_command(OUTPUT "${library}"
      COMMAND "${preprocess}" -E -P -undef -x c
        "-I${NTPMU_DRIVER_ROOT}" "-DLIBRARY_FILE=\"${file_${image}}\""
        ${selection} "${template}" -o "${directory}/${stem}.def"
      COMMAND ${make} -d "${stem}.def" -l "${stem}.lib"
      DEPENDS "${template}" "${NTPMU_DRIVER_ROOT}/api/core/exports.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_affinity.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_c.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_cm.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_float.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_fs.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_locks.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_memory.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_rtl.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_threads.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_executive.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_deferred.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_objects.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_requests.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_security.def"
        "${NTPMU_DRIVER_ROOT}/api/core/exports_processes.def"
        "${NTPMU_DRIVER_ROOT}/api/core/data_exports.def"
      WORKING_DIRECTORY "${directory}"
      COMMENT "Import library ${stem}.lib (${compiler})" VERBATIM)
    list(APPEND libraries "${library}")
  endforeach()
  set(${variable} ${libraries} PARENT_SCOPE)
endfunction()

# ntpmu_driver_libraries(VARIABLE COMPILER): what every driver is linked with;
# made once, by the target ntpmu_driver_COMPILER.
function(ntpmu_driver_libraries variable compiler)
  set(directory "${CMAKE_BINARY_DIR}/driver_support/${compiler}")
  set(support "${directory}/support.lib")
  set(target ntpmu_driver_${compiler})
  if(NOT TARGET ${target})
    file(MAKE_DIRECTORY "${directory}")
    ntpmu_driver_compile_command(command ${compiler})
    # Neither guarded by nor made of what it implements.
    list(APPEND command -ffreestanding -fno-stack-protector
      "-I${NTPMU_DRIVER_ROOT}")
    set(sources memory.c
      secure_device.c device_settings.c device_strings.c sddl.c
      kernel_routines.c) # Wdmsec.lib's
    set(archive "${NTPMU_DRIVER_AR}" rcsD "${support}")
    if(compiler STREQUAL "clang")
      list(APPEND command -fno-builtin)
      list(APPEND sources security_cookie.c stack_probe.c)
      set(archive "${NTPMU_DRIVER_LIB}" /nologo "/out:${support}")
    else()
      list(APPEND command -fno-tree-loop-distribute-patterns)
    endif()
    set(objects)
    foreach(source IN LISTS sources)
      ntpmu_driver_object(objects ${compiler}
        "${NTPMU_DRIVER_ROOT}/api/driver_support/${source}" "${directory}"
        "" ${command})
    endforeach()
    add_custom_command(OUTPUT "${support}"
      COMMAND ${archive} ${objects} DEPENDS ${objects}
      COMMENT "Driver support library (${compiler})" VERBATIM)
    ntpmu_driver_imports(imports ${compiler} "${directory}")
    add_custom_target(${target} DEPENDS "${support}" ${imports})
    set_target_properties(${target} PROPERTIES
      DRIVER_LIBRARIES "${support};${imports}")
  endif()
  get_target_property(libraries ${target} DRIVER_LIBRARIES)
  set(${variable} "${libraries}" PARENT_SCOPE)
endfunction()

# ntpmu_driver_link(FILE COMPILER LIBRARIES OPTIONS OBJECT...)
function(ntpmu_driver_link file compiler libraries options)
  if(compiler STREQUAL "clang")
    # A symbol table for reports, no time stamp, a checksum; no two functions
    # folded into one, which a report would give the wrong name; a cookie and the
    # data of Control Flow Guard, whatever a driver's functions have.
    set(link COMMAND "${NTPMU_DRIVER_LINK}" /nologo /driver /subsystem:native
      /machine:x64 /entry:DriverEntry /nodefaultlib /debug:symtab /Brepro
      /release /opt:ref,noicf /section:INIT,ERD
      /include:_load_config_used /guard:cf,nolongjmp
      ${options} "/out:${file}" ${ARGN} ${libraries})
  else()
    # ld has no way to say discardable; "debug" is how objcopy says it.
    set(link COMMAND "${NTPMU_DRIVER_GCC}" -nostdlib -Wl,--subsystem,native
      -Wl,--entry,DriverEntry -Wl,--dynamicbase -Wl,--nxcompat
      -Wl,--no-insert-timestamp -Wl,--exclude-all-symbols
      ${options} -o "${file}" ${ARGN} ${libraries} -lgcc
      COMMAND "${CMAKE_COMMAND}" -E env SOURCE_DATE_EPOCH=0
      "${NTPMU_DRIVER_OBJCOPY}"
      --set-section-flags INIT=alloc,load,readonly,code,debug "${file}")
  endif()
  cmake_path(GET file FILENAME name)
  add_custom_command(OUTPUT "${file}" ${link}
    DEPENDS ${ARGN} ${libraries} ntpmu_driver_${compiler}
    COMMENT "Linking driver ${name}" VERBATIM)
endfunction()

function(ntpmu_add_driver name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "COMPILER"
    "SOURCES;DEFINITIONS;INCLUDES;COUNTERS;LINK")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "ntpmu_add_driver(${name}): SOURCES are missing, or "
      "there is more than it knows: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_COMPILER)
    set(arg_COMPILER clang)
  endif()
  ntpmu_driver_compile_command(command ${arg_COMPILER} ${arg_DEFINITIONS})
  foreach(include IN LISTS arg_INCLUDES)
    cmake_path(ABSOLUTE_PATH include
      BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    list(APPEND command "-I${include}")
  endforeach()
  set(before)
  foreach(counters IN LISTS arg_COUNTERS)
    set(include "")
    if(TARGET ${counters})
      get_target_property(include ${counters} COUNTERS_DIRECTORY)
    endif()
    if(NOT include)
      message(FATAL_ERROR "ntpmu_add_driver(${name}): COUNTERS ${counters}: no "
        "such counters. Before it write "
        "ntpmu_add_counters(${counters} MANIFEST file.man).")
    endif()
    get_target_property(files ${counters} COUNTERS_FILES)
    list(APPEND command "-I${include}")
    list(APPEND before ${counters} ${files})
  endforeach()
  ntpmu_driver_libraries(libraries ${arg_COMPILER})

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${name}.dir")
  file(MAKE_DIRECTORY "${directory}")
  set(objects) # a caller's variable is seen here
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "\\.(obj|lib)$")
      list(APPEND objects "${source}")
    else()
      ntpmu_driver_object(objects ${arg_COMPILER} "${source}" "${directory}"
        "${before}" ${command})
    endif()
  endforeach()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}.sys")
  ntpmu_driver_link("${file}" ${arg_COMPILER} "${libraries}" "${arg_LINK}"
    ${objects})
  add_custom_target(${name} ALL DEPENDS "${file}")
  set_target_properties(${name} PROPERTIES
    DRIVER_FILE "${file}" DRIVER_OBJECTS "${objects}")
endfunction()
