# Makes one library `tessera_<folder>` for each line of xla/LAYERS, linked as
# the line says, then libtessera, which holds them all, libtessera_evaluator,
# which holds those that run programs without a compiler, and the `tessera`
# command.

# The sources of xla/`folder`, without those of subfolders that `all` lists.
function(tessera_sources folder all out)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/xla/${folder}/*.cc)
  foreach(other IN LISTS all)
    if(other MATCHES "^${folder}/")
      list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/xla/${other}/")
    endif()
  endforeach()
  if(folder STREQUAL "tools")
    list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  elseif(folder STREQUAL "backends/cpu/aot")
    # Those that replace others in a library without them (TesseraAot.cmake).
    list(FILTER sources EXCLUDE REGEX "/aot/library/")
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# The name of the library of a folder under xla/, such as `hlo/ir`.
function(tessera_library_name folder out)
  string(REPLACE "/" "_" name ${folder})
  set(${out} tessera_${name} PARENT_SCOPE)
endfunction()

add_library(tessera_headers INTERFACE)
target_include_directories(tessera_headers INTERFACE
  ${PROJECT_SOURCE_DIR} ${TESSERA_GEN_DIR})
target_link_libraries(tessera_headers INTERFACE tessera_dependencies)
add_dependencies(tessera_headers tessera_protos_generated)

# Makes `target` the owner of the precompiled header `header`.
function(tessera_add_pch target header)
  if(TESSERA_PCH)
    add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cc)
    target_link_libraries(${target} PRIVATE tessera_headers ${ARGN})
    target_precompile_headers(${target} PRIVATE ${header})
    add_dependencies(${target} tessera_protos_generated)
  endif()
endfunction()

# Gives `target` the precompiled header of `pch`.
function(tessera_use_pch target pch)
  add_dependencies(${target} tessera_protos_generated)
  if(TESSERA_PCH)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

tessera_add_pch(tessera_pch ${PROJECT_SOURCE_DIR}/cmake/pch.h)
tessera_add_pch(tessera_llvm_pch ${PROJECT_SOURCE_DIR}/cmake/llvm_pch.h
  tessera_llvm)

# The layers that may include LLVM's headers.
set(TESSERA_LLVM_FOLDERS backends/cpu/jit backends/cpu/codegen backends/cpu/aot
  backends/cache distributed/secret)
# The layers whose sources compile one by one: protoc's, and kernels, whose
# compile time goes into loops, not into headers.
set(TESSERA_ALONE_FOLDERS proto backends/cpu/kernels)
# Sources that compile alone: the codes of three dialects have the same names,
# and codecs must be specialized before their first use and before the general
# ones, which are for enums.
set(TESSERA_ALONE_SOURCES stablehlo/bytecode/builtin_entries.cc
  stablehlo/bytecode/sdy_entries.cc stablehlo/bytecode/vhlo_entries.cc
  hlo/attrs/codec_scalars.cc hlo/attrs/codec_proto_enums.cc)

set(layers_file ${PROJECT_SOURCE_DIR}/xla/LAYERS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${layers_file})
file(STRINGS ${layers_file} layer_lines REGEX "^[a-z]")

set(TESSERA_FOLDERS)
foreach(line IN LISTS layer_lines)
  string(REGEX REPLACE ":.*" "" folder ${line})
  list(APPEND TESSERA_FOLDERS ${folder})
endforeach()

# Without this check, a source that no line covers would silently not be built.
file(GLOB_RECURSE every_source CONFIGURE_DEPENDS RELATIVE
  ${PROJECT_SOURCE_DIR}/xla ${PROJECT_SOURCE_DIR}/xla/*.cc)
list(JOIN TESSERA_FOLDERS "|" any_folder)
list(FILTER every_source EXCLUDE REGEX "^(${any_folder})/")
if(every_source)
  message(WARNING "Not in xla/LAYERS, so not built: ${every_source}")
endif()

# The only file that knows the version.
set_source_files_properties(${PROJECT_SOURCE_DIR}/xla/base/version.cc
  PROPERTIES COMPILE_DEFINITIONS TESSERA_VERSION="${Tessera_VERSION}"
  SKIP_PRECOMPILE_HEADERS ON)

# These are optimized in every kind of build: compilers vectorize their loops,
# and fuse products and sums if the level has the instruction. Nothing reads the
# flags of floating-point exceptions, so branches may become selections.
file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/xla/backends/cpu/kernels/*.cc)
set_source_files_properties(${kernel_sources} PROPERTIES
  COMPILE_OPTIONS "-O3;-ffp-contract=fast;-fno-trapping-math;-Wno-psabi"
  SKIP_PRECOMPILE_HEADERS ON)

set(tessera_objects)
foreach(line IN LISTS layer_lines)
  string(REGEX MATCH "^([^:]+):[ +]*(.*)$" _ ${line})
  set(folder ${CMAKE_MATCH_1})
  string(REPLACE " " ";" layers "${CMAKE_MATCH_2}")
  if(folder STREQUAL "distributed/engines")
    continue() # cmake/TesseraEngines.cmake
  endif()
  tessera_library_name(${folder} library)
  tessera_sources(${folder} "${TESSERA_FOLDERS}" sources)
  if(folder STREQUAL "proto")
    list(APPEND sources ${TESSERA_PROTO_SOURCES})
  endif()

  if(sources)
    add_library(${library} STATIC ${sources})
    set(scope PUBLIC)
    if(folder STREQUAL "proto")
      target_compile_options(${library} PRIVATE -w)
      add_dependencies(${library} tessera_protos_generated)
    elseif(folder IN_LIST TESSERA_LLVM_FOLDERS)
      target_link_libraries(${library} PRIVATE tessera_llvm)
      tessera_use_pch(${library} tessera_llvm_pch)
    else()
      tessera_use_pch(${library} tessera_pch)
    endif()
    if(NOT folder IN_LIST TESSERA_ALONE_FOLDERS)
      set(grouped ${sources})
      foreach(alone IN LISTS TESSERA_ALONE_SOURCES)
        list(REMOVE_ITEM grouped ${PROJECT_SOURCE_DIR}/xla/${alone})
      endforeach()
      tessera_group_sources(${library} "${grouped}")
    endif()
    if(NOT folder MATCHES "^(tools|capi)$")
      list(APPEND tessera_objects $<TARGET_OBJECTS:${library}>)
    endif()
  else()
    add_library(${library} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${library} ${scope} tessera_headers)
  # The layers that code of this one may call, itself among them.
  set(reach_${library} ${folder})
  foreach(layer IN LISTS layers)
    tessera_library_name(${layer} other)
    target_link_libraries(${library} ${scope} ${other})
    list(APPEND reach_${library} ${reach_${other}})
  endforeach()
  list(REMOVE_DUPLICATES reach_${library})
endforeach()

target_link_libraries(tessera_backends_cpu_aot PRIVATE tessera_llvm_targets)

# Makes the shared library `target` of `objects` for clients, who link it as
# Tessera::`name`.
function(tessera_add_client_library target name objects)
  add_library(${target} SHARED ${objects})
  add_library(Tessera::${name} ALIAS ${target})
  set(exports ${PROJECT_BINARY_DIR}/lib${target}.map)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${TESSERA_ABI}
    LINK_DEPENDS ${exports})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/compat>
    $<BUILD_INTERFACE:${TESSERA_GEN_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tessera>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tessera/compat>)
  target_link_libraries(${target} PUBLIC ${TESSERA_PUBLIC_DEPENDENCIES}
    PRIVATE $<BUILD_INTERFACE:tessera_dependencies> ${ARGN})
  target_link_options(${target} PRIVATE ${TESSERA_NO_UNDEFINED}
    -Wl,--version-script=${exports})
endfunction()

# One shared library with all layers, for clients.
if(tessera_objects)
  include(TesseraExports)
  tessera_add_client_library(tessera tessera "${tessera_objects}"
    $<BUILD_INTERFACE:tessera_llvm_targets>)
  add_library(Tessera::compiler ALIAS tessera)
endif()

# Another, a fifth of its size, with what reads, checks, builds and evaluates
# programs. TESSERA_EVALUATOR_FOLDERS are its layers, none of which uses LLVM.
set(TESSERA_EVALUATOR_FOLDERS)
foreach(folder IN ITEMS hlo/evaluator hlo/verifier hlo/builder/inference
    program)
  tessera_library_name(${folder} library)
  list(APPEND TESSERA_EVALUATOR_FOLDERS ${reach_${library}})
endforeach()
list(REMOVE_DUPLICATES TESSERA_EVALUATOR_FOLDERS)
set(evaluator_objects)
foreach(folder IN LISTS TESSERA_EVALUATOR_FOLDERS)
  if(folder IN_LIST TESSERA_LLVM_FOLDERS)
    message(FATAL_ERROR
      "libtessera_evaluator would need LLVM: xla/LAYERS lets it use ${folder}")
  endif()
  tessera_library_name(${folder} library)
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    list(APPEND evaluator_objects $<TARGET_OBJECTS:${library}>)
  endif()
endforeach()
if(evaluator_objects)
  tessera_add_client_library(tessera_evaluator evaluator "${evaluator_objects}")
endif()

# The `tessera` command exports its symbols so that programs can find custom
# calls in it by name.
if(EXISTS ${PROJECT_SOURCE_DIR}/xla/tools/main.cc)
  add_executable(tessera_command ${PROJECT_SOURCE_DIR}/xla/tools/main.cc)
  set_target_properties(tessera_command PROPERTIES
    OUTPUT_NAME tessera ENABLE_EXPORTS ON)
  target_link_libraries(tessera_command PRIVATE tessera_tools)
  tessera_use_pch(tessera_command tessera_pch)
endif()
