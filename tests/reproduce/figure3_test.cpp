#include "driftless/reproduce/figure3.hpp"

#include <gmock/gmock.h>
#include <set>

namespace driftless {
namespace {

using testing::HasSubstr;

TEST(Figure3, TheGridIsThatOfThePaper) {
  std::size_t all = 0, quick = 0;
  for (const char* method : {"fedavg", "fedprox", "scaffold", "scaffnew", "dane+-sgd", "fedred-sgd"}) {
    const std::vector<std::string> settings = figure3_grid(method, false);
    EXPECT_EQ(std::set<std::string>(settings.begin(), settings.end()).size(), settings.size()) << method;
    all += settings.size();
    quick += figure3_grid(method, true).size();
  }
  EXPECT_EQ(all, 3U * 4U * 2U + 3U * 4U * 2U * 5U);  // rates, local steps, and λ for three of the six
  EXPECT_EQ(quick, 18U);
}

TEST(Figure3, SettingsAreThoseOfTheMethods) {
  for (const char* method : {"fedavg", "fedprox", "scaffold", "scaffnew", "dane+-sgd", "fedred-sgd"}) {
    const std::string setting = figure3_grid(method, false).front();
    const bool coins = std::string(method) == "scaffnew" || std::string(method) == "fedred-sgd";
    EXPECT_THAT(setting, HasSubstr(coins ? "p = 0.1" : "local_steps = 10")) << method;
    EXPECT_EQ(setting.find("lambda") != std::string::npos, setting.find("eta") != std::string::npos) << method;
  }
  EXPECT_THAT(figure3_grid("scaffold", false).front(), HasSubstr("control_variate = \"exact\""));
  EXPECT_THAT(figure3_grid("dane+-sgd", false).front(), HasSubstr("eta = 100"));  // 1/0.01
}

TEST(Figure3, ThePageHasALineForEachMethodAndSaysWhatWasTried) {
  Figure3 figure;
  figure.setup.quick = true;
  figure.lines.push_back({.method = "fedprox", .tried = 4, .setting = "lambda = 1;", .loss = 1.25, .accuracy = 0.7366});
  const std::string page = figure3_markdown(figure);
  EXPECT_THAT(page, HasSubstr("learning rates 0.05, 0.1"));
  EXPECT_THAT(page, HasSubstr("| fedprox | 4 | `lambda = 1;` | 1.2500 | 73.66 % |"));
  EXPECT_THAT(figure3_json(figure), HasSubstr("\"test_accuracy\": 0.7366"));
}

}  // namespace
}  // namespace driftless
