#include "driftless/run/reference_cache.hpp"

#include "driftless/data/digest.hpp"
#include "driftless/data/input_file.hpp"
#include "driftless/data/output_file.hpp"
#include "driftless/run/log.hpp"
#include "driftless/run/machine.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace driftless {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "cached numbers are written as they are in memory");

constexpr std::string_view magic = "driftless reference 1\n";
constexpr std::size_t digest_size = 64;
constexpr std::size_t head_size = magic.size() + digest_size + 3 * sizeof(double);  // dimension, f*, gradient norm

void append(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

template <class T>
T word_at(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::optional<fs::path> folder_of(const char* variable, const char* below) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value) / below;
}

}  // namespace

std::optional<fs::path> cache_folder() {
  if (auto folder = folder_of("DRIFTLESS_CACHE", "")) return folder;
  if (auto folder = folder_of("XDG_CACHE_HOME", "driftless")) return folder;
  return folder_of("HOME", ".cache/driftless");
}

std::string problem_digest(const RunConfig& config, const Problem& problem) {
  const auto& linear = std::get<LinearProblem>(config.problem.details);
  Sha256 digest;
  const auto add = [&](std::string_view text) { digest.add_word(text.size()).add(text); };
  add(magic);
  add(program_version());
  add(enum_name(config.problem.kind));
  add(enum_name(linear.keys.storage));
  add(enum_name(linear.keys.precision));
  digest.add_word(linear.keys.intercept ? 1 : 0).add_number(problem.l2.value_or(0.0));
  digest.add_word(problem.n).add_word(static_cast<std::uint64_t>(problem.dim()));
  for (const auto& [key, value] : std::visit([](const auto& source) { return echo_options(source); }, linear.source)) {
    add(key);
    add(value);
  }
  for (const DataSource& data : problem.data) add(data.digest);
  for (const auto& f : problem.clients) digest.add_word(f->samples());
  add(problem.split_manifest);
  return digest.hex();
}

ReferenceCache::ReferenceCache(std::optional<fs::path> folder, std::string problem) : problem_(std::move(problem)) {
  constexpr std::size_t digits = 32;
  if (folder) file_ = *folder / "reference" / (problem_.substr(0, digits) + ".bin");
}

void ReferenceCache::distrust(const std::string& reason) const {
  log_warning("a cached optimum is not used and found anew: " + file_.string() + ": " + reason);
}

std::optional<FoundReference> ReferenceCache::read(Index dim) const {
  std::error_code error;
  if (file_.empty() || !fs::exists(file_, error)) return std::nullopt;
  const auto refuse = [&](const std::string& reason) {
    distrust(reason);
    return std::optional<FoundReference>();
  };
  std::string all;
  try {
    all = read_input_file(file_);
  } catch (const DataError& unreadable) { return refuse(unreadable.trouble().what); }
  if (all.size() < head_size + digest_size || !all.starts_with(magic)) return refuse("it is cut short or no such file");
  const std::string_view body = std::string_view(all).substr(0, all.size() - digest_size);
  if (sha256(body) != std::string_view(all).substr(body.size())) return refuse("its digest does not fit its content");
  if (body.substr(magic.size(), digest_size) != problem_) return refuse("it belongs to another problem");
  const std::size_t numbers = magic.size() + digest_size;
  const auto count = static_cast<std::uint64_t>(dim);
  if (word_at<std::uint64_t>(body, numbers) != count || body.size() != head_size + count * sizeof(double))
    return refuse("it has another dimension");
  FoundReference found;
  found.optimum.minimum = word_at<double>(body, numbers + sizeof(double));
  found.grad_norm = word_at<double>(body, numbers + 2 * sizeof(double));
  found.optimum.minimizer.resize(dim);
  std::memcpy(found.optimum.minimizer.data(), body.data() + head_size, count * sizeof(double));
  return found;
}

void ReferenceCache::write(const FoundReference& found) const noexcept {
  if (file_.empty()) return;
  try {
    const Vector& x = found.optimum.minimizer;
    const auto count = static_cast<std::uint64_t>(x.size());
    std::string bytes(magic);
    bytes += problem_;
    append(bytes, &count, sizeof count);
    append(bytes, &found.optimum.minimum, sizeof(double));
    append(bytes, &found.grad_norm, sizeof(double));
    append(bytes, x.data(), count * sizeof(double));
    bytes += sha256(bytes);
    fs::create_directories(file_.parent_path());
    write_output_file(file_, bytes);
  } catch (const std::exception& error) {
    log_warning("the optimum could not be kept for later runs: " + file_.string() + ": " + error.what());
  }
}

}  // namespace driftless
