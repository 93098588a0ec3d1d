# `cmake --install`: the command, the library (static and shared), headers, package files for CMake and pkg-config, man pages and
# the completion of shells. The installed files may be moved together.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/cameo)

# The shared library has the objects of the static one. Before version 1.0, each minor version has an interface of its own.
add_library(cameo_shared SHARED ${CMAKE_CURRENT_LIST_DIR}/portable/empty.cpp)
add_library(cameo::shared ALIAS cameo_shared)
target_include_directories(cameo_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(cameo_shared INTERFACE cxx_std_20)
target_link_libraries(cameo_shared PRIVATE -Wl,--whole-archive $<TARGET_FILE:cameo> -Wl,--no-whole-archive
                      fmt::fmt ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(cameo_shared PRIVATE -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/portable/library.map)
add_dependencies(cameo_shared cameo)
set_target_properties(
  cameo_shared
  PROPERTIES OUTPUT_NAME cameo EXPORT_NAME shared VERSION ${PROJECT_VERSION} LINK_DEPENDS $<TARGET_FILE:cameo>
             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

target_include_directories(cameo PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(cameo_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS cameo cameo_shared EXPORT cameoTargets COMPONENT library)
install(DIRECTORY include/cameo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT cameoTargets NAMESPACE cameo:: DESTINATION ${config} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/cameoConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/cameoConfig.cmake
                              INSTALL_DESTINATION ${config})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cameoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cameoConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cameoConfigVersion.cmake
        DESTINATION ${config} COMPONENT library)
file(RELATIVE_PATH prefix_of_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/cameo.pc.in ${CMAKE_CURRENT_BINARY_DIR}/cameo.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cameo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

if(TARGET cameo_cli)
  install(TARGETS cameo_cli COMPONENT command)
  install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
  install(CODE "execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/shared_files $<TARGET_FILE:cameo_cli>
                                \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT command)
endif()
if(TARGET cameo_torch)
  install(TARGETS cameo_torch COMPONENT bridge OPTIONAL)
endif()
