# What `cmake --install` puts in place: the program, the static libraries with their headers, and the two descriptions
# by which others find them (find_package and pkg-config). driftless::driftless is the whole library; a project that
# uses add_subdirectory gets the same name.
include(CMakePackageConfigHelpers)

get_property(driftless_libraries GLOBAL PROPERTY DRIFTLESS_LIBRARIES)

add_library(driftless_all INTERFACE)
add_library(driftless::driftless ALIAS driftless_all)
target_link_libraries(driftless_all INTERFACE ${driftless_libraries})
set_target_properties(driftless_all PROPERTIES EXPORT_NAME driftless)
set_target_properties(driftless_flags PROPERTIES EXPORT_NAME flags)

if(NOT DRIFTLESS_INSTALL)
  return()
endif()

# Folders are registered lower layers first; a linker that reads each archive once needs the users before the used.
set(driftless_link_flags "")
foreach(library IN LISTS driftless_libraries)
  get_target_property(type ${library} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(PREPEND driftless_link_flags " -l${library}")
  endif()
endforeach()

if(DRIFTLESS_GRPC)
  string(APPEND driftless_link_flags " -lgrpc++ -lprotobuf")
endif()
if(DRIFTLESS_MPI)
  foreach(library IN LISTS MPI_CXX_LIBRARIES)
    string(APPEND driftless_link_flags " ${library}")
  endforeach()
endif()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# From driftless.pc up to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH driftless_pc_to_prefix "/prefix/${pkgconfig_folder}" "/prefix")
set(package_build "${PROJECT_BINARY_DIR}/package_files")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/driftlessConfig.cmake.in" "${package_build}/driftlessConfig.cmake"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${package_build}/driftlessConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
configure_file("${CMAKE_CURRENT_LIST_DIR}/driftless.pc.in" "${package_build}/driftless.pc" @ONLY)

install(TARGETS ${driftless_libraries} driftless_flags driftless_all EXPORT driftlessTargets)
install(EXPORT driftlessTargets NAMESPACE driftless:: DESTINATION "${package_folder}")
install(FILES "${package_build}/driftlessConfig.cmake" "${package_build}/driftlessConfigVersion.cmake"
  DESTINATION "${package_folder}")
install(FILES "${package_build}/driftless.pc" DESTINATION "${pkgconfig_folder}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/driftless" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
if(TARGET driftless)
  install(TARGETS driftless driftless_net)
endif()
