// Shared chance: every peer draws the same numbers from the same streams, so random decisions cost no message. Streams
// are keyed by the round, so a resumed run needs no saved generator.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/federation/cohort.hpp"

#include <cstdint>
#include <span>

namespace driftless {

class Chance {
 public:
  virtual ~Chance() = default;
  virtual void enter_round(std::uint64_t round) = 0;  // 0 while a method starts, then 1, 2, …
  virtual bool coin(double p) = 0;
  virtual ClientId client(std::size_t clients) = 0;  // one at random
  // One with chances in proportion to the weights. Chance that follows a script has no use for them.
  virtual ClientId client_by(std::span<const double> weights) { return client(weights.size()); }
  virtual Cohort cohort(std::size_t size, std::size_t clients) = 0;  // `size` different ones
  virtual std::vector<std::size_t> order(std::size_t count) = 0;     // 0 … count − 1 in random order
  virtual bool keep(double p) = 0;  // for output points, from a stream that methods do not use
  virtual ClientId output_client(std::size_t clients) = 0;
};

class SeededChance final : public Chance {
 public:
  explicit SeededChance(std::uint64_t seed) : seed_(seed) { enter_round(0); }

  void enter_round(std::uint64_t round) override;
  bool coin(double p) override { return coin_.bernoulli(p); }
  ClientId client(std::size_t clients) override { return client_.index(clients); }
  ClientId client_by(std::span<const double> weights) override;
  Cohort cohort(std::size_t size, std::size_t clients) override;
  std::vector<std::size_t> order(std::size_t count) override;
  bool keep(double p) override { return output_.bernoulli(p); }
  ClientId output_client(std::size_t clients) override { return output_.index(clients); }

 private:
  std::uint64_t seed_;
  Stream coin_{0, Purpose::coin};
  Stream client_{0, Purpose::client_index};
  Stream cohort_{0, Purpose::cohort};
  Stream order_{0, Purpose::order};
  Stream output_{0, Purpose::output_point};
};

}  // namespace driftless
