# driftless_optional(NAME WHAT PACKAGE [ARGUMENT...]): a part of the library that needs PACKAGE, given to find_package
# with the arguments. DRIFTLESS_WITH_NAME is AUTO (there where the package is found), ON (an error where it is not) or
# OFF; DRIFTLESS_HAS_NAME then says whether the part is there.
#
# A macro: what find_package sets must be seen by the caller.
macro(driftless_optional name what package)
  set(DRIFTLESS_WITH_${name} AUTO CACHE STRING "${what}: AUTO (where ${package} is found), ON or OFF")
  set_property(CACHE DRIFTLESS_WITH_${name} PROPERTY STRINGS AUTO ON OFF)
  set(DRIFTLESS_HAS_${name} OFF)
  if(DRIFTLESS_WITH_${name} STREQUAL "AUTO")
    find_package(${package} QUIET ${ARGN})
    set(DRIFTLESS_HAS_${name} ${${package}_FOUND})
  elseif(DRIFTLESS_WITH_${name})
    find_package(${package} REQUIRED ${ARGN})
    set(DRIFTLESS_HAS_${name} ON)
  endif()
  if(NOT DRIFTLESS_HAS_${name})
    set(DRIFTLESS_HAS_${name} OFF)
  endif()
  message(STATUS "${what}: ${DRIFTLESS_HAS_${name}}")
endmacro()
