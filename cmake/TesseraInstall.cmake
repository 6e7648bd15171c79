# Installs Tessera in components, and exports targets so that
# find_package(Tessera COMPONENTS ...) works from an installation and from the
# build folder, and pkg-config from an installation (docs/packages.md). Each
# component has what it needs: `cmake --install build --component evaluator`.
include(CMakePackageConfigHelpers)

if(NOT TARGET tessera)
  return()
endif()

set(TESSERA_PYTHON_DIR lib/python3/dist-packages CACHE STRING
  "Where the component `python` is installed, below the prefix")
set(tessera_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/TesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${tessera_config_dir}
  PATH_VARS TESSERA_PYTHON_DIR)
# Before 1.0 a minor release may change the interfaces (docs/abi.md).
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(tessera_compatibility SameMinorVersion)
else()
  set(tessera_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
  COMPATIBILITY ${tessera_compatibility})

# Installs what find_package needs to find `component`: the package's files, and
# the targets that install(TARGETS) gave the export set Tessera_`component`.
function(tessera_install_component component)
  install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
    ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
    DESTINATION ${tessera_config_dir} COMPONENT ${component})
  install(EXPORT Tessera_${component} NAMESPACE Tessera::
    DESTINATION ${tessera_config_dir} COMPONENT ${component})
  export(EXPORT Tessera_${component} NAMESPACE Tessera::
    FILE ${PROJECT_BINARY_DIR}/Tessera_${component}.cmake)
endfunction()

# The file for pkg-config of a library. Its paths are relative to the file's
# own, so the installation may be moved.
file(RELATIVE_PATH TESSERA_PC_PREFIX
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM TESSERA_PUBLIC_DEPENDENCIES REPLACE "^absl::" "absl_"
  OUTPUT_VARIABLE pc_requires)
list(TRANSFORM pc_requires REPLACE "^protobuf::libprotobuf$" "protobuf")
list(JOIN pc_requires ", " TESSERA_PC_REQUIRES)
function(tessera_install_pc component file library description)
  set(TESSERA_PC_LIBRARY ${library})
  set(TESSERA_PC_DESCRIPTION ${description})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in
    ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file}
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()

# Installs the headers of all layers but those in ARGN, and compat's.
function(tessera_install_headers component)
  set(exclude)
  if(ARGN)
    list(JOIN ARGN "|" layers)
    set(exclude REGEX "/xla/(${layers})$" EXCLUDE)
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/xla ${TESSERA_GEN_DIR}/xla
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT ${component}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.proto"
    PATTERN "tools" EXCLUDE PATTERN "xla/capi" EXCLUDE ${exclude})
  if(EXISTS ${PROJECT_SOURCE_DIR}/compat)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT ${component}
      FILES_MATCHING PATTERN "*.h")
  endif()
endfunction()

# compiler: libtessera, with LLVM inside, and the C API over it, which
# find_package knows as the component C.
set(libraries tessera)
if(TARGET tessera_c)
  list(APPEND libraries tessera_c)
  # <tessera/tessera.h>, the header of the C API.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/xla/capi/include/tessera
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT compiler
    FILES_MATCHING PATTERN "*.h")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera-c.pc.in
    ${PROJECT_BINARY_DIR}/tessera-c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/tessera-c.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT compiler)
endif()
install(TARGETS ${libraries} EXPORT Tessera_compiler
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compiler)
tessera_install_headers(compiler)
tessera_install_pc(compiler tessera.pc tessera
  "Compiler for tensor programs with XLA's C++ API")
tessera_install_component(compiler)

# evaluator: libtessera_evaluator, without.
if(TARGET tessera_evaluator)
  install(TARGETS tessera_evaluator EXPORT Tessera_evaluator
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT evaluator)
  set(others ${TESSERA_FOLDERS})
  list(REMOVE_ITEM others ${TESSERA_EVALUATOR_FOLDERS})
  tessera_install_headers(evaluator ${others})
  tessera_install_pc(evaluator tessera-evaluator.pc tessera_evaluator
    "Readers, builder and evaluator of tensor programs with XLA's C++ API")
  tessera_install_component(evaluator)
endif()

# aot_runtime: what objects that were compiled ahead of time are linked with.
if(TARGET tessera_aot_runtime)
  set_target_properties(tessera_aot_runtime PROPERTIES EXPORT_NAME aot_runtime)
  install(TARGETS tessera_aot_runtime EXPORT Tessera_aot_runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT aot_runtime)
  install(FILES ${TESSERA_AOT_HEADERS}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT aot_runtime)
  if(TESSERA_AOT_ARCHIVE)
    install(FILES ${TESSERA_AOT_ARCHIVE}
      DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT aot_runtime)
  endif()
  tessera_install_component(aot_runtime)
endif()

# command: the program `tessera`.
if(TARGET tessera_command)
  set_target_properties(tessera_command PROPERTIES EXPORT_NAME command)
  install(TARGETS tessera_command EXPORT Tessera_command
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  # find_package in the build folder finds the function there.
  configure_file(${PROJECT_SOURCE_DIR}/cmake/TesseraCompile.cmake
    ${PROJECT_BINARY_DIR}/TesseraCompile.cmake COPYONLY)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/TesseraCompile.cmake
    DESTINATION ${tessera_config_dir} COMPONENT command)
  tessera_install_component(command)
endif()

# plugin: the PJRT plugin, for a program that loads it by its path.
# TesseraPlugin.cmake gave the export set its target.
if(TARGET pjrt_tessera)
  set_target_properties(pjrt_tessera PROPERTIES EXPORT_NAME plugin)
  tessera_install_component(plugin)

  # python: the package jax-tessera with a plugin of its own, as the wheel has
  # it. METADATA has no Requires-Dist, since JAX may come from elsewhere.
  set(info ${PROJECT_BINARY_DIR}/jax_tessera.dist-info)
  file(CONFIGURE OUTPUT ${info}/METADATA @ONLY CONTENT
"Metadata-Version: 2.1
Name: jax-tessera
Version: @PROJECT_VERSION@
Summary: JAX on Tessera: a PJRT plugin
License: Apache-2.0
Requires-Python: >=3.10
")
  file(CONFIGURE OUTPUT ${info}/entry_points.txt @ONLY CONTENT
"[jax_plugins]
tessera = jax_plugins.tessera
")
  install(DIRECTORY ${info}/ COMPONENT python
    DESTINATION ${TESSERA_PYTHON_DIR}/jax_tessera-${PROJECT_VERSION}.dist-info)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/jax_plugins
    ${PROJECT_SOURCE_DIR}/python/tessera
    DESTINATION ${TESSERA_PYTHON_DIR} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
  install(TARGETS pjrt_tessera
    LIBRARY DESTINATION ${TESSERA_PYTHON_DIR}/jax_plugins/tessera
    COMPONENT python)
  install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
    ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
    DESTINATION ${tessera_config_dir} COMPONENT python)
endif()
