#include "tests/network/faults/campaign_damage.hpp"

#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <charconv>

namespace driftless {
namespace {

namespace fs = std::filesystem;

bool in_journal(const fs::path& path) {
  return path.filename() == "journal" || path.parent_path().filename() == "journal";
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// Ordered by the number at the end of the name, that of the first total.
std::optional<fs::path> newest_journal(const fs::path& journal) {
  const auto number = [](const fs::path& file) {
    const std::string name = file.filename().string();
    std::uint64_t first = 0;
    std::from_chars(name.data() + name.find_last_not_of("0123456789") + 1, name.data() + name.size(), first);
    return first;
  };
  const std::vector<fs::path> files = files_in(journal);
  const auto newest = std::ranges::max_element(files, {}, number);
  return newest != files.end() ? std::optional(*newest) : std::nullopt;
}

std::map<fs::path, std::string> read_all(const fs::path& target) {
  std::map<fs::path, std::string> files;
  if (!fs::is_directory(target)) files[target] = TempFolder::read(target);
  else
    for (const fs::path& file : files_in(target)) files[file] = TempFolder::read(file);
  return files;
}

void write_file(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

template <class T>
const T& one_of(const std::vector<T>& items, Stream& chance) {
  return items[chance.index(items.size())];
}

void flip_bit(std::string& bytes, Stream& chance) {
  bytes[chance.index(bytes.size())] ^= static_cast<char>(1 << chance.index(8));
}

}  // namespace

std::vector<fs::path> Damage::targets(const fs::path& run) {
  std::vector<fs::path> list;
  const auto add = [&](const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored) && (fs::is_directory(path, ignored) || fs::file_size(path, ignored) > 0))
      list.push_back(path);
  };
  add(run / "run-id");
  for (const char* name : {"config.toml", "run.json"}) add(run / "results" / name);
  std::error_code ignored;
  for (const fs::directory_entry& method : fs::directory_iterator(run / "results", ignored))
    if (method.is_directory())
      for (const char* name : {"state.bin", "metrics.csv", "summary.json"}) add(method.path() / name);
  for (const fs::path& file : files_in(run / "journal")) add(file);
  // Listed twice, so that it is chosen more often.
  if (const auto newest = newest_journal(run / "journal")) add(*newest);
  return list;
}

std::optional<Damage::Files> Damage::swapped(const fs::path& target, const fs::path& home, const std::string& who,
                                             const OtherRun& other, Stream& chance) {
  std::vector<Files> found;
  for (const fs::path& copy : other.copies) {
    fs::path there = copy / who / target.lexically_relative(home);
    if (in_journal(target) && !fs::is_directory(target)) there = newest_journal(there.parent_path()).value_or(there);
    if (!fs::exists(there)) continue;
    Files& files = found.emplace_back();
    for (const auto& [path, bytes] : read_all(there))
      files[fs::is_directory(target) ? target / path.filename() : target] = bytes;
  }
  if (found.empty()) return std::nullopt;
  return one_of(found, chance);
}

std::optional<Damage> Damage::make(DamageKind kind, const fs::path& home, const std::string& who, const OtherRun& other,
                                   Stream& chance) {
  const fs::path run = home / "run";
  std::vector<fs::path> list = targets(run);
  if (kind == DamageKind::swap && fs::exists(run / "journal")) list.insert(list.end(), 2, run / "journal");
  if (list.empty()) return std::nullopt;
  Damage damage;
  damage.kind_ = kind;
  damage.target_ = one_of(list, chance);
  damage.before_ = read_all(damage.target_);
  if (kind == DamageKind::swap) {
    const std::optional<Files> files = swapped(damage.target_, home, who, other, chance);
    if (!files) return std::nullopt;
    damage.after_ = *files;
  } else {
    std::string& bytes = damage.after_[damage.target_] = damage.before_[damage.target_];
    if (bytes.empty()) return std::nullopt;
    if (kind == DamageKind::flip) flip_bit(bytes, chance);
    else bytes.resize(chance.index(bytes.size()));
  }
  for (const auto& [path, bytes] : damage.before_) fs::remove(path);
  for (const auto& [path, bytes] : damage.after_) write_file(path, bytes);
  return damage;
}

std::string Damage::text() const {
  const char* how = kind_ == DamageKind::flip ? "one bit flipped" : kind_ == DamageKind::cut ? "cut" : "of another run";
  return target_.string() + ", " + how;
}

bool Damage::rejected_by(int exit_code, const std::string& message) const {
  const std::string name = target_.filename().string();
  const bool names_run = name == "run-id";
  if (exit_code != 5 && !(names_run && exit_code == 2)) return false;
  std::vector<std::string> words{name};
  if (names_run) words.emplace_back("run");
  // A site may notice first that the server has lost what it relies on.
  if (in_journal(target_)) words.insert(words.end(), {"journal", "server"});
  if (name == "metrics.csv") words.emplace_back("state.bin");
  return std::ranges::any_of(words, [&](const std::string& word) { return message.find(word) != std::string::npos; });
}

void Damage::undo() const {
  for (const auto& [path, bytes] : after_) {
    std::string now = TempFolder::read(path);
    const bool added =
        kind_ == DamageKind::flip && in_journal(path) && now.size() > bytes.size() && now.starts_with(bytes);
    const bool cut_back = in_journal(path) && bytes.starts_with(now);
    if (!added && !cut_back && now != bytes) continue;
    if (!before_.contains(path)) fs::remove(path);
    else write_file(path, added ? before_.at(path) + now.substr(bytes.size()) : before_.at(path));
  }
  for (const auto& [path, bytes] : before_)
    if (!after_.contains(path)) write_file(path, bytes);
}

}  // namespace driftless
