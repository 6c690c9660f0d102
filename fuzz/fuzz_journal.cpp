// A journal that a server finds in its folder. The first byte says whether the rest is the files as they are, or gets
// the owner, check sums and histories that fit: no input would ever get past them by itself. It also says whether the
// rest is one file or two, cut where the next two bytes say.
#include "driftless/network/hub/hub.hpp"

#include "fuzz/input.hpp"
#include "fuzz/own_folder.hpp"

#include <cstddef>
#include <cstring>
#include <zlib.h>

namespace driftless::fuzz {
namespace {

using detail::FileHead;
using detail::RecordHead;

const JournalOwner owner{.run = "fuzz", .configuration_digest = "0123"};

template <class Head>
Head head_at(const std::string& bytes, std::size_t at) {
  Head head;
  std::memcpy(&head, bytes.data() + at, sizeof head);
  return head;
}

std::uint32_t check_of(const void* data, std::size_t size) {
  return size == 0 ? 0 : static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), size));
}

std::size_t bytes_of(std::uint64_t numbers, std::size_t left) {
  return sizeof(double) * std::min<std::uint64_t>(numbers, left / sizeof(double));
}

// A file with an owner, check sums and histories that fit. `before` is the history before it and becomes that after it.
std::string fitted(std::string bytes, History& before, bool follows) {
  if (bytes.size() < sizeof(FileHead)) return bytes;
  auto file = head_at<FileHead>(bytes, 0);
  file.magic = FileHead{}.magic;
  file.owner = detail::owner_mark(owner);
  if (follows) file.history = before;
  std::memcpy(bytes.data(), &file, sizeof file);
  std::size_t at = sizeof file + bytes_of(file.absent, bytes.size() - sizeof file);
  // The check sum is over the fields before it and the ids after it.
  std::string checked(bytes.data(), offsetof(FileHead, check));
  checked.append(bytes, sizeof file, at - sizeof file);
  file.check = check_of(checked.data(), checked.size());
  std::memcpy(bytes.data(), &file, sizeof file);
  before = file.history;
  while (bytes.size() - at >= sizeof(RecordHead)) {
    auto head = head_at<RecordHead>(bytes, at);
    const std::size_t body = bytes_of(head.values + head.absent, bytes.size() - at - sizeof head);
    head.check_body = check_of(bytes.data() + at + sizeof head, body);
    head.history = before = detail::history_after(before, head);
    head.check_head = check_of(&head, offsetof(RecordHead, check_head));
    std::memcpy(bytes.data() + at, &head, sizeof head);
    at += sizeof head + body;
  }
  return bytes;
}

std::string name_of(const std::string& bytes, ExchangeId otherwise) {
  return "journal-" + std::to_string(bytes.size() < sizeof(FileHead) ? otherwise : head_at<FileHead>(bytes, 0).first);
}

void write_files(const OwnFolder& folder, unsigned choice, std::string_view rest) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) std::filesystem::remove(entry.path());
  std::size_t first = rest.size();
  if (choice / 2 % 2 == 1 && rest.size() >= 2) {
    first = static_cast<std::uint8_t>(rest[0]) + 256U * static_cast<std::uint8_t>(rest[1]);
    rest.remove_prefix(2);
  }
  History history;
  const auto write = [&](std::string bytes, ExchangeId otherwise, bool follows) {
    if (choice % 2 == 1) bytes = fitted(std::move(bytes), history, follows);
    folder.write(name_of(bytes, otherwise), bytes);
  };
  write(std::string(rest.substr(0, first)), 0, false);
  if (first < rest.size()) write(std::string(rest.substr(first)), 1, choice / 4 % 2 == 1);
}

// All totals from here on reach a site.
void hand_out(Hub& hub, std::size_t slot, ExchangeId from, ExchangeId to) {
  std::unique_ptr<HubConnection> connection;
  may_throw<Rejection>([&] { connection = hub.join(slot, from); });
  for (ExchangeId id = from; connection && id < to;) {
    const Hub::Outgoing out = connection->next();
    if (out.kind == Hub::Outgoing::Kind::rejection) return;
    require(out.kind == Hub::Outgoing::Kind::chunk || out.kind == Hub::Outgoing::Kind::done);
    require(out.exchange == id);
    if (out.kind == Hub::Outgoing::Kind::done) ++id;
  }
}

// What was accepted can be read, handed to a site, continued and opened again.
void use(const std::filesystem::path& folder) {
  const JournalOptions options{.owner = owner, .file_bytes = 1 << 20};
  ExchangeId next = 0;
  History history;
  {
    Journal journal(folder, options);
    next = journal.next();
    const ExchangeId from = next > 100 ? next - 100 : 0;
    Hub hub(3, {{"a", {0}}, {"b", {1, 2}}}, journal, {});
    for (ExchangeId id = from; id < next; ++id) {
      if (!journal.has(id)) continue;
      require(journal.read(id).values.size() < 100'000);
      hand_out(hub, id % 2, id, next);
      const auto position = journal.position_before(id + 1);
      require(position.has_value() && position->history == journal.read(id).history);
    }
    if (next == std::numeric_limits<ExchangeId>::max()) return;
    journal.append(std::vector<double>{1.0, 2.0}, {});
    history = journal.history();
  }
  const Journal journal(folder, options);
  require(journal.next() == next + 1 && journal.history() == history);
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  static const fuzz::OwnFolder folder;
  if (size == 0) return 0;
  fuzz::write_files(folder, data[0], fuzz::text_of(data, size).substr(1));
  fuzz::may_throw<DataError>([&] { fuzz::use(folder.path()); });
  return 0;
}
