// One value per client, kept where the client is hosted; indexed by the client, so x_i_[i] reads as x_i.
#pragma once

#include "driftless/federation/client.hpp"

#include <vector>

namespace driftless {

template <class T>
class PerClient {
 public:
  PerClient() = default;
  PerClient(std::size_t hosted, const T& initial) : values_(hosted, initial) {}

  T& operator[](const Client& i) { return values_[i.slot()]; }
  const T& operator[](const Client& i) const { return values_[i.slot()]; }

  std::vector<T>& hosted() { return values_; }  // in the order of the ids hosted here
  const std::vector<T>& hosted() const { return values_; }

 private:
  std::vector<T> values_;
};

}  // namespace driftless
