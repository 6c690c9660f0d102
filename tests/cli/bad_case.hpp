// A malformed input, and the message that the program must print: what happened, where, and what to do.
#pragma once

#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

inline constexpr int usage = 2;
inline constexpr int data_fault = 5;

// Valid configurations, each of which a case makes invalid by one change.
inline const std::string quadratic = "seed = 1\n"  // line 1
                                     "[problem]\n"
                                     "kind = \"quadratic\"\n"
                                     "dim = 20\n"
                                     "[federation]\n"  // line 5
                                     "clients = 4\n"
                                     "[[method]]\n"
                                     "name = \"fedred-gd\"\n"
                                     "lambda = 5\n"
                                     "eta = 100\n"  // line 10
                                     "p = 0.1\n"
                                     "[stop]\n"
                                     "rounds = 2\n";

inline const std::string logistic = "seed = 1\n"  // line 1
                                    "[problem]\n"
                                    "kind = \"logistic\"\n"
                                    "data = \"data.svm\"\n"
                                    "[federation]\n"  // line 5
                                    "clients = 2\n"
                                    "[[method]]\n"
                                    "name = \"gd\"\n"
                                    "step = 1\n"
                                    "[stop]\n"  // line 10
                                    "rounds = 2\n";

inline const std::string rows = "1 1:1 2:1\n-1 2:1\n1 1:2\n-1 1:1 3:1\n";

struct BadCase {
  std::string name;
  std::string config;                                      // case.toml
  std::vector<std::string> flags;                          // after `run case.toml`
  std::vector<std::pair<std::string, std::string>> files;  // beside it
  int exit_code = usage;
  std::vector<std::string> fragments;  // of standard error
};

inline std::ostream& operator<<(std::ostream& out, const BadCase& bad) { return out << bad.name; }
inline std::string name_of(const testing::TestParamInfo<BadCase>& each) { return each.param.name; }

inline std::string edit(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "the table of cases is wrong: " + from;
  return text.replace(at, from.size(), to);
}

// Runs the case in its own folder and checks the exit code, the message and that no files are left.
void expect_rejection(const BadCase& bad);

// Checks the three parts of a message and these fragments.
void expect_message(const std::string& text, const std::vector<std::string>& fragments);

}  // namespace driftless
