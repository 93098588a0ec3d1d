# Writes HEADER with the commit of SOURCE, if it has changed. COMMIT stands for sources that are not a repository of their own.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-prefix --short=12 HEAD OUTPUT_VARIABLE found ERROR_QUIET)
if(COMMIT STREQUAL "" AND found MATCHES "^\n([0-9a-f]+)\n$")
  set(COMMIT ${CMAKE_MATCH_1})
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define CAMEO_COMMIT \"${COMMIT}\"\n")
