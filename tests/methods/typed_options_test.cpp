// Options are checked wherever a method is made by its type: every option of every method, with values that are
// missing, out of range or no number.
#include "driftless/driftless.hpp"

#include "tests/support/expect_error.hpp"

#include <gtest/gtest.h>
#include <typeindex>

namespace driftless::test {
namespace {

using AllMethods =
    testing::Types<AccSonata, AccSonataGraph, AccSvrs, AdaBest, AdaptiveDanePlus, AdaptiveFedRed, Aegs, Agd, Aide, Auto,
                   CeLgd, Cgm, Dane, DaneHb, DanePlus, Disco, DistributedNewton, FedAvg, FedDc, FedDyn, FedExp, FedLin,
                   FedNl, FedNlLs, FedNlPp, FedOpt, FedPd, FedProx, FedPvr, FedRed, FiveGcs, Gd, Giant, GradSkip,
                   InexactDane, Lbfgs, Mime, MimeMvr, Newton, NewtonInSpan, ProxSkipVr, RandProx, RgSaga, RgSvrg, SDane,
                   Scaffnew, Scaffold, Sonata, SonataGraph, Spag, Svrp, Svrs, Tamuna>;

template <class M>
bool is_a(const Method& method) {
  return std::type_index(typeid(method)) == std::type_index(typeid(M));
}

// The options of the first entry of the catalogue that makes an M, with its settings for the demonstration.
template <class M>
typename M::Options demo_options() {
  typename M::Options options;
  for (const MethodEntry& entry : method_catalog()) {
    if (!is_a<M>(*entry.make(entry.demo))) continue;
    for (const Settings& settings : {entry.fixed, entry.initial, entry.demo}) set_options(options, settings);
    return options;
  }
  ADD_FAILURE() << "no entry of the catalogue makes this method";
  return options;
}

// The value of a field, where it has this type.
template <class T, class Options>
T* value_in(Options& options, const Field& field) {
  if (field.ops != detail::ops_of<T>()) return nullptr;
  return reinterpret_cast<T*>(reinterpret_cast<char*>(&options) + field.offset);
}

template <class M>
class TypedMethod : public testing::Test {
 protected:
  // Expects that the method rejects the options with this value of one of them, by name.
  template <class T>
  static void expect_rejected(const Field& field, const T& value) {
    typename M::Options options = demo_options<M>();
    *value_in<T>(options, field) = value;
    expect_error<ConfigError>([&] { M method(options); }, {"'" + std::string(field.name) + "'", "not allowed"});
  }

  static void expect_bounds_kept(const Field& field) {
    SCOPED_TRACE(field.name);
    typename M::Options defaults;
    if (const double* value = value_in<double>(defaults, field)) {
      expect_rejected(field, std::numeric_limits<double>::infinity());
      if (field.range.low > std::numeric_limits<double>::lowest())
        expect_rejected(field, field.range.low_open ? field.range.low : field.range.low - 1.0);
      if (field.range.high < std::numeric_limits<double>::max())
        expect_rejected(field, field.range.high_open ? field.range.high : field.range.high + 1.0);
      if (!std::isnan(*value)) expect_rejected(field, std::numeric_limits<double>::quiet_NaN());
    } else if (value_in<std::size_t>(defaults, field) != nullptr && field.range.low == 1.0) {
      expect_rejected(field, std::size_t{0});
    }
  }
};
TYPED_TEST_SUITE(TypedMethod, AllMethods);

TYPED_TEST(TypedMethod, NamesTheOptionThatIsMissing) {
  using Options = typename TypeParam::Options;
  for (const OptionInfo& option : describe_options<Options>()) {
    if (!option.required) continue;
    try {
      TypeParam method(Options{});
      ADD_FAILURE() << "made without '" << option.name << "'";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("'" + option.name + "' is required"));
    }
    return;
  }
}

TYPED_TEST(TypedMethod, KeepsTheBoundsOfEveryOption) {
  for (const Field& field : TypeParam::Options::fields()) TestFixture::expect_bounds_kept(field);
}

TYPED_TEST(TypedMethod, IsMadeFromCompleteOptions) {
  const auto options = demo_options<TypeParam>();
  EXPECT_NO_THROW(TypeParam{options});
}

template <class... M>
bool is_one_of(const Method& method, testing::Types<M...>) {
  return (is_a<M>(method) || ...);
}

TEST(TypedMethods, AreAllThatTheCatalogueMakes) {
  for (const MethodEntry& entry : method_catalog())
    if (!entry.around) {  // made with another method inside, not from options alone
      EXPECT_TRUE(is_one_of(*entry.make(entry.demo), AllMethods{})) << entry.name << ": add its type to AllMethods";
    }
}

TEST(TypedMethods, RejectIncompleteOptionsInSourceCode) {
  expect_error<ConfigError>([] { FedRed method({.lambda = -1.0, .eta = 8.0, .p = 0.1}); }, {"lambda = -1", ">= 0"});
  EXPECT_THROW(FedRed({.eta = 8.0, .p = 0.1}), ConfigError);
  EXPECT_NO_THROW(FedRed({.lambda = 0.0, .eta = 8.0, .p = 0.1}));
  FedRedOptions unnamed{.lambda = 1.0, .eta = 8.0, .p = 0.1};
  unnamed.solver = static_cast<FedRedSolver>(17);
  expect_error<ConfigError>([&] { FedRed method(unnamed); }, {"solver = 17", "exact | gd | sgd"});
}

}  // namespace
}  // namespace driftless::test
