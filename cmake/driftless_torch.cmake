# driftless_torch(): finds LibTorch. The module of Python shares its process with `import torch`, and two LibTorches in one
# process crash, so that of the PyTorch of the module's Python is taken where that brings its own. With another one, which
# Torch_DIR or CMAKE_PREFIX_PATH names, there is no module.
function(driftless_find_pytorch folder)
  execute_process(COMMAND "${Python_EXECUTABLE}" -c
    "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # Debian's PyTorch has none: it uses the one of libtorch-dev.
  if(NOT EXISTS "${found}/share/cmake/Torch/TorchConfig.cmake")
    set(found "")
  endif()
  set(${folder} "${found}" PARENT_SCOPE)
endfunction()

macro(driftless_torch)
  set(driftless_pytorch "")
  if(DRIFTLESS_PYTHON)
    driftless_find_pytorch(driftless_pytorch)
  endif()
  if(driftless_pytorch)
    list(APPEND CMAKE_PREFIX_PATH "${driftless_pytorch}/share/cmake")
  endif()
  find_package(Torch REQUIRED)
  if(driftless_pytorch)
    file(REAL_PATH "${driftless_pytorch}/share/cmake/Torch" driftless_pytorch)
    file(REAL_PATH "${Torch_DIR}" driftless_libtorch)
    if(NOT driftless_pytorch STREQUAL driftless_libtorch)
      set(DRIFTLESS_PYTHON OFF)
      message(STATUS "DRIFTLESS_PYTHON: OFF, because PyTorch of ${Python_EXECUTABLE} is not of the LibTorch in ${Torch_DIR}")
    endif()
  endif()
endmacro()
