// A journal that a server finds in its folder. The first byte says whether the rest is the file as it is, or gets the
// check sums that fit: no input would ever get past them by itself.
#include "driftless/transports/journal.hpp"

#include "fuzz/input.hpp"
#include "fuzz/own_folder.hpp"

#include <cstring>
#include <zlib.h>

namespace driftless::fuzz {
namespace {

// Of the head of a record; journal.cpp has the layout.
constexpr std::size_t head_size = 48;
constexpr std::size_t values_at = 16;
constexpr std::size_t absent_at = 24;
constexpr std::size_t check_head_at = 36;
constexpr std::size_t check_body_at = 40;

std::uint64_t word_at(const std::string& bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

void put_check(std::string& bytes, std::size_t to, std::size_t from, std::size_t size) {
  const auto check = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + from), size));
  std::memcpy(bytes.data() + to, &check, sizeof check);
}

std::string checked(std::string bytes) {
  for (std::size_t at = 0; bytes.size() - at >= head_size;) {
    const std::uint64_t numbers = word_at(bytes, at + values_at) + word_at(bytes, at + absent_at);
    const std::size_t most = (bytes.size() - at - head_size) / sizeof(double);
    const std::size_t body = sizeof(double) * std::min<std::uint64_t>(numbers, most);
    put_check(bytes, at + check_head_at, at, check_head_at);
    put_check(bytes, at + check_body_at, at + head_size, body);
    at += head_size + body;
  }
  return bytes;
}

// What was accepted can be read, continued and opened again.
void use(const std::filesystem::path& folder) {
  ExchangeId next = 0;
  {
    Journal journal(folder);
    for (ExchangeId id = 0; id < journal.next(); ++id)
      require(journal.has(id) && journal.read(id).values.size() < 1000);
    next = journal.next();
    journal.append({.values = {1.0, 2.0}, .news = {}});
  }
  require(Journal(folder).next() == next + 1);
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  static const fuzz::OwnFolder folder;
  if (size == 0) return 0;
  const std::string rest(fuzz::text_of(data, size).substr(1));
  folder.write("journal-0", data[0] % 2 == 0 ? rest : fuzz::checked(rest));
  fuzz::may_throw<DataError>([&] { fuzz::use(folder.path()); });
  return 0;
}
