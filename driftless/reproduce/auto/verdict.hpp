// What the study behind docs/auto.md says: `auto` beside the tuned methods in every cell, and the claims on it.
#pragma once

#include "driftless/reproduce/auto/file.hpp"

#include <span>

namespace driftless {

// One cell with `auto` and those it is compared with; null where nothing of the kind has run or arrived.
struct AutoComparison {
  const AutoRecord* record;
  const AutoResult* own;               // of `auto`, whether it arrived or not; null where it has not run
  const AutoResult* best = nullptr;    // of the other methods, at their best settings
  const AutoResult* dane = nullptr;    // of the paper's DANE+, with any of its local solvers
  const AutoResult* fedred = nullptr;  // of the paper's FedRed

  bool arrived() const { return own->arrived(); }
  // auto's exchanges as a multiple of the best one's; none unless both arrived.
  std::optional<double> ratio() const;
  // Where no other method arrived, `auto` only has to arrive.
  bool within(double factor) const;
  bool fewer_than(const AutoResult* other) const;
};

AutoComparison compared_in(const AutoRecord& record);

// The cells in which `auto` has run.
std::vector<AutoComparison> comparisons(std::span<const AutoRecord> records);
// Those of one half.
std::vector<AutoComparison> of_half(std::span<const AutoComparison> all, AutoHalf half);

struct AutoClaim {
  std::string text;
  std::size_t holds_in = 0;  // cells
  std::size_t cells = 0;
  std::size_t needed = 0;  // cells in which it must hold

  bool holds() const { return cells > 0 && holds_in >= needed; }  // of nothing, nothing is claimed
};

std::vector<AutoClaim> claims_on(std::span<const AutoComparison> cells);

}  // namespace driftless
