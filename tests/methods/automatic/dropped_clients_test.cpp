// Methods that keep values of f from one round to the next notice that clients were dropped, which makes f another
// function: they reach the minimiser of the clients that are left.
#include "tests/support/dropping_transport.hpp"
#include "tests/support/small_logistic.hpp"
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Choice {
  const char* title;
  const char* method;
  Settings settings;
};

class DroppedClients : public testing::TestWithParam<Choice> {};

TEST_P(DroppedClients, TheOthersFunctionIsMinimised) {
  const Instance instance = logistic(5, 0.9);
  DroppingTransport transport(5);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1);
  const std::unique_ptr<Method> method = find_method(GetParam().method).make(GetParam().settings);
  Vector x = instance.start;
  method->start(fed, x);
  const auto rounds = [&](int count) {
    for (int r = 0; r < count; ++r) {
      fed.begin_round();
      method->round(fed, x);
    }
  };
  rounds(3);
  const double with_all = fed.measure(x).value;
  transport.drop(2);
  rounds(100);
  EXPECT_EQ(fed.everyone().size(), 4U);
  EXPECT_LE(fed.measure(x).gradient.norm(), 1e-9);
  EXPECT_NE(fed.measure(x).value, with_all);
}

INSTANTIATE_TEST_SUITE_P(Methods, DroppedClients,
                         testing::Values(Choice{"Auto", "auto", {}},
                                         Choice{"AutoVectors", "auto", {{"matrices", false}}},
                                         Choice{"NewtonCg", "newton-cg", {}}, Choice{"Newton", "newton", {}},
                                         Choice{"NewtonInSpan", "newton-in-span", {}}, Choice{"Lbfgs", "l-bfgs", {}},
                                         Choice{"AccSDane", "acc-s-dane", {}}),
                         [](const auto& choice) { return std::string(choice.param.title); });

}  // namespace
}  // namespace driftless::test
