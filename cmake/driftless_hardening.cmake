# Flags that make a memory error end a program instead of giving an attacker control over it. tests/cli/hardening_test.cpp
# checks the programs for them. Sanitizers bring checks of their own, which _FORTIFY_SOURCE would hide.
if(NOT DRIFTLESS_SANITIZE AND NOT DRIFTLESS_FUZZ)
  # Of C++ alone: nvcc, which compiles the kernels of networks, does not know them.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong>
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fcf-protection=full>)
  endif()
endif()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

# Programs of the build tree get the run path of installed ones. CMake would pad the former so that it can be replaced, and
# the padding ends with an empty element, for which the loader takes the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
# Libraries outside of the system's folders (LibTorch, an MPI of one's own) are found where they were linked.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
