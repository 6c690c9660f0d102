// The MPI session of a test program.
#pragma once

#include "driftless/network/mpi/mpi_session.hpp"

namespace driftless {

MpiSession& mpi_of_test();

}  // namespace driftless
