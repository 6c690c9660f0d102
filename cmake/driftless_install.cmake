# What `cmake --install` puts in place: the program, the libraries that others may use with their public headers, and the
# descriptions by which others find them (find_package and pkg-config). A project that uses add_subdirectory gets the same
# names. What a group needs of other packages is the same wherever it is built; docs/library.md has the table.
include(CMakePackageConfigHelpers)

# Groups of folders: each is one export, which driftlessConfig.cmake reads if a component of it is asked for.
set(driftless_group_optimize core kernels objectives solvers federation components methods optimize theory)
set(driftless_group_files files checkpoints data)
set(driftless_group_mpi mpi_plan mpi)
# What a server or a site needs, with the kinds of problems, the configurations and the results.
set(driftless_group_network console config pki secure_sum tables glm problems results run_config experiments hub grpc peers)
set(driftless_group_torch torch)
if(TARGET driftless_torch_kernels)
  list(APPEND driftless_group_torch torch_kernels)
endif()

set(driftless_groups optimize)
if(TARGET driftless_checkpoints)
  list(APPEND driftless_groups files)
endif()
if(TARGET driftless_mpi)
  list(APPEND driftless_groups mpi)
endif()
if(TARGET driftless_peers)
  list(APPEND driftless_groups network)
endif()
# Problems name networks; without LibTorch those are an error of a few lines, which goes where the problems go.
set(driftless_groups_beside_network files)
if(DRIFTLESS_WITH_TORCH)
  list(APPEND driftless_groups torch)
  list(APPEND driftless_groups_beside_network torch)
else()
  list(APPEND driftless_group_network torch)
endif()

# Everything but what needs gRPC, MPI or LibTorch.
add_library(driftless_all INTERFACE)
add_library(driftless::driftless ALIAS driftless_all)
target_link_libraries(driftless_all INTERFACE driftless_optimize driftless_theory)
if(TARGET driftless_checkpoints)
  target_link_libraries(driftless_all INTERFACE driftless_checkpoints driftless_data)
endif()
set_target_properties(driftless_all PROPERTIES EXPORT_NAME driftless)
set_target_properties(driftless_flags PROPERTIES EXPORT_NAME flags)

if(NOT DRIFTLESS_INSTALL)
  return()
endif()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# From driftless.pc up to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH driftless_pc_to_prefix "/prefix/${pkgconfig_folder}" "/prefix")
set(package_build "${PROJECT_BINARY_DIR}/package_files")

# driftless_pkg_config(FILE GROUP REQUIRES): the static libraries of a group, users before the used.
function(driftless_pkg_config file group driftless_pc_requires)
  set(driftless_pc_name "${file}")
  set(driftless_pc_libraries "")
  foreach(folder IN LISTS driftless_group_${group})
    string(PREPEND driftless_pc_libraries " -ldriftless_${folder}")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/driftless.pc.in" "${package_build}/${file}.pc" @ONLY)
  install(FILES "${package_build}/${file}.pc" DESTINATION "${pkgconfig_folder}")
endfunction()

foreach(group IN LISTS driftless_groups)
  list(TRANSFORM driftless_group_${group} PREPEND driftless_ OUTPUT_VARIABLE targets)
  if(group STREQUAL "optimize")
    list(APPEND targets driftless_flags)
  elseif(group STREQUAL "files")
    list(APPEND targets driftless_all)
  endif()
  install(TARGETS ${targets} EXPORT driftless-${group}Targets)
  install(EXPORT driftless-${group}Targets NAMESPACE driftless:: DESTINATION "${package_folder}")
endforeach()

driftless_pkg_config(driftless optimize "eigen3 libhwy")
if("files" IN_LIST driftless_groups)
  driftless_pkg_config(driftless-files files "driftless libcrypto zlib libzstd")
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/driftlessConfig.cmake.in" "${package_build}/driftlessConfig.cmake"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${package_build}/driftlessConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${package_build}/driftlessConfig.cmake" "${package_build}/driftlessConfigVersion.cmake"
  DESTINATION "${package_folder}")

# When installing, because which headers those are follows from what they include then.
install(CODE "
  include([[${CMAKE_CURRENT_LIST_DIR}/driftless_headers.cmake]])
  driftless_headers_of(headers [[${PROJECT_SOURCE_DIR}]] ${driftless_groups})
  foreach(header IN LISTS headers)
    get_filename_component(folder \"\${header}\" DIRECTORY)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/\${folder}\")
  endforeach()")
if(TARGET driftless)
  install(TARGETS driftless driftless_net)
  # Printed by the program when it is installed, so that they fit it.
  install(CODE "
    function(install_output file folder)
      execute_process(COMMAND [[$<TARGET_FILE:driftless>]] \${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE \"${package_build}/\${file}\" \"\${text}\")
      file(INSTALL \"${package_build}/\${file}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${folder}\")
    endfunction()
    install_output(driftless.1 ${CMAKE_INSTALL_MANDIR}/man1 manual)
    install_output(driftless ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
    install_output(_driftless ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
    install_output(driftless.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)")
endif()
