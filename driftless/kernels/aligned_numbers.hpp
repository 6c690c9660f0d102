// Numbers for kernels, all zero at first, that begin with a cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace driftless {

class AlignedNumbers {
 public:
  AlignedNumbers() = default;
  explicit AlignedNumbers(std::size_t size)
      : numbers_(static_cast<double*>(::operator new(size * sizeof(double), cache_line))), size_(size) {
    std::fill_n(data(), size, 0.0);
  }

  std::size_t size() const { return size_; }
  double* data() { return numbers_.get(); }
  const double* data() const { return numbers_.get(); }

 private:
  static constexpr std::align_val_t cache_line{64};
  struct Release {
    void operator()(double* numbers) const { ::operator delete(numbers, cache_line); }
  };
  std::unique_ptr<double[], Release> numbers_;
  std::size_t size_ = 0;
};

}  // namespace driftless
