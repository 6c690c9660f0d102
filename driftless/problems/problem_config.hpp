// The [problem] and [federation] tables: which functions there are and how they are divided among clients. Which keys
// are allowed depends on `kind`, and for data on where it comes from.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/data/partition.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/kernels/sliced_ell.hpp"
#include "driftless/objectives/quadratic/quadratic_spec.hpp"
#include "driftless/torch/net_spec.hpp"

#include <variant>

namespace driftless {

enum class ProblemKind { quadratic, logistic, least_squares, torch };
template <>
struct EnumNames<ProblemKind> {
  static constexpr std::array<std::string_view, 4> value{"quadratic", "logistic", "least-squares", "torch"};
};

enum class ReferenceChoice { automatic, none, fresh };
template <>
struct EnumNames<ReferenceChoice> {
  static constexpr std::array<std::string_view, 3> value{"auto", "none", "fresh"};
};

// How rows are kept: as lists of places, as joint codes of one-hot columns, or with a number for every column.
enum class Storage { automatic, sparse, codes, dense };
template <>
struct EnumNames<Storage> {
  static constexpr std::array<std::string_view, 4> value{"auto", "sparse", "codes", "dense"};
};

template <>
struct EnumNames<EntryPrecision> {
  static constexpr std::array<std::string_view, 2> value{"float64", "float32"};
};

// x⁰: every entry this number, or the vector in a file; where neither is given, the generator's own.
struct StartPoint {
  std::optional<double> entry;
  std::string file;

  bool generators_own() const { return !entry && file.empty(); }
};
template <>
struct OptionType<StartPoint> {
  static std::string allowed() { return "a number, the path of a .npy file, or \"generator\""; }
  static bool read(const OptionValue& value, StartPoint& out);
  static std::string write(const StartPoint& v);
};

// The weight of ½‖x‖²; none is one over the number of rows of everybody.
struct L2Weight {
  std::optional<double> value;
};
template <>
struct OptionType<L2Weight> {
  static std::string allowed() { return "a number >= 0, or \"1/M\""; }
  static bool read(const OptionValue& value, L2Weight& out);
  static std::string write(const L2Weight& v) { return v.value ? number(*v.value) : "\"1/M\""; }
};

struct ProblemKeys {
  std::optional<ProblemKind> kind;
  std::optional<StartPoint> x0;
  ReferenceChoice reference = ReferenceChoice::automatic;
  std::optional<std::size_t> seed;

  static Fields fields() {
    using S = ProblemKeys;
    return {
        field("kind", &S::kind, anything, "what is minimised"),
        field("x0", &S::x0, anything, "the start; 0 for data, the generator's own for quadratics and networks"),
        field("reference", &S::reference, anything, "whether the optimum is found beforehand, for gap and distance"),
        field("seed", &S::seed, anything, "seed of the generator; the run's seed if not given")};
  }
};

// Those of the generator's fields that do not stand elsewhere in a configuration.
struct QuadraticKeys : QuadraticSpec {
  static Fields fields() { return QuadraticSpec::fields().without({"clients", "seed"}); }
};

struct LinearKeys {
  std::string data;
  L2Weight l2;
  bool intercept = false;
  Storage storage = Storage::automatic;
  EntryPrecision precision = EntryPrecision::float64;

  static Fields fields() {
    using S = LinearKeys;
    return {field("data", &S::data, anything,
                  "a path, the name of known data, \"generated\", or \"sites\": each brings its own"),
            field("l2", &S::l2, anything, "weight of ½‖x‖²"),
            field("intercept", &S::intercept, anything, "a column of ones, regularised like the rest"),
            field("storage", &S::storage, anything, "how rows are kept; auto takes the fastest"),
            field("precision", &S::precision, anything,
                  "of the entries of rows, where they are kept; all arithmetic is float64")};
  }
};

// How files are read.
struct FileKeys {
  std::optional<std::size_t> dim;
  std::optional<double> positive_label;
  bool cache = false;

  static Fields fields() {
    using S = FileKeys;
    return {field("dim", &S::dim, Range{.low = 1.0, .high = 2147483646.0},
                  "number of columns; the largest index if not given"),
            field("positive_label", &S::positive_label, finite, "this label becomes +1, every other one -1"),
            field("cache", &S::cache, anything, "whether rows of packed files are kept for later runs")};
  }
};

struct LinearProblem {
  LinearKeys keys;
  std::variant<FileKeys, SparseClassificationSpec> source;  // files, or data made from a seed

  bool generated() const { return std::holds_alternative<SparseClassificationSpec>(source); }
  bool from_sites() const { return !generated() && keys.data == "sites"; }  // every site brings its own files
};

struct ProblemConfig {
  ProblemKind kind = ProblemKind::quadratic;
  StartPoint x0;
  ReferenceChoice reference = ReferenceChoice::automatic;
  std::size_t seed = 1;
  std::variant<QuadraticSpec, LinearProblem, NetSpec> details;  // the first for kind quadratic, resolved
  std::string place;                                            // of the table, for messages

  bool is_quadratic() const { return std::holds_alternative<QuadraticSpec>(details); }
  bool may_have_reference() const;  // as far as can be told before making the problem
};

struct FederationConfig {
  std::optional<std::size_t> clients;  // known after reading
  std::optional<Split> split;
  std::optional<double> alpha;
  std::vector<std::string> files;
  std::size_t threads = 0;
  std::string place;

  static Fields fields() {
    using S = FederationConfig;
    return {field("clients", &S::clients, at_least_one, "n, number of clients"),
            field("split", &S::split, anything, "how rows are divided; iid if not given"),
            field("alpha", &S::alpha, Range{.low = 0.0, .high = 1e9, .low_open = true},
                  "Dirichlet parameter: the smaller, the less alike the clients; 1 if not given"),
            field("files", &S::files, anything, "one file per client, instead of data and split"),
            field("threads", &S::threads, Range{.low = 0.0, .high = 1024.0}, "threads; 0 = one per core")};
  }
  SplitOptions split_options() const;
};

FederationConfig read_federation(const ConfigTable& table);
// Fills in the number of clients where files settle it. ConfigError if the two tables do not fit each other.
ProblemConfig read_problem(const ConfigTable& table, FederationConfig& federation, std::size_t seed);

// Replaces names and relative paths by absolute ones, so that the echo works from any folder. DataError if a file is
// missing.
void resolve_paths(ProblemConfig& problem, FederationConfig& federation);

std::string problem_text(const ProblemConfig& problem);
std::string federation_text(const FederationConfig& federation);

// All that a problem is made of.
struct ProblemSetup {
  std::size_t seed = 1;
  ProblemConfig problem;
  FederationConfig federation;
  bool needs_reference = false;  // a stop condition asks for f − f*

  std::size_t clients() const;  // n
};

}  // namespace driftless
