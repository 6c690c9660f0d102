# driftless_library(NAME [HOT] [SOURCES file...] [DEPENDS target...]): one target for a folder of the library, or for some
# of its sources.
# A folder without sources is an interface target. DEPENDS follows the table in tools/check_layers.py. The standard
# library checks indices everywhere but in HOT folders, whose loops would be slower by it.
add_library(driftless_flags INTERFACE)
target_compile_features(driftless_flags INTERFACE cxx_std_20)
# Unlike machines must agree to the bit, so the compiler may not fuse a multiplication and an addition by itself.
target_compile_options(driftless_flags INTERFACE -ffp-contract=off)

add_library(driftless_warnings INTERFACE)
# g++ 12 reports overlapping copies inside std::string operator+ that do not exist (its bug 105651), hence -Wno-restrict.
# In tests that are compiled together, a name that one file uses for itself may be that of something in another.
target_compile_options(driftless_warnings INTERFACE -Wall -Wextra -Wpedantic
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:DRIFTLESS_MAY_SHADOW>>>:-Wshadow> -Wconversion -Wno-sign-conversion
  -Wno-missing-field-initializers
  -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wdouble-promotion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${DRIFTLESS_WERROR}>:-Werror>)

if(DRIFTLESS_SANITIZE)
  add_compile_options(-fsanitize=${DRIFTLESS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -fno-var-tracking)
  # The checks of every pointer that is followed cost a third of the compile time. AddressSanitizer finds null pointers
  # and accesses beyond an object by itself; alignment is checked by scripts/fuzz, where bytes of files become numbers.
  if(DRIFTLESS_SANITIZE MATCHES "address")
    add_compile_options(-fno-sanitize=null,alignment,object-size)
  endif()
  add_link_options(-fsanitize=${DRIFTLESS_SANITIZE})
  # A sanitizer hinders g++ in telling what is initialised, as its manual says: it warns inside std::regex. Builds
  # without one keep that warning.
  target_compile_options(driftless_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# driftless_unity(TARGET [SIZE]): compiles that many sources of the target together, as most of the time goes into headers
# and templates that they share. Names in unnamed namespaces of a folder must differ for that.
function(driftless_unity target)
  set(size 8)
  if(ARGC GREATER 1)
    set(size ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DRIFTLESS_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

function(driftless_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT" "" "SOURCES;DEPENDS")
  set(target driftless_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:driftless_warnings>)
    if(NOT arg_HOT)
      target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
      driftless_unity(${target})
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} driftless_flags ${arg_DEPENDS})
  add_library(driftless::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endfunction()
