# The headers that are installed: the public ones named here, and those that they include in turn. All others are the
# program's own business.
#
#   include(driftless_headers)
#   driftless_headers_of(RESULT SOURCE group...)   paths below SOURCE, sorted
#
# Groups are those of driftless_install.cmake. Scripts of an installation have no policies of their own.
cmake_policy(VERSION 3.25)
set(driftless_public_headers_optimize
  driftless/driftless.hpp                        # minimize, summaries, methods, objectives, errors
  driftless/federation/in_process_transport.hpp  # with optimize/driver.hpp: the parts of minimize one by one
  driftless/theory/federated_constants.hpp)      # L, μ and δ of the clients, for values from theory
set(driftless_public_headers_files
  driftless/checkpoints/checkpoint_file.hpp
  driftless/data/libsvm/libsvm_reader.hpp
  driftless/data/partition.hpp
  driftless/data/split_rows.hpp
  driftless/files/npy.hpp)
set(driftless_public_headers_mpi
  driftless/network/mpi/mpi_session.hpp
  driftless/network/mpi/mpi_transport.hpp)
set(driftless_public_headers_network
  driftless/peers/join.hpp
  driftless/peers/serve.hpp
  driftless/problems/own/own_client.hpp)         # clients of a site that are objectives of the program
set(driftless_public_headers_torch
  driftless/torch/net_problem.hpp)

function(driftless_headers_of result source)
  set(waiting "")
  foreach(group IN LISTS ARGN)
    list(APPEND waiting ${driftless_public_headers_${group}})
  endforeach()
  set(found "")
  while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found "${header}")
    file(STRINGS "${source}/${header}" lines REGEX "^#include \"driftless/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*$" "\\1" included "${line}")
      list(APPEND waiting "${included}")
    endforeach()
  endwhile()
  list(SORT found)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
