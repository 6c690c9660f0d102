#include "driftless/reproduce/figure1.hpp"

#include "driftless/files/output_file.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

// A [[method]] table, or three of them that differ in their seed.
std::string method_tables(const std::string& label, const std::string& name, const std::string& options, bool coins) {
  std::string text;
  for (int seed = 1; seed <= (coins ? 3 : 1); ++seed)
    text += fmt::format("\n[[method]]\nname  = \"{}\"\nlabel = \"{}{}\"\nseed  = {}\n{}", name, label,
                        coins ? fmt::format("-{}", seed) : "", seed, options);
  return text;
}

std::string problem_tables(const std::string& convexity) {
  return fmt::format(
      "# Figure 1, {0}: n = 5, m = 10, d = 1000, L = 100, delta_B = 5.\nseed = 1\n\n[problem]\nkind    = "
      "\"quadratic\"\nclass   = \"{0}\"\nsamples = 10\ndim     = 1000\n\n[federation]\nclients = 5\n",
      convexity);
}

// Every method takes steps of length 1/L = 1/100. Theory: λ = 2δ_A for DANE+-GD, and λ = δ_A, p = (λ + μ/2)/(η − μ/2)
// for FedRed-GD. "practice" is the paper's rule λ = p η with p = 0.05. The others are smaller λ and p, the best of
// those tried.
std::string convex_methods(const std::string& mu, const std::string& p_theory) {
  const auto dane = [&](const std::string& label, const std::string& lambda) {
    return method_tables(label, "dane+-gd", fmt::format("lambda = {}\neta = 100\nmu = {}\n", lambda, mu), false);
  };
  const auto fedred = [&](const std::string& label, const std::string& lambda, const std::string& p) {
    return method_tables(label, "fedred-gd", fmt::format("lambda = {}\neta = 100\np = {}\n", lambda, p), true);
  };
  return method_tables("gd", "gd", "step = 0.01\n", false) + dane("dane+-gd-theory", "8.94427191") +
         dane("dane+-gd-delta", "5") + dane("dane+-gd-half-delta", "2.5") +
         fedred("fedred-gd-theory", "4.472135955", p_theory) + fedred("fedred-gd-p0.05", "5", "0.05") +
         fedred("fedred-gd-small", "1", "0.03");
}

// L = 100 + 2β = 900 with the bounded term, so steps of 1/900.
std::string non_convex_methods() {
  const auto dane = [&](const std::string& label, const std::string& lambda, const std::string& averaging) {
    return method_tables(label, "dane+-gd",
                         fmt::format("lambda = {}\neta = 900\nstop_rule = \"min-gradient\"\nlocal_steps = 200\n"
                                     "averaging = \"{}\"\n",
                                     lambda, averaging),
                         averaging == "random");
  };
  const auto fedred = [&](const std::string& label, const std::string& options) {
    return method_tables(label, "fedred-gd", options, true);
  };
  return method_tables("gd", "gd", "step = 0.0011111111111111111\n", false) + dane("dane+-gd-theory", "10", "random") +
         dane("dane+-gd-mean", "10", "mean") +
         fedred("fedred-gd-theory", "lambda = 5\neta = 5400\np = 0.0055555555555555558\naveraging = \"random\"\n") +
         fedred("fedred-gd-p0.05", "lambda = 45\neta = 900\np = 0.05\n") +
         fedred("fedred-gd-small", "lambda = 5\neta = 900\np = 0.0055555555555555558\n");
}

struct Case {
  std::string name;
  std::string config;
  double part;
};

// 1e-10 of the first gap; 1e-6 where small curvatures make the rate 1/ε; 1e-6 of the first gradient norm where the
// optimum is not known.
std::array<Case, 3> cases() {
  return {
      {{"strongly-convex",
        problem_tables("strongly-convex") + convex_methods("1", "0.0499711") +
            "\n[stop]\nrounds = 2000\ngap = 1e-4    # below 1e-10 of the first gap\n",
        1e-10},
       {"convex",
        problem_tables("convex") + convex_methods("0", "0.04472135955") +
            "\n[stop]\nrounds = 8000\ngap = 5        # below 1e-6 of the first gap\n",
        1e-6},
       {"non-convex",
        problem_tables("non-convex") + non_convex_methods() + "\n[stop]\nrounds = 20000\ngrad_norm = 1e-3\n", 1e-6}}};
}

std::string count(double value) { return value < 0.0 ? "–" : fmt::format("{:.0f}", value); }
std::string ratio(std::optional<double> value) { return value ? fmt::format("{:.1f}", *value) : "–"; }

void add_lines(const Case& c, const std::vector<Variant>& variants, Figure1& figure) {
  const Spent gd = spent_until(variants.front(), c.part);
  for (const Variant& variant : variants) {
    const Spent spent = spent_until(variant, c.part);
    Figure1Line line{.problem = c.name, .variant = variant.label, .part = c.part, .spent = spent};
    if (gd.reached() && spent.reached()) {
      line.rounds_of_gd = gd.rounds / spent.rounds;
      line.gradients_of_gd = spent.gradients / gd.gradients;
    }
    figure.lines.push_back(std::move(line));
  }
}

}  // namespace

Figure1 reproduce_figure1(const StudyOptions& options) {
  std::filesystem::create_directories(options.out);
  Figure1 figure;
  for (const Case& c : cases()) {
    if (options.stop_token.stop_requested()) return figure;
    const Experiment experiment = run_case(c.name, c.config, options);
    const std::vector<Variant> variants = variants_of(experiment.record.outcomes);
    if (variants.empty()) return figure;
    add_lines(c, variants, figure);
    write_output_file(options.out / ("figure1-" + c.name + ".svg"),
                      figure_svg(progress_panels(c.name, variants, 0.1 * c.part)));
  }
  figure.complete = !options.stop_token.stop_requested();
  write_output_file(options.out / "figure1.md", figure1_markdown(figure));
  return figure;
}

std::string figure1_markdown(const Figure1& figure) {
  std::string text =
      "# Figure 1\n\nThe paper reports, for n = 5, m = 10, d = 1000, L = 100 and delta about 5: DANE+-GD and FedRed-GD "
      "need about 20 "
      "times fewer rounds than GD, and the gradients of FedRed-GD are of the scale of GD's.\n\nIt leaves open how the "
      "matrices, the linear terms and the start are drawn, the stopping rule of DANE+-GD, and lambda. Here: the "
      "generator "
      "R2 with exact constants, the e_r rule (non-convex: the best of 200 steps), and the lambda named in the "
      "configurations beside this file. One round of DANE+ or FedRed costs two exchanges.\n\n"
      "| problem | method | to | rounds | exchanges | gradients | times fewer rounds than gd | gradients / gd |\n"
      "|---|---|---:|---:|---:|---:|---:|---:|\n";
  for (const Figure1Line& line : figure.lines)
    text += fmt::format("| {} | {} | {:.0e} | {} | {} | {} | {} | {} |\n", line.problem, line.variant, line.part,
                        count(line.spent.rounds), count(line.spent.exchanges), count(line.spent.gradients),
                        ratio(line.rounds_of_gd), ratio(line.gradients_of_gd));
  return text;
}

std::string figure1_json(const Figure1& figure) {
  using Json = nlohmann::ordered_json;
  Json lines = Json::array();
  const auto known = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  for (const Figure1Line& line : figure.lines)
    lines.push_back({{"problem", line.problem},
                     {"method", line.variant},
                     {"part", line.part},
                     {"reached", line.spent.reached()},
                     {"rounds", line.spent.rounds},
                     {"exchanges", line.spent.exchanges},
                     {"gradients", line.spent.gradients},
                     {"times_fewer_rounds_than_gd", known(line.rounds_of_gd)},
                     {"gradients_of_gd", known(line.gradients_of_gd)}});
  return Json{{"schema_version", 1}, {"complete", figure.complete}, {"lines", std::move(lines)}}.dump(2) + "\n";
}

}  // namespace driftless
