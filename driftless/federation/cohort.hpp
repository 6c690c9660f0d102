// The clients that take part: a subset of n clients.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/federation/client.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace driftless {

class Cohort {
 public:
  static Cohort everyone(std::size_t clients) {
    std::vector<ClientId> ids(clients);
    std::iota(ids.begin(), ids.end(), ClientId{0});
    return Cohort(std::move(ids), clients);
  }
  static Cohort of(std::vector<ClientId> ids, std::size_t clients) {
    std::sort(ids.begin(), ids.end());
    DRIFTLESS_ASSERT(std::adjacent_find(ids.begin(), ids.end()) == ids.end(), "a client is in a cohort twice");
    DRIFTLESS_ASSERT(ids.empty() || ids.back() < clients, "a cohort names a client that does not exist");
    return Cohort(std::move(ids), clients);
  }

  std::size_t size() const { return ids_.size(); }
  bool is_everyone() const { return ids_.size() == clients_; }
  bool contains(ClientId id) const { return is_everyone() || std::binary_search(ids_.begin(), ids_.end(), id); }
  std::span<const ClientId> ids() const { return ids_; }  // sorted

 private:
  Cohort(std::vector<ClientId> ids, std::size_t clients) : ids_(std::move(ids)), clients_(clients) {}

  std::vector<ClientId> ids_;
  std::size_t clients_;
};

// The senders of an exchange and the receivers of its result; the ledger counts both. `along` is the number of further
// vectors that a server would send with the result although every peer has them already. Where rows are coded or
// partial, `bytes_up` is their size over all senders and `bytes_down` over all receivers; each row still counts as one
// vector.
struct Parties {
  const Cohort& from;
  const Cohort& to;
  std::size_t along = 0;
  std::optional<std::uint64_t> bytes_up = {};
  std::optional<std::uint64_t> bytes_down = {};
};

}  // namespace driftless
