#include "driftless/data/tables/text_dictionary.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/data/tables/csv_cell.hpp"

#include <functional>

namespace driftless {
namespace {

constexpr std::size_t first_slots = 64;
constexpr std::int32_t free_slot = -1;

}  // namespace

TextDictionary::TextDictionary() : slots_(first_slots, free_slot) {}

// The slot that has the text, or the free one where it belongs.
std::size_t TextDictionary::slot_of(std::string_view text) const {
  const std::size_t mask = slots_.size() - 1;
  const std::size_t hash = std::hash<std::string_view>{}(text);
  std::size_t slot = hash & mask;
  while (slots_[slot] != free_slot && texts_[static_cast<std::size_t>(slots_[slot])] != text) slot = (slot + 1) & mask;
  return slot;
}

std::int32_t TextDictionary::code(std::string_view text, bool lasting) {
  const std::int32_t known = slots_[slot_of(text)];
  return known != free_slot ? known : add(text, lasting);
}

std::int32_t TextDictionary::add(std::string_view text, bool lasting) {
  check_cell_size(text);
  if (!is_utf8(text))
    throw CsvFault{.what = "a text is not UTF-8",
                   .token = csv_token(text),
                   .advice = "save the table as UTF-8, for example by: iconv -f WINDOWS-1252 -t UTF-8"};
  if (2 * (texts_.size() + 1) > slots_.size()) grow();
  const auto code = static_cast<std::int32_t>(texts_.size());
  slots_[slot_of(text)] = code;
  texts_.push_back(lasting ? text : std::string_view(own_.emplace_back(text)));
  return code;
}

void TextDictionary::grow() {
  slots_.assign(2 * slots_.size(), free_slot);
  for (std::size_t k = 0; k < texts_.size(); ++k) slots_[slot_of(texts_[k])] = static_cast<std::int32_t>(k);
}

}  // namespace driftless
