# The version and the commit in src/base/version.cpp. The commit is read again when HEAD moves.
set(CAMEO_COMMIT "" CACHE STRING "The commit that is built, if the sources are not in a Git repository")
set(commit_header ${CMAKE_CURRENT_BINARY_DIR}/generated/commit.h)
execute_process(COMMAND git rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
cmake_path(ABSOLUTE_PATH head BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
if(NOT EXISTS ${head} OR IS_DIRECTORY ${head})
  set(head)
endif()
add_custom_command(
  OUTPUT ${commit_header} DEPENDS ${head} ${CMAKE_CURRENT_LIST_DIR}/commit.cmake VERBATIM
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DHEADER=${commit_header} -DCOMMIT=${CAMEO_COMMIT}
          -P ${CMAKE_CURRENT_LIST_DIR}/commit.cmake)
set_source_files_properties(
  ${CMAKE_CURRENT_SOURCE_DIR}/src/base/version.cpp
  PROPERTIES COMPILE_DEFINITIONS CAMEO_VERSION="${PROJECT_VERSION}" INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/generated
             OBJECT_DEPENDS ${commit_header} SKIP_UNITY_BUILD_INCLUSION ON)
