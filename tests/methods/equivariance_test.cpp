// A method must not depend on what is only a choice of units: c·f with the parameters of the theory for c·f gives the
// iterates of f, and in turned coordinates the iterates turn with them. Methods that look at single coordinates do not.
#include "tests/support/testbed.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr Index dim = 12;
constexpr std::size_t rounds = 6;

std::vector<std::string> methods_but(const std::vector<std::string>& exceptions) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog())
    if (std::find(exceptions.begin(), exceptions.end(), entry.name) == exceptions.end()) names.push_back(entry.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& method) {
  std::string name = "m_" + method.param;
  std::replace(name.begin(), name.end(), '+', 'P');
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Vector reached(const Instance& instance, const std::string& name) {
  Testbed bed(instance, name, theory_settings(find_method(name), instance.constants));
  return bed.rounds(rounds);
}

class UnitsOfF : public testing::TestWithParam<std::string> {};

TEST_P(UnitsOfF, DoNotMatter) {
  const Instance plain = random_quadratics(3, 5, dim);
  const Instance scaled = transformed(plain, 1024.0, Matrix::Identity(dim, dim));
  EXPECT_LE((reached(scaled, GetParam()) - reached(plain, GetParam())).norm(), 1e-9 * plain.start.norm());
}

INSTANTIATE_TEST_SUITE_P(Catalog, UnitsOfF, testing::ValuesIn(methods_but({})), test_name);

class Coordinates : public testing::TestWithParam<std::string> {};

TEST_P(Coordinates, DoNotMatter) {
  const Instance plain = random_quadratics(3, 5, dim);
  const Matrix Q = random_rotation(8, dim);
  const Instance turned = transformed(plain, 1.0, Q);
  EXPECT_LE((reached(turned, GetParam()) - Q * reached(plain, GetParam())).norm(), 1e-8 * plain.start.norm());
}

// Adaptive servers scale, masks and codes choose, and FedPVR corrects single coordinates.
const std::vector<std::string> look_at_coordinates{"fedadam", "fedyogi", "fedadagrad", "fedpvr",
                                                   "tamuna",  "diana",   "ef21"};
INSTANTIATE_TEST_SUITE_P(Catalog, Coordinates, testing::ValuesIn(methods_but(look_at_coordinates)), test_name);

}  // namespace
}  // namespace driftless::test
