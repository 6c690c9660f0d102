#include "driftless/reproduce/auto/plan.hpp"

#include "driftless/core/error.hpp"
#include "driftless/data/known_data.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/tuning/default_settings.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace driftless {
namespace {

// Sets of several classes tell one of them from the rest.
std::string classes_text(const std::string& set) {
  const KnownData* known = find_known_data(set);
  return known != nullptr && known->address.starts_with("multiclass/") ? "positive_label = 1\n" : "";
}

// f(x) = ½‖x − c‖², which notes whether it was asked for its Hessian.
struct WatchedQuadratic {
  double center;
  std::atomic<bool>* asked;

  static Index dim() { return 2; }
  static std::size_t samples() { return 1; }
  double value_gradient(VecIn x, VecOut g) const {
    g = x.array() - center;
    return 0.5 * g.squaredNorm();
  }
  void gradient(VecIn x, VecOut g) const { value_gradient(x, g); }
  void gradient(VecIn x, Batch, VecOut g) const { value_gradient(x, g); }
  static void hessian_vector(VecIn, VecIn v, VecOut hv) { hv = v; }
  static void hessian_diagonal(VecIn, VecOut diagonal) { diagonal.setOnes(); }
  std::size_t hessian(VecIn, VecOut triangle) const {
    *asked = true;
    triangle << 1.0, 0.0, 1.0;
    return 1;
  }
};

}  // namespace

std::string AutoCell::name() const {
  const std::string division =
      split == Split::dirichlet ? fmt::format("dirichlet {:g}", AutoPlan::alpha) : std::string(enum_name(split));
  return fmt::format("{}, n = {}, {}, l2 = {}", data, clients, division, enum_name(weight));
}

AutoHalf AutoCell::half() const {
  const std::vector<std::string> sets = auto_sets();
  const auto position = std::ranges::find(sets, data) - sets.begin();
  return position < std::ssize(sets) && position % 2 == 1 ? AutoHalf::development : AutoHalf::report;
}

std::size_t AutoBudget::gradients_for(std::size_t entries, std::size_t dim, std::size_t clients) const {
  // Of every client, besides its entries: some passes over d-vectors, and the call itself.
  const std::size_t besides = clients * (4 * dim + 300);
  const auto affordable = static_cast<std::size_t>(numbers / static_cast<double>(entries + besides));
  return std::clamp(affordable, least_gradients, std::max(least_gradients, gradients));
}

std::vector<AutoCell> AutoPlan::cells() const {
  std::vector<AutoCell> all;
  for (const std::string& set : sets)
    for (const std::size_t n : clients)
      for (const Split split : splits)
        for (const AutoWeight weight : weights)
          all.push_back({.data = set, .clients = n, .split = split, .weight = weight});
  return all;
}

std::vector<const MethodEntry*> AutoPlan::entries() const {
  std::vector<const MethodEntry*> found;
  for (const std::string& name : methods) found.push_back(&find_method(name));
  if (!found.empty()) return found;
  for (const MethodEntry& entry : method_catalog())
    if (entry.reaches_minimizer()) found.push_back(&entry);
  return found;
}

std::vector<std::string> auto_sets() {
  std::vector<std::string> sets{"sonar_scale"};  // of no known digest
  for (const KnownData& known : known_data()) sets.emplace_back(known.name);
  std::ranges::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

AutoPlan quick_auto_plan() {
  AutoPlan plan{.sets = {"heart_scale", "mushrooms"}, .clients = {5}, .splits = {Split::dirichlet}};
  plan.weights = {AutoWeight::thousandth};
  return plan;
}

std::string config_text(const AutoCell& cell) {
  const std::string weight = cell.weight == AutoWeight::thousandth ? "1e-3" : "\"1/M\"";
  const std::string alpha = cell.split == Split::dirichlet ? fmt::format("alpha = {:g}\n", AutoPlan::alpha) : "";
  return fmt::format("[problem]\nkind = \"logistic\"\ndata = {}\n{}l2 = {}\nreference = \"none\"\n\n"
                     "[federation]\nclients = {}\nsplit = \"{}\"\n{}\n"
                     "[[method]]\nname = \"newton-cg\"\n\n[stop]\ngrad_norm = {:g}\n",
                     toml_string(cell.data), classes_text(cell.data), weight, cell.clients, enum_name(cell.split),
                     alpha, AutoPlan::target);
}

bool forms_matrices(const MethodEntry& entry) {
  std::atomic<bool> asked = false;
  ClientObjectives clients;
  for (const double center : {0.0, 1.0})
    clients.push_back(std::make_unique<ClientObjectiveOf<WatchedQuadratic>>(WatchedQuadratic{center, &asked}));
  const Constants constants{.clients = 2,
                            .L = 1,
                            .L_f = 1,
                            .mu = 1,
                            .mu_f = 1,
                            .delta_A = 1,
                            .delta_A_up = 1,
                            .delta_B = 1,
                            .delta_1 = 1,
                            .L_sample = 1};
  const std::vector<TunedSetting> settings = default_settings(entry, constants, clients.size());
  if (settings.empty()) return false;
  InProcessTransport transport(clients.size());
  ThreadPool pool(1);
  Federation fed(clients, transport, pool, 1);
  const std::unique_ptr<Method> method = entry.make(settings.front().settings);
  Vector x = Vector::Zero(WatchedQuadratic::dim());
  method->start(fed, x);
  for (int round = 0; round < 2 && !asked; ++round) {
    fed.begin_round();
    method->round(fed, x);
  }
  return asked;
}

}  // namespace driftless
