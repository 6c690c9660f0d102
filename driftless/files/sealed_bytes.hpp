// The format of cached files: a line with kind and version, the digest of the input from which the content was made,
// the content, and a digest of all. Files that are truncated, changed, of another version or of another input are
// detected.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

static_assert(std::endian::native == std::endian::little, "cached numbers are written as they are in memory");

// `kind` ends with a newline; `origin` is a hexadecimal digest.
std::string sealed(std::string_view kind, std::string_view origin, std::string_view content);

struct UnsealedBytes {
  std::string_view content;
  std::string fault;  // why there is no content; empty if there is
};
UnsealedBytes unseal(std::string_view bytes, std::string_view kind, std::string_view origin);

template <class T>
void append_numbers(std::string& bytes, std::span<const T> numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}
template <class T>
void append_number(std::string& bytes, T number) {
  append_numbers(bytes, std::span<const T>(&number, 1));
}

// Takes numbers from the front. Reading beyond the end returns zeros and clears `whole_`.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::string_view text(std::size_t size);
  template <class T>
  T number() {
    T value{};
    fill(std::span<T>(&value, 1));
    return value;
  }
  template <class T>
  void fill(std::span<T> out) {
    const std::string_view bytes = text(out.size_bytes());
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  }
  template <class T>
  std::vector<T> numbers(std::uint64_t count) {
    std::vector<T> all(count <= rest_.size() / sizeof(T) ? count : 0);
    if (all.size() != count) whole_ = false;
    fill(std::span<T>(all));
    return all;
  }

  bool used_up() const { return whole_ && rest_.empty(); }  // everything was read, and nothing beyond the end

 private:
  std::string_view rest_;
  bool whole_ = true;
};

}  // namespace driftless
