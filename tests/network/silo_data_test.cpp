// Silos with one class, and silos without a row: every transport reports what one process reports.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace driftless {
namespace {

constexpr const char* method = "[[method]]\nname = \"dane+-gd\"\nlambda = 0.2\neta = 2\nlocal_steps = 3\n"
                               "[stop]\nrounds = 5\n";
constexpr const char* label = "dane+-gd";

constexpr const char* both_classes = "1 1:1 2:0.5\n-1 2:1\n1 1:0.25\n";
constexpr const char* only_negative = "-1 1:-1 3:2\n-1 3:0.5\n";
constexpr const char* only_positive = "1 1:1 4:2\n1 2:-0.5\n";

class SiloData : public testing::Test {
 protected:
  void write_files(const std::vector<std::string>& texts) {
    std::string list;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string& site = silos_.sites()[i];
      const auto file = silos_.folder().write(site + "/data.svm", texts[i]);
      silos_.set_options(site, {"--data", "data.svm"});
      list += (list.empty() ? "\"" : ", \"") + file.string() + "\"";
    }
    silos_.folder().write("together.toml",
                          "[problem]\nkind = \"logistic\"\ndim = 4\nreference = \"none\"\n[federation]\nfiles = [" +
                              list + "]\nthreads = 1\n" + method);
  }

  ProgramResult one_process() const {
    return run_program({.arguments = {"run", "together.toml", "--out", "alone"}, .folder = silos_.folder().path()});
  }

  ProgramResult over_mpi() const {
#ifdef DRIFTLESS_MPIRUN
    Call call{.arguments = {"-n", "3", DRIFTLESS_PROGRAM_FILE, "run", "together.toml", "--transport", "mpi", "--out",
                            "ranks"},
              .folder = silos_.folder().path(),
              .environment = {{"DRIFTLESS_THREADS", "1"}},
              .program = DRIFTLESS_MPIRUN};
    std::istringstream environment(DRIFTLESS_MPI_ENVIRONMENT);
    for (std::string setting; environment >> setting;) {
      const std::size_t equals = setting.find('=');
      call.environment.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return run_program(call);
#else
    return {};
#endif
  }

  Silos silos_{
      std::string(
          "[problem]\nkind = \"logistic\"\ndata = \"sites\"\ndim = 4\n[federation]\nclients = 3\nthreads = 1\n") +
          method,
      {"north", "south", "west"}};
};

TEST_F(SiloData, ASiteWithOneClassTakesPartOverTls) {
  write_files({both_classes, only_negative, only_positive});
  const ProgramResult alone = one_process();
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const std::string bits = fingerprint(silos_.folder() / "alone", label);
  silos_.start_all();
  for (const std::string& who : silos_.peers()) {
    const std::optional<ProgramResult> result = silos_.wait_for(who, 60);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos_.standard_error_of(who);
    EXPECT_EQ(result->exit_code, 0) << who << "\n" << result->err;
    EXPECT_TRUE(bits == fingerprint(silos_.results(who), label)) << who;
  }
}

TEST_F(SiloData, ARankWithOneClassTakesPartOverMpi) {
#ifndef DRIFTLESS_MPIRUN
  GTEST_SKIP() << "this build has no MPI";
#endif
  write_files({both_classes, only_negative, only_positive});
  ASSERT_EQ(one_process().exit_code, 0);
  const ProgramResult ranks = over_mpi();
  ASSERT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_TRUE(fingerprint(silos_.folder() / "alone", label) == fingerprint(silos_.folder() / "ranks", label));
}

// The first line of an error: what happened.
std::string what_happened(const std::string& text) {
  const std::size_t at = text.find("error: ");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(SiloColumns, OfDifferentNumbersAreRejectedByEveryPeerAndByPreflight) {
  const std::string federation = "[federation]\nclients = 2\nthreads = 1\n";
  Silos silos("[problem]\nkind = \"logistic\"\ndata = \"sites\"\n" + federation + method, {"north", "south"});
  silos.folder().write("north/data.svm", "1 1:1 14:1\n-1 2:1\n");
  silos.folder().write("south/data.svm", "1 1:1 15:1\n-1 2:1\n");
  for (const char* site : {"north", "south"}) silos.set_options(site, {"--data", "data.svm"});
  silos.start_server();
  const auto preflight = [&](const std::string& site) {
    return run_program({.arguments = {"preflight", silos.address(), "--tls", silos.certificates(site).string(),
                                      "--data", (silos.home(site) / "data.svm").string()},
                        .folder = silos.folder().path()});
  };
  EXPECT_EQ(preflight("north").exit_code, 0) << "nobody has compared before";
  const ProgramResult second = preflight("south");
  EXPECT_EQ(second.exit_code, 5) << second.out << second.err;
  EXPECT_NE((second.out + second.err).find("site north: 14, site south: 15"), std::string::npos)
      << second.out << second.err;
  for (const char* site : {"north", "south"}) silos.start_site(site);
  for (const std::string& who : silos.peers()) {
    const std::optional<ProgramResult> result = silos.wait_for(who, 60);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos.standard_error_of(who);
    EXPECT_EQ(result->exit_code, 5) << who << "\n" << result->err;
    EXPECT_NE(result->err.find("client 0: 14, client 1: 15"), std::string::npos) << who << "\n" << result->err;
    EXPECT_NE(result->err.find("problem.dim = 15"), std::string::npos) << who << "\n" << result->err;
  }
}

TEST_F(SiloData, WithoutAClassAtAnySiteTheErrorIsThatOfOneProcess) {
  write_files({only_positive, only_positive, only_positive});
  const ProgramResult alone = one_process();
  silos_.start_all();
  for (const std::string& site : silos_.sites()) {
    const std::optional<ProgramResult> result = silos_.wait_for(site, 60);
    ASSERT_TRUE(result.has_value()) << site << " hangs\n" << silos_.standard_error_of(site);
    EXPECT_EQ(result->exit_code, alone.exit_code) << site << "\n" << result->err;
    EXPECT_EQ(what_happened(result->err), what_happened(alone.err)) << site;
  }
  const std::optional<ProgramResult> server = silos_.wait_for("server", 60);
  ASSERT_TRUE(server.has_value()) << "the server hangs";
  EXPECT_EQ(server->exit_code, alone.exit_code) << server->err;
}

TEST_F(SiloData, ASiteWithoutARowEndsAsOneProcessDoesAndIsNamedToTheOthers) {
  write_files({both_classes, "", only_positive});
  const ProgramResult alone = one_process();
  ASSERT_NE(alone.exit_code, 0);
  ASSERT_NE(alone.err.find("data.svm"), std::string::npos) << alone.err;
  silos_.start_all();
  const std::optional<ProgramResult> guilty = silos_.wait_for("south", 60);
  ASSERT_TRUE(guilty.has_value()) << silos_.standard_error_of("south");
  EXPECT_EQ(guilty->exit_code, alone.exit_code) << guilty->err;
  EXPECT_EQ(what_happened(guilty->err), what_happened(alone.err));
  EXPECT_NE(guilty->err.find("data.svm"), std::string::npos) << guilty->err;
  for (const char* who : {"north", "west", "server"}) {
    const std::optional<ProgramResult> result = silos_.wait_for(who, 90);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos_.standard_error_of(who);
    EXPECT_NE(result->exit_code, 0) << who;
    EXPECT_NE(result->exit_code, 6) << who << "\n" << result->err;
    EXPECT_EQ(result->signal, 0) << who;
    EXPECT_NE(what_happened(result->err), "") << who;
    EXPECT_NE(result->err.find("south"), std::string::npos) << who << "\n" << result->err;
  }
}

TEST_F(SiloData, ARankWithoutARowEndsTheRunAsInOneProcess) {
#ifndef DRIFTLESS_MPIRUN
  GTEST_SKIP() << "this build has no MPI";
#endif
  write_files({both_classes, "", only_positive});
  const ProgramResult alone = one_process();
  const ProgramResult ranks = over_mpi();
  EXPECT_EQ(ranks.exit_code, alone.exit_code) << ranks.err;
  EXPECT_EQ(what_happened(ranks.err), what_happened(alone.err));
}

}  // namespace
}  // namespace driftless
