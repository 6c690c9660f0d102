// The [problem] table: the keys that every kind of problem has. The other keys belong to the kinds; see kinds.hpp.
#pragma once

#include "driftless/problems/federation_config.hpp"
#include "driftless/problems/problem_spec.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace driftless {

enum class ReferenceChoice { automatic, none, fresh };
template <>
struct EnumNames<ReferenceChoice> {
  static constexpr std::array<std::string_view, 3> value{"auto", "none", "fresh"};
};

// x⁰: this number in every entry, or the vector in a file; where neither is set, the start of the generator.
struct StartPoint {
  std::optional<double> entry;
  std::string file;

  bool from_generator() const { return !entry && file.empty(); }
};
template <>
struct OptionType<StartPoint> {
  static std::string allowed() { return "a number, the path of a .npy file, or \"generator\""; }
  static bool read(const OptionValue& value, StartPoint& out);
  static std::string write(const StartPoint& v);
};

struct ProblemKeys {
  std::string kind;
  std::optional<StartPoint> x0;
  ReferenceChoice reference = ReferenceChoice::automatic;
  std::optional<std::size_t> seed;

  static Fields fields() {
    using S = ProblemKeys;
    return {field("kind", &S::kind, anything, "the kind of problem"),
            field("x0", &S::x0, anything, "the start; 0 for data, that of the generator for quadratics and networks"),
            field("reference", &S::reference, anything,
                  "whether the optimum is found before the run, for gap and distance"),
            field("seed", &S::seed, anything, "seed of the generator; the run's seed if not given")};
  }
};

struct ProblemConfig {
  std::string kind;
  StartPoint x0;
  ReferenceChoice reference = ReferenceChoice::automatic;
  std::size_t seed = 1;
  std::shared_ptr<const ProblemSpec> spec;  // the part that belongs to the kind
  ConfigTable source;                       // as it was written; its locations are for messages

  bool may_have_reference() const;  // as far as is known before the problem is made
};

// Replaces names and relative paths by absolute ones, so that config.toml can be used from any folder. DataError if a
// file is missing.
void resolve_paths(ProblemConfig& problem, FederationConfig& federation);

std::string absolute_path(const std::filesystem::path& path);

std::string problem_text(const ProblemConfig& problem);

// All that a problem is made from.
struct ProblemSetup {
  std::size_t seed = 1;
  ProblemConfig problem;
  FederationConfig federation;
  bool needs_reference = false;  // a stop condition uses f − f*

  std::size_t clients() const { return federation.clients.value_or(1); }  // n
};

}  // namespace driftless
