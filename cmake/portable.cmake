# The command and the Python module for systems with glibc 2.31 and later: Debian 11, Ubuntu 20.04. They have the objects of the
# ordinary build. Only the link differs: libstdc++, {fmt} and zlib are linked statically, and glibc is the old one that
# scripts/old_libc stores in .cache/old_libc. libgcc_s stays shared, because the static one needs glibc 2.35.
set(old ${PROJECT_SOURCE_DIR}/.cache/old_libc)
find_library(zlib_archive libz.a)

add_library(cameo_portable_parts OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/portable/fmt.cpp
                                                         ${CMAKE_CURRENT_LIST_DIR}/portable/libc.cpp)
target_compile_options(cameo_portable_parts PRIVATE -ffunction-sections -fdata-sections)

function(link_portably target)
  set(libraries ${old}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  add_dependencies(${target} cameo)
  target_link_libraries(${target} PRIVATE $<TARGET_FILE:cameo> $<TARGET_OBJECTS:cameo_portable_parts> ${zlib_archive} dl)
  target_link_options(${target} PRIVATE --sysroot=${old} -B${libraries} -L${libraries} -L${old}/lib/${CMAKE_LIBRARY_ARCHITECTURE}
                      -static-libstdc++ -pthread -s -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id=none)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS $<TARGET_FILE:cameo>)
endfunction()

add_executable(cameo_portable EXCLUDE_FROM_ALL $<TARGET_OBJECTS:cameo_cli>)
set_target_properties(cameo_portable PROPERTIES OUTPUT_NAME cameo RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable
                                                LINKER_LANGUAGE CXX)
link_portably(cameo_portable)

if(TARGET cameo_python)
  get_target_property(suffix cameo_python SUFFIX)
  add_library(cameo_python_portable MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:cameo_python>)
  set_target_properties(cameo_python_portable PROPERTIES PREFIX "" OUTPUT_NAME _cameo SUFFIX ${suffix}
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable LINKER_LANGUAGE CXX)
  target_link_options(cameo_python_portable PRIVATE -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/portable/module.map)
  link_portably(cameo_python_portable)
endif()
