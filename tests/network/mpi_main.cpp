#include "tests/network/mpi_main.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::unique_ptr<MpiSession> session;

}  // namespace

MpiSession& mpi_of_test() { return *session; }

}  // namespace driftless

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  driftless::session = std::make_unique<driftless::MpiSession>();
  // Only rank 0 prints results.
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (driftless::session->rank() != 0) delete listeners.Release(listeners.default_result_printer());
  const int result = RUN_ALL_TESTS();
  driftless::session.reset();
  return result;
}
