#include "driftless/problems/reference_cache.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/files/sealed_bytes.hpp"

#include <cmath>
#include <cstdlib>
#include <string_view>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "driftless reference 2\n";

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

bool FoundReference::finite() const {
  return optimum.minimizer.allFinite() && std::isfinite(optimum.minimum) && std::isfinite(optimum.error) &&
         std::isfinite(grad_norm);
}

ReferenceCache::ReferenceCache(std::optional<fs::path> folder, std::string problem) : problem_(std::move(problem)) {
  constexpr std::size_t digits = 32;
  if (folder) file_ = *folder / "reference" / (problem_.substr(0, digits) + ".bin");
}

void ReferenceCache::report_unusable(const std::string& reason) const {
  log_warning("a cached optimum is not used and computed again: " + file_.string() + ": " + reason);
}

std::optional<FoundReference> ReferenceCache::read(Index dim) const {
  std::error_code error;
  if (file_.empty() || !fs::exists(file_, error)) return std::nullopt;
  const auto unusable = [&](const std::string& reason) {
    report_unusable(reason);
    return std::optional<FoundReference>();
  };
  std::string all;
  try {
    all = read_input_file(file_);
  } catch (const DataError& unreadable) { return unusable(unreadable.info().what); }
  const UnsealedBytes opened = unseal(all, magic, problem_);
  if (!opened.fault.empty()) return unusable(opened.fault);
  ByteReader in(opened.content);
  const bool same_dimension = in.number<std::uint64_t>() == static_cast<std::uint64_t>(dim);
  FoundReference found;
  found.optimum.minimum = in.number<double>();
  found.optimum.error = in.number<double>();
  found.grad_norm = in.number<double>();
  found.optimum.minimizer.resize(dim);
  in.fill(std::span<double>(found.optimum.minimizer.data(), static_cast<std::size_t>(dim)));
  if (!same_dimension || !in.used_up()) return unusable("it has another dimension");
  if (!found.finite()) return unusable("it has numbers that are not finite");
  return found;
}

void ReferenceCache::write(const FoundReference& found) const noexcept {
  if (file_.empty()) return;
  try {
    const Vector& x = found.optimum.minimizer;
    std::string content;
    append_number(content, static_cast<std::uint64_t>(x.size()));
    append_number(content, found.optimum.minimum);
    append_number(content, found.optimum.error);
    append_number(content, found.grad_norm);
    append_numbers(content, std::span<const double>(x.data(), static_cast<std::size_t>(x.size())));
    fs::create_directories(file_.parent_path());
    write_output_file(file_, sealed(magic, problem_, content));
  } catch (const std::exception& error) {
    log_warning("the optimum could not be cached for later runs: " + file_.string() + ": " + error.what());
  }
}

}  // namespace driftless
