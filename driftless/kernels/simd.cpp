#include "driftless/kernels/simd.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>
#include <cctype>
#include <hwy/highway.h>

namespace driftless {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Highway counts the AVX-512 family as the third AVX.
std::string name_of(std::int64_t target) {
  std::string name = lower(hwy::TargetName(target));
  if (name.starts_with("avx3")) name.replace(0, 4, "avx512");
  return name;
}

const std::vector<std::int64_t>& offered() {
  static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  return targets;
}

}  // namespace

std::string simd_in_use() {
  offered();
  return name_of(hwy::SupportedAndGeneratedTargets().front());
}

std::vector<std::string> simd_choices() {
  std::vector<std::string> names;
  for (const std::int64_t target : offered()) names.push_back(name_of(target));
  return names;
}

void choose_simd(std::string_view name) {
  std::string known;
  for (const std::int64_t target : offered()) {
    if (name_of(target) == name) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(target);
      return;
    }
    known += (known.empty() ? "" : ", ") + name_of(target);
  }
  throw ConfigError({.what = "this processor, or this build, does not offer an instruction set",
                     .seen = "'" + std::string(name) + "'",
                     .advice = "choose one of " + known});
}

}  // namespace driftless
