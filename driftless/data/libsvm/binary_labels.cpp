#include "driftless/data/libsvm/binary_labels.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace driftless {
namespace {

struct LabelPair {
  double negative;
  double positive;
};
constexpr std::array<LabelPair, 3> known_pairs{{{-1.0, 1.0}, {0.0, 1.0}, {1.0, 2.0}}};

bool fits_a_pair(std::span<const LabelTable::Entry> labels) {
  return std::ranges::any_of(known_pairs, [&](const LabelPair& pair) {
    const auto belongs = [&](const auto& l) { return l.value == pair.negative || l.value == pair.positive; };
    return std::ranges::all_of(labels, belongs);
  });
}

}  // namespace

void LabelTable::add(double label, const std::string& source, std::size_t line) {
  if (!complete_ || (last_ < entries_.size() && entries_[last_].value == label)) return;
  const auto known = std::ranges::find(entries_, label, &Entry::value);
  last_ = static_cast<std::size_t>(known - entries_.begin());
  if (known != entries_.end()) return;
  complete_ = entries_.size() < capacity;
  if (complete_) entries_.push_back({label + 0.0, source, line});  // -0 becomes 0
}

void LabelTable::merge(const LabelTable& other) {
  for (const Entry& entry : other.entries_) add(entry.value, entry.source, entry.line);
  complete_ = complete_ && other.complete_;
}

bool LabelTable::contains(double label) const {
  return std::ranges::any_of(entries_, [&](const Entry& e) { return e.value == label; });
}

std::vector<double> LabelTable::sorted_values() const {
  std::vector<double> values;
  for (const Entry& entry : entries_) values.push_back(entry.value);
  std::ranges::sort(values);
  return values;
}

std::string LabelTable::list() const {
  std::vector<std::string> words;
  for (const double value : sorted_values()) words.push_back(number(value));
  return join(words) + (complete_ ? "" : " and more");
}

double positive_label(const LabelTable& labels) {
  const std::span<const LabelTable::Entry> met = labels.entries();
  for (std::size_t count = 1; count <= met.size(); ++count) {
    if (fits_a_pair(met.first(count))) continue;
    const LabelTable::Entry& odd = met[count - 1];
    const std::string how_many = (labels.complete() ? "" : "more than ") + std::to_string(met.size());
    throw DataError({.what = "the labels are not those of two classes; " + how_many + " found: " + labels.list(),
                     .seen = odd.location() + ": label " + number(odd.value),
                     .advice = "two classes are -1/+1, 0/1 or 1/2; for others name the one that becomes +1 "
                               "(positive_label), or use a problem with real labels"});
  }
  return labels.contains(2.0) ? 2.0 : 1.0;
}

}  // namespace driftless
