#include "driftless/problems/reference_cache.hpp"

#include "driftless/experiments/run_config.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/reference.hpp"

#include "tests/support/temp_folder.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

// The cache of one test, as the environment names it.
class Cached : public testing::Test {
 protected:
  Cached() { ::setenv("DRIFTLESS_CACHE", (folder / "cache").c_str(), 1); }
  ~Cached() override { ::setenv("DRIFTLESS_CACHE", before.c_str(), 1); }

  Problem make(const std::vector<std::string>& overrides = {}) const {
    const auto file =
        folder.write("case.toml", "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 120\ndim = 9\n"
                                  "nonzeros_per_row = 4\n[federation]\nclients = 3\n[stop]\nrounds = 1\n");
    ThreadPool pool(2);
    return make_problem(read_config(file, overrides, MethodTables::optional), pool);
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> files;
    if (fs::exists(folder / "cache/reference"))
      for (const auto& entry : fs::directory_iterator(folder / "cache/reference")) files.push_back(entry.path());
    return files;
  }
  // The log while `work` runs.
  template <class Work>
  static std::string log_of(Work&& work) {
    testing::internal::CaptureStderr();
    work();
    return testing::internal::GetCapturedStderr();
  }

  TempFolder folder;
  std::string before = std::getenv("DRIFTLESS_CACHE") != nullptr ? std::getenv("DRIFTLESS_CACHE") : "";
};

TEST_F(Cached, AnEntryGivesTheSameBitsAsSolving) {
  const Problem first = make();
  ASSERT_EQ(entries().size(), 1U);
  const std::string bytes = TempFolder::read(entries()[0]);
  const Problem second = make();
  const Problem fresh = make({"problem.reference=fresh"});
  for (const Problem* other : {&second, &fresh}) {
    EXPECT_EQ(first.reference->minimizer, other->reference->minimizer);
    EXPECT_EQ(first.reference->minimum, other->reference->minimum);
    EXPECT_EQ(first.reference->error, other->reference->error);
  }
  EXPECT_EQ(TempFolder::read(entries()[0]), bytes);
}

TEST_F(Cached, AnEntryIsReadInsteadOfSolving) {
  make();
  fs::last_write_time(entries()[0], fs::file_time_type::clock::now() - std::chrono::hours(1));
  const auto written = fs::last_write_time(entries()[0]);
  make();
  EXPECT_EQ(fs::last_write_time(entries()[0]), written);  // no solve, so nothing was written
  make({"problem.reference=fresh"});
  EXPECT_NE(fs::last_write_time(entries()[0]), written);
}

TEST_F(Cached, DamageIsReportedAndRepaired) {
  const Problem sound = make();
  const fs::path entry = entries()[0];
  const std::string bytes = TempFolder::read(entry);
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 1);
  for (const std::string& damaged : {std::string(), bytes.substr(0, bytes.size() - 5), flipped, bytes + "x"}) {
    std::ofstream(entry, std::ios::binary | std::ios::trunc) << damaged;
    std::optional<Problem> again;
    EXPECT_THAT(log_of([&] { again = make(); }), testing::HasSubstr("cached optimum is not used"));
    EXPECT_EQ(again->reference->minimizer, sound.reference->minimizer);
    EXPECT_EQ(TempFolder::read(entry), bytes);
  }
}

TEST_F(Cached, AForeignEntryIsReportedAndReplaced) {
  make();
  const fs::path own = entries()[0];
  const std::string bytes = TempFolder::read(own);
  fs::remove(own);
  make({"problem.l2=0.5"});
  const fs::path other = entries()[0];
  ASSERT_NE(own, other);
  fs::rename(other, own);
  EXPECT_THAT(log_of([&] { make(); }), testing::HasSubstr("another problem"));
  EXPECT_EQ(TempFolder::read(own), bytes);
}

TEST_F(Cached, APointThatIsNotStationaryIsNotUsed) {
  const Problem problem = make();
  ThreadPool pool(1);
  const ReferenceCache cache(folder / "forged", std::string(64, 'a'));
  cache.write({.optimum = {.minimizer = Vector::Ones(9), .minimum = 0.0}, .grad_norm = 1e-14});
  ReferenceSearch search;
  InProcessTransport transport(problem.n);
  Federation fed(problem.clients, transport, pool, 1);
  EXPECT_THAT(log_of([&] { search = cached_reference(fed, *problem.l2, cache, false); }),
              testing::HasSubstr("not an optimum of this problem"));
  EXPECT_EQ(search.found->optimum.minimizer, problem.reference->minimizer);
}

TEST_F(Cached, AnotherProblemHasAnotherDigest) {
  const std::vector<std::vector<std::string>> changes{{},
                                                      {"problem.l2=0.25"},
                                                      {"problem.intercept=true"},
                                                      {"problem.storage=dense"},
                                                      {"problem.seed=7"},
                                                      {"seed=7"},
                                                      {"problem.kind=least-squares"},
                                                      {"federation.clients=4"},
                                                      {"federation.split=contiguous"}};
  for (const auto& overrides : changes) make(overrides);
  EXPECT_EQ(entries().size(), changes.size());
  make({"problem.x0=2"});  // the start does not change the optimum
  EXPECT_EQ(entries().size(), changes.size());
}

TEST_F(Cached, ACacheThatCannotBeWrittenIsOnlyAWarning) {
  folder.write("cache", "a file instead of the folder");
  std::optional<Problem> problem;
  EXPECT_THAT(log_of([&] { problem = make(); }), testing::HasSubstr("could not be cached"));
  EXPECT_TRUE(problem->reference.has_value());
}

TEST_F(Cached, TheFolderFollowsTheEnvironment) {
  EXPECT_EQ(cache_folder(), folder / "cache" / "");
  ::setenv("DRIFTLESS_CACHE", "", 1);
  ::setenv("XDG_CACHE_HOME", "/elsewhere", 1);
  EXPECT_EQ(cache_folder(), fs::path("/elsewhere/driftless"));
  ::unsetenv("XDG_CACHE_HOME");
  ASSERT_NE(std::getenv("HOME"), nullptr);
  EXPECT_EQ(cache_folder(), fs::path(std::getenv("HOME")) / ".cache/driftless");
}

}  // namespace
}  // namespace driftless
