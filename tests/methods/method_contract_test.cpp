// What every method of the catalogue must do. A new method is covered by being listed.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

std::string test_name(const testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  for (char& c : name) {
    if (c == '+') c = 'P';
    else if (c == '-') c = '_';
  }
  return name;
}

std::vector<std::string> methods(bool (*chosen)(const MethodEntry&)) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog())
    if (chosen(entry)) names.push_back(entry.name);
  return names;
}

std::vector<std::string> all_methods() {
  return methods([](const MethodEntry&) { return true; });
}

class MethodContract : public testing::TestWithParam<std::string> {
 protected:
  const MethodEntry& entry() const { return find_method(GetParam()); }
};

TEST_P(MethodContract, ReachesTheMinimizerOrSaysThatItDoesNot) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, entry().name, entry().demo);
  const double first = instance.value(instance.start) - instance.minimum;
  double gap = first;
  for (int r = 0; r < 1500 && gap > 1e-10 * first; ++r) gap = instance.value(bed.rounds(1)) - instance.minimum;
  if (entry().reaches_minimizer()) EXPECT_LE(gap, 1e-10 * first);
  else EXPECT_GT(gap, 1e-10 * first);
  EXPECT_LT(gap, 1e-2 * first) << "even a biased method comes close on like clients";
}

TEST_P(MethodContract, GivesTheSameBitsForEveryNumberOfThreads) {
  const Instance instance = demo_quadratics();
  const auto reached = [&](std::size_t threads) {
    Testbed bed(instance, entry().name, entry().demo, {}, threads);
    return Vector(bed.rounds(7));
  };
  const Vector alone = reached(1);
  for (const std::size_t threads : {2U, 7U}) EXPECT_TRUE(alone == reached(threads)) << threads << " threads";
}

TEST_P(MethodContract, CostsTheTrafficItDocuments) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, entry().name, entry().demo);
  bed.rounds(3);
  const Traffic start = bed.method().start_traffic(5);
  const Traffic round = bed.method().round_traffic(5);
  const Traffic coin = bed.method().coin_traffic(5);
  const Ledger& ledger = bed.federation().ledger();
  if (round.at_least) {  // more exchanges of the same kind are welcome
    EXPECT_GE(ledger.exchanges, start.exchanges + 3 * round.exchanges);
    EXPECT_GE(ledger.vectors_up, start.up + 3 * round.up);
    EXPECT_GE(ledger.vectors_down, start.down + 3 * round.down);
    return;
  }
  const std::uint64_t certain = start.exchanges + 3 * round.exchanges;
  const std::uint64_t coins = coin.exchanges == 0 ? 0 : (ledger.exchanges - certain) / coin.exchanges;
  EXPECT_LE(coins, 3U);
  EXPECT_EQ(ledger.exchanges, certain + coins * coin.exchanges);
  EXPECT_EQ(ledger.vectors_up, start.up + 3 * round.up + coins * coin.up);
  EXPECT_EQ(ledger.vectors_down, start.down + 3 * round.down + coins * coin.down);
}

TEST_P(MethodContract, DoesLocalWorkAndCountsIt) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, entry().name, entry().demo);
  bed.rounds(6);  // more than there are clients: a method in which one client works per round comes back to one of them
  EXPECT_GE(bed.federation().busiest().steps, 2U);
}

TEST_P(MethodContract, TheoryNamesEveryOptionThatHasNoDefault) {
  const Settings settings = theory_settings(entry(), demo_quadratics().constants);
  EXPECT_NO_THROW(entry().make(settings));
  for (const auto& setting : settings) EXPECT_TRUE(has_option(entry(), setting.first)) << setting.first;
}

TEST_P(MethodContract, WorksWithTheParametersOfItsTheory) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, entry().name, theory_settings(entry(), instance.constants));
  const double first = instance.value(instance.start) - instance.minimum;
  const double aim = (entry().reaches_minimizer() ? 1e-6 : 1e-2) * first;
  double gap = first;
  for (int r = 0; r < 20000 && gap > aim; ++r) gap = instance.value(bed.rounds(1)) - instance.minimum;
  EXPECT_LE(gap, aim);
}

TEST_P(MethodContract, RejectsOptionsOutOfRange) {
  for (const OptionInfo& option : entry().options) {
    const bool is_number = option.kind == OptionKind::number || option.kind == OptionKind::whole_number;
    const Settings bad =
        with(entry().demo, {{option.name, is_number ? OptionValue(-1.5) : OptionValue(std::string("no such choice"))}});
    EXPECT_THROW(entry().make(bad), ConfigError) << option.name;
  }
  EXPECT_THROW(entry().make(with(entry().demo, {{"no_such_option", 1.0}})), ConfigError);
}

// The value that the TOML text of an echo stands for.
OptionValue parsed(OptionKind kind, const std::string& text) {
  switch (kind) {
    case OptionKind::boolean: return text == "true";
    case OptionKind::number: return std::stod(text);
    case OptionKind::whole_number: return std::int64_t{std::stoll(text)};
    default: return text.substr(1, text.size() - 2);  // without its quotes
  }
}

TEST_P(MethodContract, EchoesSettingsThatMakeItAgain) {
  const MethodEntry::Echo echo = entry().echo(entry().demo);
  for (const OptionInfo& option : entry().options) {
    const bool echoed = std::ranges::find(echo, option.name, &MethodEntry::Echo::value_type::first) != echo.end();
    const bool may_be_empty = option.kind == OptionKind::numbers || option.kind == OptionKind::text;
    EXPECT_TRUE(echoed || (may_be_empty && option.initial.empty() && !option.required)) << option.name;
  }
  Settings again;
  for (const auto& [key, text] : echo) {
    const auto option = std::ranges::find(entry().options, key, &OptionInfo::name);
    ASSERT_NE(option, entry().options.end()) << key;
    ASSERT_FALSE(text.empty()) << key;
    again.emplace_back(key, parsed(option->kind, text));
  }
  EXPECT_EQ(entry().echo(again), echo);
  const Instance instance = demo_quadratics();
  Testbed first(instance, entry().name, entry().demo);
  Testbed second(instance, entry().name, again);
  EXPECT_TRUE(first.rounds(3) == second.rounds(3)) << "the echo makes another method";
}

TEST_P(MethodContract, EchoesAndChecksWhatIsToComeFromTheory) {
  Settings settings;
  for (const TheoryValue& t : entry().theory) settings.emplace_back(t.option, std::string("theory"));
  EXPECT_NO_THROW(entry().check(settings));
  std::size_t pending = 0;
  for (const auto& [key, text] : entry().echo(settings)) pending += text == "\"theory\"" ? 1 : 0;
  EXPECT_EQ(pending, settings.size());
  EXPECT_THROW(entry().check(with(settings, {{"no_such_option", std::string("theory")}})), ConfigError);
}

TEST_P(MethodContract, StatesWhatARoundSends) {
  EXPECT_FALSE(entry().messages.up.empty());
  EXPECT_FALSE(entry().messages.down.empty());
  EXPECT_FALSE(entry().rate.text().empty());
}

INSTANTIATE_TEST_SUITE_P(Catalog, MethodContract, testing::ValuesIn(all_methods()), test_name);

class NameWithFixedOptions : public MethodContract {};

TEST_P(NameWithFixedOptions, RejectsSettingsThatItFixes) {
  ASSERT_FALSE(entry().fixed.empty());
  for (const auto& fixed : entry().fixed)
    EXPECT_THROW(entry().make(with(entry().demo, {fixed})), ConfigError) << fixed.first;
}

INSTANTIATE_TEST_SUITE_P(Catalog, NameWithFixedOptions,
                         testing::ValuesIn(methods([](const MethodEntry& e) { return !e.fixed.empty(); })), test_name);

TEST(MethodCatalog, KnowsNoNameTwice) {
  std::vector<std::string> names = all_methods();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(MethodCatalog, SuggestsTheNearestName) {
  try {
    find_method("fedredgd");
    FAIL() << "an unknown method was found";
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'fedred-gd'"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace driftless::test
