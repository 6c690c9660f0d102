#include "driftless/files/npy.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

namespace driftless {
namespace {

static_assert(std::endian::native == std::endian::little, "NumPy files are written as little-endian numbers");

constexpr std::string_view magic = "\x93NUMPY";

std::string header(const std::string& shape, bool fortran_order) {
  constexpr std::size_t fixed = 10;  // magic, version, length
  constexpr std::size_t alignment = 64;
  std::string text = std::string("{'descr': '<f8', 'fortran_order': ") + (fortran_order ? "True" : "False") +
                     ", 'shape': (" + shape + "), }";
  const std::size_t used = fixed + text.size() + 1;
  text.append((alignment - used % alignment) % alignment, ' ');
  text += '\n';
  std::string bytes(magic);
  bytes += {'\x01', '\x00', static_cast<char>(text.size() & 0xFFU), static_cast<char>(text.size() >> 8U)};
  return bytes + text;
}

void write(const std::filesystem::path& path, std::string bytes, const double* entries, Index count) {
  const std::size_t head = bytes.size();
  bytes.resize(head + static_cast<std::size_t>(count) * sizeof(double));
  if (count > 0) std::memcpy(bytes.data() + head, entries, static_cast<std::size_t>(count) * sizeof(double));
  write_output_file(path, bytes);
}

class NpyReader {
 public:
  NpyReader(std::string_view bytes, const std::filesystem::path& path) : path_(path), bytes_(bytes) {}

  Vector read() {
    split_header();
    const std::string_view type = text_of("'descr':");
    const std::size_t count = length();
    if (type == "<f8") return entries<double>(count);
    if (type == "<f4") return entries<float>(count);
    fail("the numbers of the NumPy file are of a kind not read here", "descr = '" + std::string(type) + "'");
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& seen) const {
    throw DataError({.what = what,
                     .seen = path_.string() + ": " + seen,
                     .advice = "write it again with numpy.save(path, x.astype('float64')) for a vector x"});
  }

  void split_header() {
    const std::string_view all = bytes_;
    const bool first_version = all.size() >= 10 && all.starts_with(magic) && all[6] == 1;
    const bool later_version = all.size() >= 12 && all.starts_with(magic) && (all[6] == 2 || all[6] == 3);
    if (!first_version && !later_version)
      fail("this is not a NumPy file", "its first bytes are not those of the format");
    const std::size_t width = first_version ? 2 : 4;
    std::size_t size = 0;
    for (std::size_t i = 0; i < width; ++i)
      size |= static_cast<std::size_t>(static_cast<unsigned char>(all[8 + i])) << (8 * i);
    if (size > all.size() - 8 - width) fail("the NumPy file is cut short", "it ends inside its header");
    header_ = all.substr(8 + width, size);
    body_ = all.substr(8 + width + size);
  }

  std::string_view after(std::string_view key) const {
    const std::size_t at = header_.find(key);
    if (at == std::string_view::npos) fail("the header of the NumPy file is damaged", "it has no " + std::string(key));
    return header_.substr(at + key.size());
  }
  std::string_view between(std::string_view key, char open, char close) const {
    const std::string_view rest = after(key);
    const std::size_t from = rest.find(open);
    const std::size_t to = from == std::string_view::npos ? from : rest.find(close, from + 1);
    if (to == std::string_view::npos) fail("the header of the NumPy file is damaged", "after " + std::string(key));
    return rest.substr(from + 1, to - from - 1);
  }
  std::string_view text_of(std::string_view key) const { return between(key, '\'', '\''); }

  std::size_t length() const {
    const std::string_view shape = between("'shape':", '(', ')');
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), count);
    if (error != std::errc{} || std::string_view(end, shape.data() + shape.size()) != ",")
      fail("the NumPy file holds no vector", "shape = (" + std::string(shape) + ")");
    return count;
  }

  template <class Number>
  Vector entries(std::size_t count) const {
    if (body_.size() % sizeof(Number) != 0 || body_.size() / sizeof(Number) != count)
      fail("the NumPy file is cut short or damaged", "it promises " + std::to_string(count) + " numbers and has " +
                                                         std::to_string(body_.size()) + " bytes of them");
    Vector v(static_cast<Index>(count));
    for (std::size_t k = 0; k < count; ++k) {
      Number entry{};
      std::memcpy(&entry, body_.data() + k * sizeof(Number), sizeof(Number));
      v[static_cast<Index>(k)] = static_cast<double>(entry);
      if (!std::isfinite(entry))
        fail("the NumPy file has an entry that is not finite", "entry " + std::to_string(k) + " (from 0)");
    }
    return v;
  }

  std::filesystem::path path_;
  std::string_view bytes_;
  std::string_view header_;
  std::string_view body_;
};

}  // namespace

void write_npy(const std::filesystem::path& path, const Vector& v) {
  write(path, header(std::to_string(v.size()) + ",", false), v.data(), v.size());
}

void write_npy(const std::filesystem::path& path, const Matrix& m) {
  write(path, header(std::to_string(m.rows()) + ", " + std::to_string(m.cols()), true), m.data(), m.size());
}

Vector parse_npy(std::string_view bytes, const std::filesystem::path& path) { return NpyReader(bytes, path).read(); }

Vector read_npy(const std::filesystem::path& path) { return parse_npy(read_input_file(path), path); }

}  // namespace driftless
