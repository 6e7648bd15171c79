# Helpers that turn a folder of sources into tests, tools and benchmarks.

# The line of xla/LAYERS to which the header `path` (under xla/) belongs; empty
# if the header is in compat.
function(tessera_folder_of path out)
  set(found "")
  if(EXISTS ${PROJECT_SOURCE_DIR}/xla/${path}
      OR NOT EXISTS ${PROJECT_SOURCE_DIR}/compat/xla/${path})
    foreach(folder IN LISTS TESSERA_FOLDERS)
      string(LENGTH "${found}" best)
      string(LENGTH "${folder}" length)
      if(path MATCHES "^${folder}/" AND length GREATER best)
        set(found ${folder})
      endif()
    endforeach()
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Derives from the #include lines of `sources` what a program of them links: the
# library of each xla folder that they name, or all of libtessera if one
# includes an XLA path that only compat/ has; the sources next to included
# headers of tests/; and LLVM if one includes its headers. Linking only these
# keeps one folder's tests buildable while another folder is being rewritten.
function(tessera_needs_of sources out_libraries out_sources)
  set(libraries tessera_headers tessera_proto)
  set(queue ${sources})
  set(seen ${sources})
  while(queue)
    list(POP_FRONT queue file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^#include \"(xla|tests|compat/xla|llvm)/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" path "${line}")
      if(path MATCHES "^tests/(.*)\\.h$")
        set(stem ${PROJECT_SOURCE_DIR}/tests/${CMAKE_MATCH_1})
        foreach(found ${stem}.h ${stem}.cc)
          if(EXISTS ${found} AND NOT found IN_LIST seen)
            list(APPEND queue ${found})
            list(APPEND seen ${found})
          endif()
        endforeach()
      elseif(path MATCHES "^llvm/")
        list(APPEND libraries tessera_llvm)
      else()
        string(REGEX REPLACE "^xla/" "" path ${path})
        tessera_folder_of(${path} folder)
        if(folder)
          tessera_library_name(${folder} library)
          list(APPEND libraries ${library})
        else()
          list(APPEND libraries tessera)
        endif()
      endif()
    endforeach()
  endwhile()
  if("tessera" IN_LIST libraries)
    # libtessera excludes the others: two copies of the protos in one program
    # would clash.
    set(libraries tessera_headers tessera)
  endif()
  list(REMOVE_DUPLICATES libraries)
  list(FILTER seen INCLUDE REGEX "\\.cc$")
  set(${out_libraries} ${libraries} PARENT_SCOPE)
  set(${out_sources} ${seen} PARENT_SCOPE)
endfunction()

# Adds program `name` from `sources`, linked with what they include and `ARGN`;
# `pch` is the target whose precompiled header it shares.
function(tessera_add_program name pch sources)
  tessera_needs_of("${sources}" libraries sources)
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/compat)
  target_link_libraries(${name} PRIVATE ${libraries} ${ARGN})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  tessera_use_pch(${name} ${pch})
  tessera_group_sources(${name} "${sources}")
endfunction()
