#include "driftless/reproduce/rate_claims.hpp"

#include "driftless/methods/catalog.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using enum Varied;
using namespace std::string_literals;

struct Exponent {
  Varied varied;
  double exponent;
  std::vector<double> values = {};  // empty: the base's, times 1/4 to 4
};

struct ClaimRow {
  RateColumn column = RateColumn::strongly_convex;
  std::string method;
  std::string rate;
  std::vector<Exponent> exponents;
  Counted counted = Counted::exchanges;
  bool upper_bound = false;
  std::string label = {};  // empty: the method
  RateOptions options = {};
  RateSetting base = {};
  std::size_t seeds_factor = 1;
};

double value_in(const RateSetting& s, Varied varied) {
  switch (varied) {
    case smoothness: return s.L;
    case convexity: return s.mu;
    case dissimilarity: return s.delta;
    case delta_A:
    case delta_B: return 0.0;  // these always list their values
    case clients: return static_cast<double>(s.clients);
    case Varied::digits: return 4.0;
    case epsilon: return s.accuracy;
    case local_steps: return s.local_steps;
    case coin: return s.p;
  }
  return 0.0;
}

std::vector<double> values_around(const RateSetting& base, Varied varied) {
  std::vector<double> values;
  for (const double factor : {0.25, 0.5, 1.0, 2.0}) values.push_back(factor * value_in(base, varied));
  return values;
}

// δ_A and δ_B apart: one client of 65 differs, so that δ_B/δ_A can be up to 8.
const std::vector<double> values_of_delta_A{2.5, 5.0, 10.0};    // δ_B = 20
const std::vector<double> values_of_delta_B{10.0, 20.0, 40.0};  // δ_A = 5
RateSetting apart(RateSetting base) {
  base.clients = 65;
  base.delta = 20.0;
  base.delta_A = 5.0;
  return base;
}

void append(const ClaimRow& row, std::vector<RateClaim>& claims) {
  for (const auto& [varied, exponent, values] : row.exponents)
    claims.push_back({.column = row.column,
                      .method = row.method,
                      .label = row.label.empty() ? row.method : row.label,
                      .rate = row.rate,
                      .counted = row.counted,
                      .varied = varied,
                      .exponent = exponent,
                      .upper_bound = row.upper_bound,
                      .options = row.options,
                      .base = row.base,
                      .values = values.empty() ? values_around(row.base, varied) : values,
                      .seeds_factor = row.seeds_factor});
}

Settings scaffold_options(const RateSetting& s, double step) {
  return {{"step", step}, {"local_steps", static_cast<std::int64_t>(s.local_steps)}};
}

// The step of Scaffold's theorems: 1/(81 L K), for non-convex functions 1/(24 L K).
RateOptions scaffold_theorem(double factor) {
  return [factor](const RateSetting& s, const Constants& c) {
    return scaffold_options(s, 1.0 / (factor * c.L * s.local_steps));
  };
}

// Of the order that the theorem of quadratics asks for: as long as 1/L while K ≤ L/δ_B.
Settings scaffold_on_quadratics(const RateSetting& s, const Constants& c) {
  return scaffold_options(s, 1.0 / std::max(10.0 * c.L, 22.0 * c.delta_B * s.local_steps));
}

// Both theorems ask for an α of the order of L.
Settings feddyn_options(const RateSetting&, const Constants& c) { return {{"alpha", c.L}}; }

Settings scaffnew_options(const RateSetting& s, const Constants&) { return {{"p", s.p}}; }

Settings random_client(const RateSetting&, const Constants&) { return {{"averaging", "random"s}}; }

// The best of so many local steps that the local problem, of condition about L/δ_B, is solved well.
Settings dane_plus_on_any_f(const RateSetting&, const Constants& c) {
  return {{"averaging", "random"s},
          {"stop_rule", "min-gradient"s},
          {"local_steps", static_cast<std::int64_t>(std::ceil(5.0 * c.L / c.delta_B))}};
}

std::vector<Exponent> depends_on_delta_A(bool on_A) {
  return {{delta_A, on_A ? 1.0 : 0.0, values_of_delta_A}, {delta_B, on_A ? 0.0 : 1.0, values_of_delta_B}};
}

Varied varied_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::smoothness: return smoothness;
    case Quantity::convexity: return convexity;
    case Quantity::dissimilarity: return dissimilarity;
    case Quantity::clients: return clients;
    case Quantity::accuracy: return digits;
  }
  return smoothness;
}

// The strongly convex column, from the catalogue.
std::vector<ClaimRow> strongly_convex_rows() {
  std::vector<std::pair<int, ClaimRow>> numbered;
  for (const MethodEntry& entry : method_catalog())
    for (const ClaimedRate& claim : entry.rate.claims) {
      ClaimRow row{.method = entry.name,
                   .rate = claim.rate,
                   .exponents = {},
                   .counted = claim.measured == Measured::rounds ? Counted::exchanges : Counted::local_steps,
                   .upper_bound = claim.upper_bound};
      for (const auto& [quantity, exponent] : claim.exponents)
        row.exponents.push_back(
            {varied_of(quantity), exponent,
             quantity == Quantity::clients ? std::vector{5.0, 10.0, 20.0, 40.0} : std::vector<double>{}});
      if (entry.name == "scaffold") {
        row.label = "scaffold, step 1/(81 L K)";
        row.options = scaffold_theorem(81.0);
        row.base = {.mu = 8.0, .local_steps = 5.0};  // 81 times the rounds of gradient descent
      }
      numbered.emplace_back(claim.row, std::move(row));
    }
  std::ranges::stable_sort(numbered, {}, &std::pair<int, ClaimRow>::first);
  std::vector<ClaimRow> rows;
  for (auto& [number, row] : numbered) rows.push_back(std::move(row));
  return rows;
}

// The footnote on Scaffold, K far below L/δ_B and far above.
std::vector<ClaimRow> scaffold_footnote() {
  const std::string rate = "((L + delta_B K)/(mu K)) log(1/eps)";
  const std::string label = "scaffold, as for quadratics";
  return {
      {.method = "scaffold",
       .rate = rate + ", K < L/delta_B",
       .exponents = {{local_steps, -1.0, {1, 2, 4, 8}}, {smoothness, 1.0}, {dissimilarity, 0.0, {0.5, 1, 2}}},
       .label = label,
       .options = scaffold_on_quadratics,
       .base = {.mu = 4.0, .delta = 2.0, .local_steps = 4.0}},
      {.method = "scaffold",
       .rate = rate + ", K > L/delta_B",
       .exponents = {{local_steps, 0.0, {100, 200, 400}}, {smoothness, 0.0}, {dissimilarity, 1.0}, {convexity, -1.0}},
       .label = label,
       .options = scaffold_on_quadratics,
       .base = {.mu = 4.0, .delta = 20.0, .local_steps = 200.0}}};
}

// δ_A against δ_B, and n where it is the larger term of SVRP's rate.
std::vector<ClaimRow> rows_of_one_constant() {
  std::vector<ClaimRow> rows{{.method = "sonata",
                              .rate = "(delta_B/mu) log(1/eps)",
                              .exponents = depends_on_delta_A(false),
                              .base = apart({})}};
  for (const char* method : {"dane", "dane+-gd", "fedred-gd"})
    rows.push_back({.method = method,
                    .rate = "(delta_A/mu) log(1/eps)",
                    .exponents = depends_on_delta_A(true),
                    .base = apart({})});
  rows.push_back({.method = "svrp",
                  .rate = "(n + delta_A²/mu²) log(1/eps), n large",
                  .exponents = {{clients, 1.0, {64, 128, 256, 512}}},
                  .base = {.mu = 40.0, .delta = 40.0, .accuracy = 1e-7},
                  .seeds_factor = 5});  // a run has about five renewals of the gradient, which come by chance
  return rows;
}

std::vector<ClaimRow> general_convex_rows() {
  const RateSetting base{.accuracy = 20.0};
  const RateSetting coarse{.accuracy = 100.0, .local_steps = 2.0};  // 81 times the rounds of gradient descent
  const std::vector<Exponent> by_L{{smoothness, 1.0}, {epsilon, -1.0}};
  const std::vector<Exponent> by_delta{{smoothness, 0.0}, {dissimilarity, 1.0}, {epsilon, -1.0}};
  std::vector<ClaimRow> rows{{.method = "gd", .rate = "L R_0²/eps", .exponents = by_L, .base = base},
                             {.method = "scaffold",
                              .rate = "L R_0²/eps",
                              .exponents = by_L,
                              .label = "scaffold, step 1/(81 L K)",
                              .options = scaffold_theorem(81.0),
                              .base = coarse},
                             {.method = "feddyn",
                              .rate = "(L R_0² + A²)/eps",
                              .exponents = by_L,
                              .label = "feddyn, alpha = L",
                              .options = feddyn_options,
                              .base = base},
                             {.method = "scaffnew",
                              .rate = "(p L R_0² + H_0²/(p L))/eps",
                              .exponents = {{smoothness, 1.0}, {epsilon, -1.0}, {coin, 1.0}},
                              .options = scaffnew_options,
                              .base = base},
                             {.method = "scaffnew",
                              .rate = "1/p",
                              .exponents = {{coin, -1.0}},
                              .counted = Counted::local_steps,
                              .options = scaffnew_options,
                              .base = base}};
  for (const char* method : {"dane", "dane+-gd", "fedred-gd"}) {
    rows.push_back({.method = method, .rate = "delta_A R_0²/eps", .exponents = by_delta, .base = base});
    rows.push_back(
        {.method = method, .rate = "delta_A R_0²/eps", .exponents = depends_on_delta_A(true), .base = apart(base)});
    if (method == "dane"s) continue;
    rows.push_back({.method = method,
                    .rate = method == "fedred-gd"s ? "L/delta_A" : "L/delta_A, times a logarithm",
                    .exponents = {{smoothness, 1.0}, {dissimilarity, -1.0}},
                    .counted = Counted::local_steps,
                    .upper_bound = method == "dane+-gd"s,
                    .base = base});
  }
  for (ClaimRow& row : rows) row.column = RateColumn::convex;
  return rows;
}

std::vector<ClaimRow> non_convex_rows() {
  const RateSetting base{.accuracy = 0.2};
  const RateSetting coarse{.accuracy = 4.0, .local_steps = 5.0};
  const std::vector<Exponent> by_L{{smoothness, 1.0}, {epsilon, -1.0}};
  const std::vector<Exponent> by_delta{{smoothness, 0.0}, {dissimilarity, 1.0}, {epsilon, -1.0}};
  const std::vector<Exponent> steps{{smoothness, 1.0}, {dissimilarity, -1.0}};
  const std::string mime_rate = "delta_B G F_0/(√n eps^1.5) + G²/(n eps) + delta_B F_0/eps";
  std::vector<ClaimRow> rows{{.method = "gd", .rate = "L F_0/eps", .exponents = by_L, .base = base},
                             {.method = "scaffold",
                              .rate = "L F_0/eps",
                              .exponents = by_L,
                              .label = "scaffold, step 1/(24 L K)",
                              .options = scaffold_theorem(24.0),
                              .base = coarse},
                             {.method = "feddyn",
                              .rate = "L F_0/eps",
                              .exponents = by_L,
                              .label = "feddyn, alpha = L",
                              .options = feddyn_options,
                              .base = base},
                             {.method = "mime-mvr",
                              .rate = mime_rate,
                              .exponents = {{smoothness, 0.0}, {dissimilarity, 1.0}, {epsilon, -1.5}},
                              .upper_bound = true,
                              .base = base}};
  for (const char* method : {"ce-lgd", "dane+-gd", "fedred-gd"}) {
    const RateOptions options = method == "dane+-gd"s    ? RateOptions(dane_plus_on_any_f)
                                : method == "fedred-gd"s ? RateOptions(random_client)
                                                         : RateOptions();
    rows.push_back(
        {.method = method, .rate = "delta_B F_0/eps", .exponents = by_delta, .options = options, .base = base});
    rows.push_back({.method = method,
                    .rate = "delta_B F_0/eps",
                    .exponents = depends_on_delta_A(false),
                    .options = options,
                    .base = apart(base)});
    if (method != "fedred-gd"s) continue;  // the local steps of the others are an option, not a result
    rows.push_back({.method = method,
                    .rate = "L/delta_B",
                    .exponents = steps,
                    .counted = Counted::local_steps,
                    .options = options,
                    .base = base});
  }
  for (ClaimRow& row : rows) row.column = RateColumn::non_convex;
  return rows;
}

}  // namespace

std::vector<RateClaim> table1_claims() {
  std::vector<RateClaim> claims;
  for (const auto& rows :
       {strongly_convex_rows(), scaffold_footnote(), rows_of_one_constant(), general_convex_rows(), non_convex_rows()})
    for (const ClaimRow& row : rows) append(row, claims);
  return claims;
}

}  // namespace driftless
