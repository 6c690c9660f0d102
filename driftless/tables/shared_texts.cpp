#include "driftless/tables/shared_texts.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace driftless {
namespace {

// Six bytes travel in one number, which holds integers below 2^53 exactly.
constexpr std::size_t bytes_per_number = 6;
constexpr double number_limit = 281474976710656.0;  // 2^48
constexpr double most_bytes = 67108864.0;           // 64 MiB of one client
constexpr std::size_t length_bytes = 4;

void append_length(std::string& bytes, std::size_t length) {
  for (std::size_t k = 0; k < length_bytes; ++k) bytes.push_back(static_cast<char>(length >> (8 * k) & 0xff));
}

// For each list its number of texts; for each text its length and its bytes.
std::string packed(const TextLists& lists) {
  std::string bytes;
  for (const std::vector<std::string>& list : lists) {
    append_length(bytes, list.size());
    for (const std::string& text : list) {
      append_length(bytes, text.size());
      bytes += text;
    }
  }
  return bytes;
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  // None where the bytes are not `questions` lists, with nothing behind them.
  std::optional<TextLists> lists(std::size_t questions) {
    TextLists all(questions);
    for (std::vector<std::string>& list : all) {
      const std::optional<std::size_t> count = length();
      if (!count) return std::nullopt;
      for (std::size_t k = 0; k < *count; ++k) {
        const std::optional<std::size_t> size = length();
        if (!size || *size > bytes_.size()) return std::nullopt;
        list.emplace_back(bytes_.substr(0, *size));
        bytes_.remove_prefix(*size);
      }
    }
    if (!bytes_.empty()) return std::nullopt;
    return all;
  }

 private:
  std::optional<std::size_t> length() {
    if (bytes_.size() < length_bytes) return std::nullopt;
    std::size_t value = 0;
    for (std::size_t k = 0; k < length_bytes; ++k)
      value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes_[k])) << (8 * k);
    bytes_.remove_prefix(length_bytes);
    return value;
  }

  std::string_view bytes_;
};

void to_numbers(std::string_view bytes, std::span<double> row) {
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    const auto byte = static_cast<double>(static_cast<unsigned char>(bytes[k]));
    row[k / bytes_per_number] += std::ldexp(byte, static_cast<int>(8 * (k % bytes_per_number)));
  }
}

std::string to_bytes(std::span<const double> row, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t k = 0; k < size; ++k) {
    const auto number = static_cast<std::uint64_t>(row[k / bytes_per_number]);
    bytes[k] = static_cast<char>(number >> (8 * (k % bytes_per_number)) & 0xff);
  }
  return bytes;
}

bool is_whole(double value, double limit) { return value >= 0.0 && value < limit && value == std::floor(value); }

std::vector<double> share_sizes(const std::vector<std::string>& mine, Transport& transport) {
  std::vector<double> own;
  for (const std::string& bytes : mine) own.push_back(static_cast<double>(bytes.size()));
  std::vector<double> all(transport.layout().clients);
  transport.share(1, own, all, [](std::span<const double> row) -> std::optional<std::string> {
    if (is_whole(row[0], most_bytes)) return std::nullopt;
    return number(row[0]) + " bytes of texts";
  });
  return all;
}

[[noreturn]] void reject_texts(ClientId client) {
  throw TransportError({.what = "the texts of a client cannot be read",
                        .seen = "client " + std::to_string(client),
                        .advice = "find out who hosts this client, and use the same program at all peers"});
}

}  // namespace

std::vector<TextLists> share_texts(const std::vector<TextLists>& mine, std::size_t questions, Transport& transport) {
  std::vector<std::string> own;
  for (const TextLists& lists : mine) own.push_back(packed(lists));
  const std::vector<double> sizes = share_sizes(own, transport);
  const auto longest = static_cast<std::size_t>(*std::ranges::max_element(sizes));
  const std::size_t width = longest / bytes_per_number + 1;
  std::vector<double> rows(own.size() * width, 0.0);
  for (std::size_t slot = 0; slot < own.size(); ++slot)
    to_numbers(own[slot], std::span(rows).subspan(slot * width, width));
  std::vector<double> all(sizes.size() * width);
  transport.share(width, rows, all, [](std::span<const double> row) -> std::optional<std::string> {
    if (std::ranges::all_of(row, [](double value) { return is_whole(value, number_limit); })) return std::nullopt;
    return "numbers that hold no text";
  });

  std::vector<TextLists> texts(sizes.size(), TextLists(questions));
  for (ClientId id = 0; id < sizes.size(); ++id) {
    if (std::ranges::binary_search(transport.agreement().absent, id)) continue;
    const std::string bytes = to_bytes(std::span(all).subspan(id * width, width), static_cast<std::size_t>(sizes[id]));
    std::optional<TextLists> lists = Unpacker(bytes).lists(questions);
    if (!lists) reject_texts(id);
    texts[id] = std::move(*lists);
  }
  return texts;
}

}  // namespace driftless
