# Makes the engines that connect processes, shared objects that are loaded when a
# job asks for them (xla/distributed/engine_api.h): libtessera_gloo.so and
# libtessera_mpi.so. One whose library is not installed is left out.

# Builds libtessera_NAME.so from xla/distributed/engines/NAME_engine.cc, linked
# with the rest.
function(tessera_add_engine name)
  add_library(tessera_${name} SHARED
    ${PROJECT_SOURCE_DIR}/xla/distributed/engines/${name}_engine.cc)
  target_include_directories(tessera_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_features(tessera_${name} PRIVATE cxx_std_20)
  target_link_libraries(tessera_${name} PRIVATE ${ARGN} Threads::Threads)
  # Its threads may outlive the last dlclose().
  target_link_options(tessera_${name} PRIVATE -Wl,-z,nodelete)
  set_target_properties(tessera_${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  install(TARGETS tessera_${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT engines)
endfunction()

set(TESSERA_ENGINES)
find_library(TESSERA_GLOO gloo)
find_path(TESSERA_GLOO_INCLUDE gloo/transport/unbound_buffer.h)
mark_as_advanced(TESSERA_GLOO TESSERA_GLOO_INCLUDE)
if(TESSERA_GLOO AND TESSERA_GLOO_INCLUDE)
  tessera_add_engine(gloo ${TESSERA_GLOO})
  target_include_directories(tessera_gloo SYSTEM PRIVATE
    ${TESSERA_GLOO_INCLUDE})
  list(APPEND TESSERA_ENGINES tessera_gloo)
else()
  message(STATUS "Gloo is not installed: no libtessera_gloo.so")
endif()

# MPI's C interface alone.
find_package(MPI COMPONENTS C)
if(MPI_C_FOUND)
  tessera_add_engine(mpi MPI::MPI_C)
  list(APPEND TESSERA_ENGINES tessera_mpi)
else()
  message(STATUS "MPI is not installed: no libtessera_mpi.so")
endif()
