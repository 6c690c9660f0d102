# driftless_test(NAME [SINGLE_THREADED] [NUMBERS_ALONE] SOURCES file... [SEPARATE file...] [DEPENDS target...] [LABEL unit]
# [ENVIRONMENT name=value]): one googletest program, each test known to ctest. SEPARATE are sources with names that others
# of the program have as well: they are not compiled together with others. A SINGLE_THREADED program starts no thread
# beside its own, so ThreadSanitizer has nothing to find in it, and a build with that leaves it out. A program of
# NUMBERS_ALONE checks the results of code that other programs run under the sanitizers too; no sanitizer sees it.
include(GoogleTest)

function(driftless_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SINGLE_THREADED;NUMBERS_ALONE" "LABEL" "SOURCES;SEPARATE;DEPENDS;ENVIRONMENT")
  if((arg_SINGLE_THREADED AND DRIFTLESS_SANITIZE STREQUAL "thread") OR (arg_NUMBERS_ALONE AND DRIFTLESS_SANITIZE))
    return()
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  add_executable(${name} ${arg_SOURCES} ${arg_SEPARATE})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  # What is tested is optimised; the test itself need not be, and compiles in half the time.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} driftless_warnings GTest::gmock GTest::gtest_main)
  driftless_unity(${name})
  set_target_properties(${name} PROPERTIES DRIFTLESS_MAY_SHADOW ${DRIFTLESS_UNITY})
  if(arg_SEPARATE)
    set_source_files_properties(${arg_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  # The public data sets that a machine of developers has beside the checkout.
  set(properties LABELS ${arg_LABEL}
    ENVIRONMENT_MODIFICATION DRIFTLESS_DATA=path_list_append:${PROJECT_SOURCE_DIR}/../shared/data)
  if(arg_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT ${arg_ENVIRONMENT})
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# driftless_mpi_environment(RESULT): what tests under mpirun need where they are run: as root in a container, with more
# ranks than cores, which then must neither spin nor be bound to the cores of another test. MPI itself leaks at its end.
function(driftless_mpi_environment result)
  set(${result}
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none ASAN_OPTIONS=detect_leaks=0 PARENT_SCOPE)
endfunction()

# driftless_mpi_test(NAME SOURCES file... [DEPENDS target...] RANKS n...): one googletest program with a main of its own,
# run as a whole with each number of ranks.
function(driftless_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;RANKS")
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} driftless_warnings GTest::gmock GTest::gtest)
  driftless_mpi_environment(environment)
  foreach(ranks IN LISTS arg_RANKS)
    set(test ${name}.OnRanks${ranks})
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${name}>)
    # What waits for a message that never comes would wait for ever.
    set_tests_properties(${test} PROPERTIES LABELS mpi ENVIRONMENT "${environment}" TIMEOUT 120 PROCESSORS 2)
  endforeach()
endfunction()
