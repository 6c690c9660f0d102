#include "driftless/data/libsvm/libsvm_writer.hpp"

#include "driftless/core/check.hpp"
#include "driftless/files/output_file.hpp"

#include <array>
#include <charconv>

namespace driftless {
namespace {

template <class T>
void append_decimal(std::string& text, T value) {
  std::array<char, 32> buffer{};
  text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

void append_row(std::string& text, const Dataset& data, std::size_t row) {
  append_decimal(text, data.label[row]);
  const auto end = static_cast<std::size_t>(data.row_start[row + 1]);
  for (auto at = static_cast<std::size_t>(data.row_start[row]); at < end; ++at) {
    text += ' ';
    append_decimal(text, std::int64_t{data.column[at]} + 1);
    text += ':';
    append_decimal(text, data.value[at]);
  }
  text += '\n';
}

}  // namespace

std::string libsvm_text(const Dataset& data) {
  std::string text;
  for (std::size_t row = 0; row < data.rows(); ++row) append_row(text, data, row);
  return text;
}

std::string libsvm_text(const Dataset& data, std::span<const std::int32_t> rows) {
  std::string text;
  for (const std::int32_t row : rows) {
    DRIFTLESS_ASSERT(row >= 0 && static_cast<std::size_t>(row) < data.rows(), "a row to write is not in the data");
    append_row(text, data, static_cast<std::size_t>(row));
  }
  return text;
}

void write_libsvm(const std::filesystem::path& path, const Dataset& data) {
  write_output_file(path, libsvm_text(data));
}

void write_libsvm(const std::filesystem::path& path, const Dataset& data, std::span<const std::int32_t> rows) {
  write_output_file(path, libsvm_text(data, rows));
}

}  // namespace driftless
