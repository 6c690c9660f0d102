// Numbers for kernels, all zero at first: they begin with a cache line, and long ones lie in large pages where the
// system has them, which a product that streams through megabytes gains from.
#pragma once

#include <cstddef>
#include <memory>

namespace driftless {

class AlignedNumbers {
 public:
  AlignedNumbers() = default;
  explicit AlignedNumbers(std::size_t size);

  std::size_t size() const { return size_; }
  double* data() { return numbers_.get(); }
  const double* data() const { return numbers_.get(); }

 private:
  struct Release {
    void operator()(double* numbers) const;
  };
  std::unique_ptr<double[], Release> numbers_;
  std::size_t size_ = 0;
};

}  // namespace driftless
