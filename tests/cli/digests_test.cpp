// Every method leaves the bytes that it always left, on three fixed problems. The table method_digests.txt changes only
// where results are meant to change; DRIFTLESS_WRITE_DIGESTS=FILE writes the table that this program gives.
#include "driftless/files/digest.hpp"

#include "tests/cli/program.hpp"
#include "tests/cli/same_bits.hpp"
#include "tests/support/temp_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

namespace driftless {
namespace {

struct FixedProblem {
  const char* name;
  const char* text;
};

constexpr FixedProblem fixed_problems[] = {
    {"quadratic", "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"rotated\"\ndim = 30\nsamples = 8\n"
                  "[federation]\nclients = 7\n"},
    {"logistic",
     "seed = 3\n[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 300\ndim = 40\n"
     "nonzeros_per_row = 6\nintercept = true\n[federation]\nclients = 6\nsplit = \"dirichlet\"\nalpha = 0.5\n"},
    {"least-squares", "seed = 8\n[problem]\nkind = \"least-squares\"\ndata = \"generated\"\nrows = 240\ndim = 20\n"
                      "nonzeros_per_row = 20\nl2 = 0.01\n[federation]\nclients = 5\n"},
};

std::string config_of(const FixedProblem& problem) {
  std::string text = problem.text;
  for (const std::string& name : all_method_names()) {
    text += "[[method]]\nname = " + toml_string(name) + "\noutput = \"best\"\n";
    for (const auto& [key, value] : find_method(name).demo) text += key + " = " + to_text(value) + "\n";
  }
  return text + "[stop]\nrounds = 8\n";
}

// "PROBLEM METHOD" to the digests of model.npy and of metrics.csv without its column of times.
using Digests = std::map<std::string, std::string>;

Digests digests_of(const FixedProblem& problem) {
  const TempFolder folder;
  folder.write("case.toml", config_of(problem));
  const ProgramResult result =
      run_program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()});
  // Demo settings suit the quadratic problem; a method that diverges on another one has its bytes too.
  EXPECT_LE(result.exit_code, 1) << result.err;
  Digests digests;
  for (const std::string& name : all_method_names()) {
    const auto method = folder / "out" / name;
    digests[std::string(problem.name) + " " + name] =
        sha256(TempFolder::read(method / "model.npy")) + " " +
        sha256(without_column(read_csv(method / "metrics.csv"), "wall_s"));
  }
  return digests;
}

Digests recorded_digests() {
  std::ifstream file(std::string(DRIFTLESS_SOURCE_FOLDER) + "/tests/cli/method_digests.txt");
  Digests digests;
  std::string problem, method, model, metrics;
  while (file >> problem >> method >> model >> metrics) digests[problem + " " + method] = model + " " + metrics;
  return digests;
}

TEST(Digests, EveryMethodLeavesTheBytesOfTheTableOnThreeProblems) {
#ifndef __x86_64__
  GTEST_SKIP() << "the table was made on x86-64: other processors evaluate the generators' log and cos differently";
#endif
  Digests found;
  for (const FixedProblem& problem : fixed_problems) found.merge(digests_of(problem));
  if (const char* path = std::getenv("DRIFTLESS_WRITE_DIGESTS")) {
    std::ofstream file(path);
    for (const auto& [name, digests] : found) file << name << ' ' << digests << '\n';
  }
  const Digests recorded = recorded_digests();
  EXPECT_EQ(found.size(), recorded.size());
  for (const auto& [name, digests] : found) {
    const auto entry = recorded.find(name);
    ASSERT_NE(entry, recorded.end()) << name << " is not in tests/cli/method_digests.txt";
    EXPECT_EQ(digests, entry->second) << name;
  }
}

}  // namespace
}  // namespace driftless
