# Copies the style sheet and the scripts of `tessera show` into the command, as
# the definition of xla/tools/show/assets.h.

if(TARGET tessera_tools)
  file(GLOB page_assets CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/xla/tools/show/page/*.css
    ${PROJECT_SOURCE_DIR}/xla/tools/show/page/*.js)
  set(page_source ${PROJECT_BINARY_DIR}/assets/assets.cc)
  add_custom_command(OUTPUT ${page_source}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${page_assets}" -DOUT=${page_source}
      -P ${CMAKE_CURRENT_LIST_DIR}/embed_assets.cmake
    DEPENDS ${page_assets} ${CMAKE_CURRENT_LIST_DIR}/embed_assets.cmake
    VERBATIM)
  target_sources(tessera_tools PRIVATE ${page_source})
  set_source_files_properties(${page_source} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON)
endif()
