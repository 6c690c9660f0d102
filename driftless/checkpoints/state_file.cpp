#include "driftless/checkpoints/state_file.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"

#include <bit>
#include <cstring>

namespace driftless {
namespace {

constexpr std::string_view magic = "DRIFTLSS";
constexpr std::uint32_t version = 2;  // 1: without a digest of the metrics
constexpr std::size_t word_size = 8;
constexpr std::size_t size_at = magic.size() + sizeof version;  // of the size of the file
constexpr std::size_t frame_size = size_at + word_size;
constexpr std::size_t digest_size = 64;

void put(std::uint64_t value, std::size_t size, char* to) {
  for (std::size_t k = 0; k < size; ++k) to[k] = static_cast<char>(value >> (8 * k) & 0xff);
}

std::uint64_t get(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

}  // namespace

StateWriter::StateWriter(const StateOwner& owner) : bytes_(magic) {
  bytes_.resize(frame_size);
  put(version, sizeof version, bytes_.data() + magic.size());
  add_text(owner.config_digest);
  add_word(owner.clients);
  add_word(owner.hosted.size());
  for (const ClientId id : owner.hosted) add_word(id);
  add_text(owner.label);
}

void StateWriter::begin(StateKind kind, std::string_view name) {
  bytes_.push_back(static_cast<char>(kind));
  add_text(name);
}

void StateWriter::add_word(std::uint64_t word) {
  bytes_.resize(bytes_.size() + word_size);
  put(word, word_size, bytes_.data() + bytes_.size() - word_size);
}

void StateWriter::add_text(std::string_view text) {
  add_word(text.size());
  bytes_ += text;
}

void StateWriter::add_numbers(std::span<const double> values) {
  add_word(values.size());
  if constexpr (std::endian::native == std::endian::little) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  } else {
    for (const double value : values) add_word(std::bit_cast<std::uint64_t>(value));
  }
}

void StateWriter::section(std::string_view name) { begin(StateKind::section, name); }

void StateWriter::text(std::string_view name, const std::string& v) {
  begin(StateKind::text, name);
  add_text(v);
}

void StateWriter::vector(std::string_view name, Vector& v) {
  begin(StateKind::vector, name);
  add_numbers({v.data(), static_cast<std::size_t>(v.size())});
}

void StateWriter::number(std::string_view name, double& v) {
  begin(StateKind::number, name);
  add_word(std::bit_cast<std::uint64_t>(v));
}

void StateWriter::count(std::string_view name, std::uint64_t& v) {
  begin(StateKind::count, name);
  add_word(v);
}

void StateWriter::per_client(std::string_view name, PerClient<Vector>& v) {
  begin(StateKind::vectors, name);
  add_word(v.hosted().size());
  for (const Vector& each : v.hosted()) add_numbers({each.data(), static_cast<std::size_t>(each.size())});
}

void StateWriter::per_client(std::string_view name, PerClient<double>& v) {
  begin(StateKind::numbers, name);
  add_numbers(v.hosted());
}

void StateWriter::per_client(std::string_view name, PerClient<std::uint64_t>& v) {
  begin(StateKind::counts, name);
  add_word(v.hosted().size());
  for (const std::uint64_t each : v.hosted()) add_word(each);
}

std::string StateWriter::finish() {
  put(bytes_.size() + digest_size, word_size, bytes_.data() + size_at);
  bytes_ += sha256(bytes_);
  return std::move(bytes_);
}

StateReader::StateReader(std::string bytes, std::string location, const StateOwner& owner)
    : bytes_(std::move(bytes)), location_(std::move(location)), hosted_(owner.hosted.size()) {
  check_frame();
  rest_ = std::string_view(bytes_).substr(frame_size, bytes_.size() - frame_size - digest_size);
  check_owner(owner);
}

void StateReader::reject(const std::string& what, const std::string& seen) const {
  throw DataError(
      {.what = what,
       .seen = location_ + ": " + seen,
       .advice =
           "restore what the checkpoint was written with; or remove the file to run the method again from its start"});
}

void StateReader::check_frame() {
  const std::string_view all = bytes_;
  if (!all.starts_with(magic)) reject("the file is not a checkpoint", "it does not start like one");
  if (all.size() < frame_size + digest_size)
    reject("the checkpoint is truncated", std::to_string(all.size()) + " bytes");
  if (const std::uint64_t found = get(all.substr(magic.size(), sizeof version)); found != version)
    reject("the checkpoint has another format",
           "version " + std::to_string(found) + "; this program reads version " + std::to_string(version));
  if (const std::uint64_t size = get(all.substr(size_at, word_size)); size != all.size())
    reject(size > all.size() ? "the checkpoint is truncated" : "the checkpoint is damaged",
           std::to_string(all.size()) + " bytes; it was written with " + std::to_string(size));
  if (sha256(all.substr(0, all.size() - digest_size)) != all.substr(all.size() - digest_size))
    reject("the checkpoint is damaged", "its digest does not match");
}

void StateReader::check_owner(const StateOwner& owner) {
  if (take_text() != owner.config_digest)
    reject("the checkpoint belongs to another configuration", "options, data or program version are not the same");
  const std::uint64_t clients = take_word();
  std::vector<ClientId> hosted(take_length(word_size));
  for (ClientId& id : hosted) id = take_word();
  if (clients != owner.clients || hosted != owner.hosted)
    reject("the checkpoint belongs to other clients",
           std::to_string(hosted.size()) + " of " + std::to_string(clients) + " clients; here are " +
               std::to_string(owner.hosted.size()) + " of " + std::to_string(owner.clients) +
               (hosted.size() == owner.hosted.size() && clients == owner.clients ? ", others" : ""));
  if (const std::string_view label = take_text(); label != owner.label)
    reject("the checkpoint belongs to another method", "'" + std::string(label) + "', not '" + owner.label + "'");
}

std::string_view StateReader::take(std::size_t size) {
  if (size > rest_.size()) reject("the checkpoint is damaged", "it ends in the middle of a value");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t StateReader::take_word() { return get(take(word_size)); }

std::size_t StateReader::take_length(std::size_t element_size) {
  const std::uint64_t length = take_word();
  if (length > rest_.size() / element_size) reject("the checkpoint is damaged", "a list is longer than the file");
  return static_cast<std::size_t>(length);
}

std::string_view StateReader::take_text() { return take(take_length(1)); }

void StateReader::take_numbers(std::span<double> values) {
  for (double& value : values) value = std::bit_cast<double>(take_word());
}

template <class T>
std::vector<T>& StateReader::take_clients(PerClient<T>& v) {
  if (const std::size_t length = take_length(word_size); length != hosted_)
    reject("the checkpoint is damaged",
           "a list has " + std::to_string(length) + " entries for " + std::to_string(hosted_) + " clients");
  v.hosted().resize(hosted_);
  return v.hosted();
}

void StateReader::expect(StateKind kind, std::string_view name) {
  const bool same_kind = get(take(1)) == static_cast<std::uint8_t>(kind);
  const std::string_view found = take_text();
  if (!same_kind || found != name)
    reject("the checkpoint holds other variables",
           "'" + std::string(found) + "' instead of '" + std::string(name) + "'");
}

void StateReader::section(std::string_view name) { expect(StateKind::section, name); }

void StateReader::text(std::string_view name, std::string& v) {
  expect(StateKind::text, name);
  v = take_text();
}

void StateReader::vector(std::string_view name, Vector& v) {
  expect(StateKind::vector, name);
  v.resize(static_cast<Index>(take_length(word_size)));
  take_numbers({v.data(), static_cast<std::size_t>(v.size())});
}

void StateReader::number(std::string_view name, double& v) {
  expect(StateKind::number, name);
  take_numbers({&v, 1});
}

void StateReader::count(std::string_view name, std::uint64_t& v) {
  expect(StateKind::count, name);
  v = take_word();
}

void StateReader::per_client(std::string_view name, PerClient<Vector>& v) {
  expect(StateKind::vectors, name);
  for (Vector& each : take_clients(v)) {
    each.resize(static_cast<Index>(take_length(word_size)));
    take_numbers({each.data(), static_cast<std::size_t>(each.size())});
  }
}

void StateReader::per_client(std::string_view name, PerClient<double>& v) {
  expect(StateKind::numbers, name);
  take_numbers(take_clients(v));
}

void StateReader::per_client(std::string_view name, PerClient<std::uint64_t>& v) {
  expect(StateKind::counts, name);
  for (std::uint64_t& each : take_clients(v)) each = take_word();
}

void StateReader::finish() const {
  if (!rest_.empty())
    reject("the checkpoint holds more variables than this method", std::to_string(rest_.size()) + " bytes more");
}

}  // namespace driftless
