# Groups sources that compile as one, since headers take most of a source's
# compile time. A group holds files of one folder; their local names must
# differ, since their anonymous namespaces become one.

# Compiles `sources` of `target` in groups of about eight. The group of a file
# depends mostly on its name, so a new file leaves other groups unchanged.
function(tessera_group_sources target sources)
  if(NOT TESSERA_UNITY)
    return()
  endif()
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(APPEND folders ${folder})
  endforeach()
  foreach(source folder IN ZIP_LISTS sources folders)
    set(others ${folders})
    list(FILTER others INCLUDE REGEX "^${folder}$")
    list(LENGTH others count)
    set(groups 1)
    while(count GREATER 10)
      math(EXPR count "${count} / 2")
      math(EXPR groups "${groups} * 2")
    endwhile()
    cmake_path(GET source FILENAME name)
    string(MD5 hash ${name})
    string(SUBSTRING ${hash} 0 1 digit)
    math(EXPR group "0x${digit} % ${groups}")
    string(REPLACE "/" "_" folder ${folder})
    set_source_files_properties(${source} PROPERTIES
      UNITY_GROUP ${folder}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
