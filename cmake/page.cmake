# The page of `cameo view`: web/bundle makes one HTML file of web/src, and page_generator a C++ source of that. In a build without
# esbuild, the page only says what is missing.
find_program(ESBUILD esbuild)
find_program(PYTHON3 python3)
set(page ${CMAKE_CURRENT_SOURCE_DIR}/src/view/page/placeholder.html)
if(ESBUILD AND PYTHON3)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/view.html)
  file(GLOB page_sources CONFIGURE_DEPENDS web/src/*)
  add_custom_command(OUTPUT ${page} COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/bundle ${page} ${ESBUILD}
                     DEPENDS web/bundle ${page_sources})
  add_custom_target(cameo_page ALL DEPENDS ${page})
endif()
add_executable(page_generator src/view/page/generator.cpp)
target_compile_options(page_generator PRIVATE -O0)
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/page_template.cpp)
add_custom_command(OUTPUT ${page_source} COMMAND page_generator ${page} ${page_source} DEPENDS page_generator ${page})
