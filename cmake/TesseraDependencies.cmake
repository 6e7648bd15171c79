# What the libraries link from the system; docs/dependencies.md gives reasons.

find_package(absl REQUIRED CONFIG)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
# Debian's libzip CMake files name programs of packages that we do not need.
find_library(TESSERA_LIBZIP zip REQUIRED)
find_path(TESSERA_LIBZIP_INCLUDE zip.h REQUIRED)
# LAPACK and BLAS in one library, of one thread; lapack.h declares it.
find_library(TESSERA_OPENBLAS openblas PATH_SUFFIXES openblas-serial REQUIRED)
find_path(TESSERA_LAPACK_INCLUDE lapack.h REQUIRED)
mark_as_advanced(TESSERA_LIBZIP TESSERA_LIBZIP_INCLUDE TESSERA_OPENBLAS
  TESSERA_LAPACK_INCLUDE)

# Those that show in public headers: clients get them through TesseraConfig.
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
