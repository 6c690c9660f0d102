// Newton-CG over the federation: Newton's method on f = (1/n) Σ f_i, its directions by conjugate gradients in which
// every product with ∇²f is an exchange. Newton's method with truncated conjugate gradients is folklore (Dembo,
// Eisenstat, Steihaug, SIAM J. Numerical Analysis 1982); solvers/newton_step.hpp and solvers/curvature_pairs.hpp have
// the techniques that keep the number of exchanges small.
//
//   f(x), g = ∇f(x) at the start
//   for k = 0, 1, …:
//     d:  ‖∇²f(x) d + g‖ ≤ η ‖g‖ by CG, preconditioned with the pairs (u, ∇²f u) of earlier rounds
//       each step: u is known to all, ∇²f_i(x) u from the clients
//     x ← x + t d, the first of t = 1, ½, …, 2^{−K} for which f falls;  f(x), g = ∇f(x) from the clients
//     η from how well the quadratic model predicted ‖g‖
//
// η_max = cg_tolerance, K = halvings. Exchanges: one per product, one per trial point; the one that shows f at the new
// point also brings the gradient of the next round. All peers run the same conjugate gradients on the same means, so
// preconditioner and pairs cost no message. With preconditioner = "jacobi" the diagonal of ∇²f is sent with ∇f.
//
// With directions = k > 0 every exchange is a trial point and brings k products too: merged_newton.hpp. Fewer
// exchanges, more vectors in each, and more passes over the data.
//
// Rate: superlinear near x*; where f is not convex f still falls in every round.
#pragma once

#include "driftless/methods/dane_line/merged_newton.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/newton_step.hpp"

#include <optional>

namespace driftless {

enum class Forcing { adaptive, fixed };
template <>
struct EnumNames<Forcing> {
  static constexpr std::array<std::string_view, 2> value{"adaptive", "fixed"};
};
enum class Preconditioner { none, jacobi };
template <>
struct EnumNames<Preconditioner> {
  static constexpr std::array<std::string_view, 2> value{"none", "jacobi"};
};

struct DistributedNewtonOptions {
  double cg_tolerance = NewtonRule{}.forcing;
  Forcing forcing = Forcing::adaptive;
  std::size_t cg_steps = 1000;
  std::size_t pairs = 100;
  Preconditioner preconditioner = Preconditioner::none;
  std::size_t directions = 0;
  std::size_t halvings = 30;
  double gradient_goal = 0.0;

  static Fields fields() {
    using S = DistributedNewtonOptions;
    return {
        field("cg_tolerance", &S::cg_tolerance, below_one, "η_max, residual of a direction relative to ∇f, at most"),
        field("forcing", &S::forcing, anything, "η: as good as the last quadratic model was, or always cg_tolerance"),
        field("cg_steps", &S::cg_steps, at_least_one, "most Hessian products per round"),
        field("pairs", &S::pairs, nonnegative, "pairs (u, ∇²f u) of earlier rounds in the preconditioner; 0 = none"),
        field("preconditioner", &S::preconditioner, anything,
              "what the pairs improve: nothing, or the diagonal of ∇²f, which suits badly scaled columns"),
        field("directions", &S::directions, nonnegative,
              "k > 0: every exchange is a trial point with k Hessian products; 5 saves exchanges; 0 = one at a time"),
        field("halvings", &S::halvings, nonnegative, "K, most halvings of a step, an exchange each"),
        field("gradient_goal", &S::gradient_goal, nonnegative,
              "the ‖∇f‖ at which the run will be stopped: no direction is found more exactly; 0 = unknown")};
  }

  void check() const {
    if (directions > 0 && preconditioner == Preconditioner::jacobi)
      throw ConfigError({.what = "'directions' and preconditioner 'jacobi' exclude each other",
                         .seen = "directions = " + std::to_string(directions),
                         .advice = "remove one of them"});
    if (directions > 0 && pairs == 0)
      throw ConfigError({.what = "'directions' needs the pairs of earlier rounds",
                         .seen = "directions = " + std::to_string(directions) + ", pairs = 0",
                         .advice = "give pairs = 100, or directions = 0"});
  }

 private:
  static constexpr Range below_one{.low = 0.0, .high = 1.0, .high_open = true};
};

class DistributedNewton final : public MethodWith<DistributedNewtonOptions> {
 public:
  explicit DistributedNewton(const Options& o) : MethodWith(o), merged_(o.directions, o.pairs) {}

  void prepare(const Federation& fed) override {
    scratch_.emplace(fed.dim());
    scratch_->pairs().begin(o_.pairs);
    merged_.prepare();
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    g_.resize(x.size());
    eta_ = o_.cg_tolerance;
    clients_ = fed.everyone().size();
    if (merging()) f_ = merged_.start(fed, x, g_);
    else f_ = MeanOfClients{fed, jacobi() ? &diagonal_ : nullptr}.value_gradient(x, g_);
  }

  // For callers that have looked already, with the products of first_directions() where there are some; without a
  // diagonal.
  std::vector<Vector> first_directions(Index dim) const { return merged_.first_directions(dim); }
  void start_from(const Federation& fed, double f, const Vector& g, const std::vector<Vector>& products) {
    prepare(fed);
    f_ = f;
    g_ = g;
    eta_ = o_.cg_tolerance;
    clients_ = fed.everyone().size();
    if (merging()) merged_.start_from(g, products);
  }

  void round(Federation& fed, Vector& x) override {
    if (clients_ != fed.everyone().size()) start(fed, x);  // some were dropped: f is another function
    if (merging() && !merged_.separate()) return merged_.round(fed, x, f_, g_);
    MeanOfClients f{fed, jacobi() ? &diagonal_ : nullptr, merging() ? &merged_ : nullptr};
    if (merging()) use_merged_pairs();
    const NewtonRule rule{.forcing = o_.cg_tolerance,
                          .adaptive = o_.forcing == Forcing::adaptive,
                          .enough = o_.gradient_goal,
                          .max_products = o_.cg_steps,
                          .halvings = o_.halvings};
    newton_step(f, x, {f_, g_, eta_}, rule, *scratch_);
    if (merging()) merged_.end_separate();
  }

  Traffic start_traffic(std::size_t n) const override {
    if (merging()) return {.exchanges = 1, .up = merged_.vectors_up() * n, .down = n};
    return {.exchanges = 1, .up = at_point(n), .down = at_point(n)};
  }
  Traffic round_traffic(std::size_t n) const override {
    if (merging()) return {.exchanges = 1, .up = merged_.vectors_up() * n, .down = 2 * n, .at_least = true};
    return {.exchanges = 2, .up = n + at_point(n), .down = n + at_point(n), .at_least = true};
  }

  const Vector& gradient() const { return g_; }  // ∇f(x), for a method that measures with it

  void visit_state(StateVisitor& visit) override {
    visit.number("f", f_);
    visit.number("eta", eta_);
    visit.vector("g", g_);
    visit.count("clients", clients_);
    if (jacobi()) visit.vector("diagonal", diagonal_);
    if (merging()) return merged_.visit_state(visit, g_.size());
    packed_ = scratch_->pairs().packed();
    visit.vector("pairs", packed_);
    scratch_->pairs().unpack(packed_, g_.size());
  }

 private:
  // f as one objective; every call is an exchange. `merged` is told the products.
  class MeanOfClients {
   public:
    MeanOfClients(Federation& fed, Vector* diagonal, MergedNewton* merged = nullptr)
        : fed_(fed), diagonal_(diagonal), merged_(merged) {}

    double value_gradient(VecIn x, Vector& g) {
      const Parties all{fed_.everyone(), fed_.everyone()};
      if (diagonal_ == nullptr) {
        auto [gradient, value] = fed_.mean_with_scalars(
            all, 1, [&](Client& i, VecOut row, VecOut value_i) { value_i[0] = i.value_gradient(x, row); });
        g = std::move(gradient);
        return value[0];
      }
      auto [gradient, diagonal, value] =
          fed_.mean_with_scalars(all, 1, [&](Client& i, VecOut row, VecOut diagonal_i, VecOut value_i) {
            value_i[0] = i.value_gradient(x, row);
            i.hessian_diagonal(x, diagonal_i);
          });
      g = std::move(gradient);
      *diagonal_ = std::move(diagonal);
      return value[0];
    }
    void hessian_vector(VecIn x, const Vector& u, Vector& hu) {
      hu = fed_.mean([&](Client& i, VecOut row) {
        i.hessian_vector(x, u, row);
        i.count_step();
      });
      if (merged_ != nullptr) merged_->add(u, hu);
    }
    const Vector* diagonal() const { return diagonal_; }

   private:
    Federation& fed_;
    Vector* diagonal_;
    MergedNewton* merged_;
  };

  void use_merged_pairs() {
    CurvaturePairs& pairs = scratch_->pairs();
    pairs.begin(merged_.pairs_kept());
    merged_.for_each_pair([&](const Vector& u, const Vector& hu) { pairs.add(u, hu); });
  }

  bool merging() const { return o_.directions > 0; }
  bool jacobi() const { return o_.preconditioner == Preconditioner::jacobi; }
  std::size_t at_point(std::size_t n) const { return jacobi() ? 2 * n : n; }  // ∇f_i, and the diagonal of ∇²f_i

  double f_ = 0.0;             // f(x)
  double eta_ = 0.0;           // η
  Vector g_;                   // ∇f(x)
  Vector diagonal_;            // of ∇²f where it was last asked for
  Vector packed_;              // the pairs, as they are saved
  std::uint64_t clients_ = 0;  // whose mean f is
  MergedNewton merged_;
  std::optional<Workspace> scratch_;
};

}  // namespace driftless
