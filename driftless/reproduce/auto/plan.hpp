// The study behind docs/auto.md: its cells, its methods, and what each of them may spend.
#pragma once

#include "driftless/data/partition.hpp"
#include "driftless/methods/catalog.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class AutoWeight { one_over_rows, thousandth };  // of ½‖x‖²
template <>
struct EnumNames<AutoWeight> {
  static constexpr std::array<std::string_view, 2> value{"1/M", "1e-3"};
};

// `auto` is developed on half of the sets; the claims on the other half are reported apart.
enum class AutoHalf { development, report };
template <>
struct EnumNames<AutoHalf> {
  static constexpr std::array<std::string_view, 2> value{"development", "report"};
};

// One problem: logistic regression on a public set, divided in one way.
struct AutoCell {
  std::string data;
  std::size_t clients = 5;
  Split split = Split::iid;
  AutoWeight weight = AutoWeight::thousandth;

  std::string name() const;  // "w8a, n = 142, dirichlet 0.5, l2 = 1/M"
  AutoHalf half() const;
  bool operator==(const AutoCell&) const = default;
};

// What every method may spend in a cell: the same for all, and counted in what does not depend on the machine.
struct AutoBudget {
  std::size_t exchanges = 300;    // of one setting
  std::size_t gradients = 15000;  // evaluations of the busiest client, of all settings of a method together
  std::size_t least_gradients = 600;
  double numbers = 4e9;           // read by those evaluations, over all clients: fewer evaluations where data is large
  double seconds = 60.0;          // of the processor, as a safety net; a method that it stops is marked
  std::size_t matrix_dim = 2500;  // methods that form d × d matrices are left out above it, but not `auto`

  // Of the busiest client: from `least_gradients` to `gradients`, so that all clients together read about `numbers`.
  std::size_t gradients_for(std::size_t entries, std::size_t dim, std::size_t clients) const;
};

struct AutoPlan {
  static constexpr const char* subject = "auto";  // the method in question
  static constexpr double target = 1e-9;          // ‖∇f(x)‖
  static constexpr double alpha = 0.5;            // of the Dirichlet split

  std::vector<std::string> sets;  // names of public data, or files
  std::vector<std::size_t> clients{5, 142};
  std::vector<Split> splits{Split::iid, Split::dirichlet};
  std::vector<AutoWeight> weights{AutoWeight::one_over_rows, AutoWeight::thousandth};
  std::vector<std::string> methods = {};  // empty: all
  AutoBudget budget = {};

  std::vector<AutoCell> cells() const;
  // Those of the plan, else every method of the catalogue that reaches the minimiser. ConfigError for unknown names.
  std::vector<const MethodEntry*> entries() const;
};

// Sorted by name; the second, fourth, … are for development.
std::vector<std::string> auto_sets();
// Two small sets, five clients.
AutoPlan quick_auto_plan();

std::string config_text(const AutoCell& cell);  // that `driftless run` takes

// Whether the method asks clients for their whole Hessians; found out by two rounds on two clients.
bool forms_matrices(const MethodEntry& entry);

}  // namespace driftless
