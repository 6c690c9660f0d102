#include "driftless/components/compression/compressed_mean.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using enum CompressorName;

// Sends the vectors v_i of five clients, round after round, with a code.
class Exchanges {
 public:
  Exchanges(const CompressorOptions& compressor, CodeMemory memory)
      : bed_(instance_, "gd", {{"step", 0.1}}), code_({.compressor = compressor, .memory = memory}) {
    code_.start(bed_.federation());
    Stream stream(3, Purpose::generator);
    for (Vector& v : v_) {
      v.resize(12);
      for (double& entry : v) entry = stream.normal();
    }
  }

  Vector mean() { return mean(fed().everyone()); }
  Vector mean(const Cohort& from) {
    fed().begin_round();
    return code_.mean(fed(), {from, fed().everyone()}, [&](Client& i, VecOut row) { row = v_[i.id()]; });
  }
  Vector true_mean() const { return (v_[0] + v_[1] + v_[2] + v_[3] + v_[4]) / 5; }
  Federation& fed() { return bed_.federation(); }

  // What the code remembers: the vector s̄, and the mean of its vectors per client.
  Vector replicated() {
    visit();
    return *s_;
  }
  Vector mean_over_clients() {
    visit();
    Vector sum = Vector::Zero(12);
    for (const Vector& v : per_client_->hosted()) sum += v / 5;
    return sum;
  }
  std::string name() {
    visit();
    return name_;
  }

 private:
  struct Reader final : StateVisitor {
    Exchanges& to;
    explicit Reader(Exchanges& exchanges) : to(exchanges) {}
    void vector(std::string_view, Vector& v) override { to.s_ = &v; }
    void per_client(std::string_view name, PerClient<Vector>& v) override {
      to.per_client_ = &v;
      to.name_ = name;
    }
    void number(std::string_view, double&) override {}
    void count(std::string_view, std::uint64_t&) override {}
    void per_client(std::string_view, PerClient<double>&) override {}
    void per_client(std::string_view, PerClient<std::uint64_t>&) override {}
  };
  void visit() {
    Reader reader(*this);
    code_.visit_state(reader);
  }

  Instance instance_ = random_quadratics(1);
  Testbed bed_;
  CompressedMean code_;
  std::array<Vector, 5> v_;
  Vector* s_ = nullptr;
  PerClient<Vector>* per_client_ = nullptr;
  std::string name_;
};

const CompressorOptions rand_quarter{.compressor = rand_k, .keep = 0.25};
const CompressorOptions top_quarter{.compressor = top_k, .keep = 0.25};

TEST(CompressedMeans, OfIdentityAreThePlainMeanWithItsBits) {
  for (const CodeMemory memory : {CodeMemory::none, CodeMemory::error_feedback, CodeMemory::difference}) {
    Exchanges plain({}, memory);
    const Vector first = plain.mean();
    EXPECT_EQ(plain.mean(), first);
    EXPECT_LT((first - plain.true_mean()).norm(), 1e-15);
    EXPECT_EQ(plain.name(), "") << "nothing is remembered";
    EXPECT_EQ(plain.fed().ledger().bytes_up, 2U * 5 * 12 * 8);
  }
}

TEST(CompressedMeans, CountTheBytesOfTheCode) {
  for (const CompressorName name : {top_k, rand_k, natural, qsgd}) {
    const CompressorOptions options{.compressor = name, .keep = 0.25};
    Exchanges coded(options, CodeMemory::difference);
    coded.mean();
    coded.mean(Cohort::of({1, 3}, 5));
    EXPECT_EQ(coded.fed().ledger().bytes_up, 7U * Compressor(options).bytes(12));
    EXPECT_EQ(coded.fed().ledger().vectors_up, 7U);
    EXPECT_EQ(coded.fed().ledger().bytes_down, 2U * 5 * 12 * 8);
  }
}

TEST(CompressedMeans, WithoutMemoryAreRightInTheMeanOnly) {
  Exchanges coded(rand_quarter, CodeMemory::none);
  Vector mean = Vector::Zero(12);
  for (int r = 0; r < 4000; ++r) mean += coded.mean() / 4000;
  EXPECT_LT((mean - coded.true_mean()).norm(), 0.1);
  EXPECT_GT((coded.mean() - coded.true_mean()).norm(), 0.1);
}

// Σ_r ḡ_r + mean e_i = r · mean v_i: what was not sent is kept.
TEST(CompressedMeans, LoseNothingWithErrorFeedback) {
  for (const CompressorOptions& options : {top_quarter, CompressorOptions{.compressor = natural}}) {
    Exchanges coded(options, CodeMemory::error_feedback);
    Vector sum = Vector::Zero(12);
    for (int r = 1; r <= 20; ++r) {
      sum += coded.mean();
      EXPECT_LT((sum + coded.mean_over_clients() - r * coded.true_mean()).norm(), 1e-12);
    }
    EXPECT_EQ(coded.name(), "e_i");
  }
}

TEST(CompressedMeans, OfDifferencesBecomeExactForVectorsThatStay) {
  Exchanges top(top_quarter, CodeMemory::difference);
  for (int r = 0; r < 4; ++r) top.mean();  // each takes 3 of 12 entries
  EXPECT_LT((top.mean() - top.true_mean()).norm(), 1e-14);
  for (const CompressorName name : {rand_k, natural, qsgd}) {
    Exchanges coded({.compressor = name, .keep = 0.25}, CodeMemory::difference);
    for (int r = 0; r < 300; ++r) coded.mean();
    EXPECT_LT((coded.mean() - coded.true_mean()).norm(), 1e-12) << static_cast<int>(name);
  }
}

TEST(CompressedMeans, KeepTheMeanOfWhatClientsRemember) {
  for (const CompressorOptions& options : {top_quarter, rand_quarter, CompressorOptions{.compressor = qsgd}}) {
    Exchanges coded(options, CodeMemory::difference);
    for (ClientId r = 0; r < 10; ++r) {
      coded.mean(Cohort::of({r % 5, (r + 2) % 5}, 5));
      EXPECT_LT((coded.replicated() - coded.mean_over_clients()).norm(), 1e-13) << "round " << r;
    }
    EXPECT_EQ(coded.name(), "s_i");
  }
}

// Two of five clients in turn: a mean over everyone once all have been heard, for contractive codes the new s̄.
TEST(CompressedMeans, OfCohortsEstimateTheMeanOverEveryone) {
  for (const CompressorOptions& options : {top_quarter, rand_quarter}) {
    Exchanges coded(options, CodeMemory::difference);
    for (ClientId r = 0; r < 500; ++r) coded.mean(Cohort::of({r % 5, (r + 2) % 5}, 5));
    EXPECT_LT((coded.mean(Cohort::of({0, 1}, 5)) - coded.true_mean()).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace driftless::test
