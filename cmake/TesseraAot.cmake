# Makes the runtime of programs that were compiled ahead of time
# (docs/ahead-of-time.md): libtessera_aot.so and libtessera_aot.a, which need
# nothing but the C library. Both have the kernels of the compiler's own runtime,
# so that results are the same bits, and a part of the layers below them,
# compiled once more so that the linker can leave out each function that nobody
# calls. The archive has one object, all of whose symbols but the interface are
# local, so that a C program links it, and a C++ program has its own Abseil and
# C++ library.

set(aot_include ${PROJECT_SOURCE_DIR}/xla/backends/cpu/aot/runtime)
file(GLOB aot_sources CONFIGURE_DEPENDS
  ${aot_include}/*.cc
  ${PROJECT_SOURCE_DIR}/xla/backends/cpu/aot/library/*.cc
  ${PROJECT_SOURCE_DIR}/xla/backends/cpu/thunks/library/*.cc)
foreach(source
    base/control/cancellation base/cpu_isa base/processor/processor_features base/stable_hash
    core/literal/element_convert core/literal/strided_copy
    runtime/block_cache runtime/memory_chunk runtime/work_shares
    runtime/worker_slots
    backends/cpu/thunks/concatenate_thunk backends/cpu/thunks/concurrent_thunk
    backends/cpu/thunks/control_thunks backends/cpu/thunks/device_thunks
    backends/cpu/thunks/kernel_thunk backends/cpu/thunks/scratch
    backends/cpu/thunks/thunk_archive)
  list(APPEND aot_sources ${PROJECT_SOURCE_DIR}/xla/${source}.cc)
endforeach()

# Two sources that are two fifths of all kernels, once more: a quarter smaller and
# up to 4% slower. The same instructions round, so that results stay the same bits.
set(aot_small_flags -O2 -ffp-contract=fast -fno-trapping-math -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND aot_small_flags -fvect-cost-model=dynamic)
endif()
foreach(kernel products/dot_skinny vector/element_runs)
  cmake_path(GET kernel FILENAME name)
  set(source ${PROJECT_BINARY_DIR}/aot/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "#include \"xla/backends/cpu/kernels/${kernel}.cc\"\n")
  set_source_files_properties(${source} PROPERTIES
    COMPILE_OPTIONS "${aot_small_flags}")
  list(APPEND aot_sources ${source})
endforeach()

set(aot_kernels $<TARGET_FILE:tessera_backends_cpu_kernels>)

add_library(tessera_aot_objects OBJECT ${aot_sources})
target_link_libraries(tessera_aot_objects PRIVATE tessera_headers)
add_dependencies(tessera_aot_objects tessera_protos_generated)
target_compile_definitions(tessera_aot_objects PRIVATE TESSERA_AOT_BUILD)
target_compile_options(tessera_aot_objects PRIVATE
  -O2 -ffunction-sections -fdata-sections)
set_target_properties(tessera_aot_objects PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

# Abseil's archives of which the runtime uses parts.
set(aot_absl)
foreach(name strings strings_internal int128 throw_delegate raw_logging_internal
    log_severity)
  get_target_property(location absl::${name} LOCATION)
  cmake_path(GET location PARENT_PATH folder)
  if(EXISTS ${folder}/libabsl_${name}.a)
    list(APPEND aot_absl ${folder}/libabsl_${name}.a)
  else()
    list(APPEND aot_absl absl::${name})
  endif()
endforeach()
set(aot_exports ${PROJECT_SOURCE_DIR}/cmake/tessera_aot.map)

add_library(tessera_aot_runtime SHARED $<TARGET_OBJECTS:tessera_aot_objects>)
add_library(Tessera::aot_runtime ALIAS tessera_aot_runtime)
set_target_properties(tessera_aot_runtime PROPERTIES
  OUTPUT_NAME tessera_aot LINKER_LANGUAGE CXX
  VERSION 1.0 SOVERSION 1
  LINK_DEPENDS ${aot_exports})
target_include_directories(tessera_aot_runtime INTERFACE
  $<BUILD_INTERFACE:${aot_include}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(tessera_aot_runtime PRIVATE
  $<BUILD_INTERFACE:${aot_kernels}> ${aot_absl})
add_dependencies(tessera_aot_runtime tessera_backends_cpu_kernels)
target_link_options(tessera_aot_runtime PRIVATE
  -Wl,--version-script=${aot_exports} -Wl,-Bsymbolic -Wl,--gc-sections
  ${TESSERA_NO_UNDEFINED})
if(NOT TESSERA_SANITIZE)
  target_link_options(tessera_aot_runtime PRIVATE
    -static-libstdc++ -static-libgcc)
endif()
if(TESSERA_LLD_19 OR TESSERA_LLD)
  # Nothing compares addresses of functions.
  target_link_options(tessera_aot_runtime PRIVATE -Wl,--icf=all)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(tessera_aot_runtime PRIVATE -Wl,-s)
endif()
# What is installed (TesseraInstall.cmake).
set(TESSERA_AOT_HEADERS
  ${aot_include}/tessera_aot.h ${aot_include}/tessera_aot.hpp)
set(TESSERA_AOT_ARCHIVE)

# The archive. Only GNU's linker makes a relocatable file without what nobody
# calls; TESSERA_AOT_API marks what to keep.
find_program(TESSERA_LD_BFD ${CMAKE_LIBRARY_ARCHITECTURE}-ld.bfd ld.bfd)
# GNU's objcopy leaves unique symbols global.
find_program(TESSERA_OBJCOPY llvm-objcopy PATHS ${LLVM_TOOLS_BINARY_DIR}
  /usr/lib/llvm-19/bin)
mark_as_advanced(TESSERA_LD_BFD TESSERA_OBJCOPY)
if(TESSERA_LD_BFD AND TESSERA_OBJCOPY AND NOT TESSERA_SANITIZE)
  foreach(name libstdc++.a libgcc.a libgcc_eh.a)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name}
      OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND aot_compiler_archives ${path})
  endforeach()
  set(aot_object ${PROJECT_BINARY_DIR}/aot/tessera_aot.o)
  set(aot_archive ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libtessera_aot.a)
  add_custom_command(OUTPUT ${aot_archive}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/aot
    COMMAND ${TESSERA_LD_BFD} -r -o ${aot_object}
      --force-group-allocation
      $<TARGET_OBJECTS:tessera_aot_objects>
      --start-group ${aot_kernels} ${aot_absl}
      ${aot_compiler_archives} --end-group
      --gc-sections -u tessera_aot_load
    COMMAND ${TESSERA_OBJCOPY} --wildcard --keep-global-symbol=tessera_aot_*
      --strip-unneeded ${aot_object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${aot_archive}
    COMMAND ${CMAKE_AR} crs ${aot_archive} ${aot_object}
    DEPENDS tessera_aot_objects $<TARGET_OBJECTS:tessera_aot_objects>
      tessera_backends_cpu_kernels
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(tessera_aot_archive ALL DEPENDS ${aot_archive})
  set(TESSERA_AOT_ARCHIVE ${aot_archive})
endif()
