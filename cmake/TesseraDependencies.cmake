# System libraries that Tessera links; docs/dependencies.md gives the reasons.

find_package(absl REQUIRED CONFIG)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
# Debian's CMake files for libzip require programs of packages that we do not
# need.
find_library(TESSERA_LIBZIP zip REQUIRED)
find_path(TESSERA_LIBZIP_INCLUDE zip.h REQUIRED)
# LAPACK and BLAS in one single-threaded library; lapack.h declares it.
find_library(TESSERA_OPENBLAS openblas PATH_SUFFIXES openblas-serial REQUIRED)
find_path(TESSERA_LAPACK_INCLUDE lapack.h REQUIRED)
mark_as_advanced(TESSERA_LIBZIP TESSERA_LIBZIP_INCLUDE TESSERA_OPENBLAS
  TESSERA_LAPACK_INCLUDE)

# Static LLVM: the parts that turn optimized IR into objects and load them.
# Without `passes`, which would link every pass there is, and with no target but
# the host's.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19)
llvm_map_components_to_libnames(llvm_libraries
  core support analysis target nativecodegen
  transformutils scalaropts instcombine asmparser bitwriter)
# Sets `out` to the names of the archives of these components and of all that
# they need, separated by colons.
function(tessera_llvm_archives out)
  set(archives)
  set(queue ${ARGN})
  while(queue)
    list(POP_FRONT queue library)
    if(TARGET ${library} AND NOT lib${library}.a IN_LIST archives
        AND library MATCHES "^LLVM")
      list(APPEND archives lib${library}.a)
      get_target_property(needs ${library} INTERFACE_LINK_LIBRARIES)
      if(needs)
        list(APPEND queue ${needs})
      endif()
    endif()
  endwhile()
  list(JOIN archives ":" archives)
  set(${out} ${archives} PARENT_SCOPE)
endfunction()
tessera_llvm_archives(llvm_archives ${llvm_libraries})

# Linked by the layers that use LLVM. No program or library exports a symbol of
# LLVM: the process may hold other copies, such as jaxlib's.
add_library(tessera_llvm INTERFACE)
target_link_libraries(tessera_llvm INTERFACE ${llvm_libraries})
target_include_directories(tessera_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_options(tessera_llvm INTERFACE
  -Wl,--gc-sections -Wl,--exclude-libs,${llvm_archives})

# The code generators of both architectures, for code that another machine runs.
set(llvm_targets LLVMX86CodeGen LLVMAArch64CodeGen)
tessera_llvm_archives(llvm_archives ${llvm_targets})
add_library(tessera_llvm_targets INTERFACE)
target_link_libraries(tessera_llvm_targets INTERFACE tessera_llvm
  ${llvm_targets})
target_link_options(tessera_llvm_targets INTERFACE
  -Wl,--exclude-libs,${llvm_archives})

# Libraries that appear in public headers: clients get them through
# TesseraConfig.
set(TESSERA_PUBLIC_DEPENDENCIES
  absl::status absl::statusor absl::strings absl::str_format absl::cord
  absl::span absl::flat_hash_map absl::flat_hash_set absl::node_hash_map
  absl::btree absl::inlined_vector absl::fixed_array absl::hash absl::int128
  absl::function_ref absl::any_invocable absl::optional absl::variant
  absl::synchronization absl::time absl::memory absl::algorithm_container
  protobuf::libprotobuf)

add_library(tessera_dependencies INTERFACE)
target_link_libraries(tessera_dependencies INTERFACE
  ${TESSERA_PUBLIC_DEPENDENCIES} ZLIB::ZLIB ${TESSERA_LIBZIP}
  ${TESSERA_OPENBLAS} Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(tessera_dependencies SYSTEM INTERFACE
  ${TESSERA_LIBZIP_INCLUDE} ${TESSERA_LAPACK_INCLUDE})
