// Random bytes of tests, which are the same in every run, and their number.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/privacy/discrete_gaussian.hpp"

namespace driftless {

class TestBytes {
 public:
  explicit TestBytes(std::uint64_t seed) : stream_(seed, Purpose::client_noise) {}

  RandomBytes source() {
    return [this](std::span<std::uint8_t> bytes) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < bytes.size(); ++k) {
        word = k % 8 == 0 ? stream_.bits() : word >> 8;
        bytes[k] = static_cast<std::uint8_t>(word);
      }
      taken_ += bytes.size();
    };
  }
  std::size_t taken() const { return taken_; }

 private:
  Stream stream_;
  std::size_t taken_ = 0;
};

}  // namespace driftless
