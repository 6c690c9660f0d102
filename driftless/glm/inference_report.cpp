// The table of coefficients, as statisticians know it.
#include "driftless/console/text_table.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/distributions.hpp"
#include "driftless/glm/inference.hpp"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace driftless {
namespace {

std::string rounded(double value, int digits) { return std::isnan(value) ? "-" : number(value, digits); }

std::string probability_text(double p) {
  if (std::isnan(p)) return "-";
  return p < 1e-300 ? "<1e-300" : number(p, 3);
}

std::string what_is_modelled(const Inference& inference) {
  std::string text = fmt::format("{} model of {}", enum_name(inference.family.family), printable(inference.label));
  const std::vector<std::string>& classes = inference.classes;
  if (classes.size() == 2) text += fmt::format(", {} against {}", printable(classes[1]), printable(classes[0]));
  if (classes.size() > 2) text += fmt::format(", classes against {}", printable(classes[0]));
  text += fmt::format(": {} rows", inference.rows);
  if (inference.sites > 1) text += fmt::format(" of {} sites", inference.sites);
  return text;
}

std::string source_text(const Inference& inference, ErrorSource source) {
  switch (source) {
    case ErrorSource::model: return "Standard errors: inverse Fisher information of all sites";
    case ErrorSource::row: return "Standard errors: robust, a sandwich over rows (HC0)";
    case ErrorSource::site: break;
  }
  return fmt::format("Standard errors: robust, a sandwich over the {} sites", inference.sites);
}

std::string interval_text(const Inference& inference, ErrorSource source, double level) {
  const double degrees = inference.errors_of(source)->degrees;
  const std::string reference = std::isinf(degrees)
                                    ? "the normal distribution"
                                    : fmt::format("Student's t with {} degrees of freedom", number(degrees, 7));
  return fmt::format("Low and high: intervals of {} %, by {}", number(100.0 * level, 6), reference);
}

TextLines table_of(const Inference& inference, ErrorSource source, double level) {
  const std::string ratio = ratio_name(inference.family.family);
  TextLines lines{
      {"", "estimate", "std. error", std::isinf(inference.errors_of(source)->degrees) ? "z" : "t", "p", "low", "high"}};
  if (!ratio.empty()) lines.front().insert(lines.front().end(), {ratio, "low", "high"});
  for (const CoefficientLine& line : coefficient_lines(inference, source, level)) {
    lines.push_back({printable(line.name), rounded(line.estimate, 5), rounded(line.error, 5),
                     rounded(line.statistic, 4), probability_text(line.p), rounded(line.low, 5),
                     rounded(line.high, 5)});
    if (ratio.empty()) continue;
    for (const double value : {line.estimate, line.low, line.high}) lines.back().push_back(rounded(std::exp(value), 5));
  }
  return lines;
}

TextLines table_of_estimates(const Inference& inference) {
  TextLines lines{{"", "estimate"}};
  for (std::size_t k = 0; k < inference.names.size(); ++k)
    lines.push_back({printable(inference.names[k]), rounded(inference.estimate[static_cast<Index>(k)], 5)});
  return lines;
}

std::vector<std::string> facts_of(const Inference& inference) {
  std::vector<std::string> facts;
  if (!std::isnan(inference.deviance))
    facts.push_back(fmt::format("Deviance {} on {} degrees of freedom", number(inference.deviance, 7),
                                number(inference.degrees, 7)));
  if (!std::isnan(inference.null_deviance))
    facts.back() += fmt::format("; of the intercept alone {}", number(inference.null_deviance, 7));
  if (const double gain = inference.null_deviance - inference.deviance, degrees = inference.parameters - 1.0;
      gain > 0.0 && degrees > 0.0 && !inference.dispersion_estimated && !inference.penalized)
    facts.push_back(fmt::format("All coefficients but the intercept: chi-squared {} on {} degrees of freedom, p {}",
                                number(gain, 5), number(degrees, 7),
                                probability_text(chi_squared_tail(gain, degrees))));
  if (inference.dispersion_estimated)
    facts.push_back(fmt::format("Dispersion, estimated: {}", rounded(inference.dispersion, 5)));
  if (!std::isnan(inference.aic))
    facts.push_back(fmt::format("AIC {}, log-likelihood {}, {}parameters {}", number(inference.aic, 7),
                                number(inference.log_likelihood, 7), inference.penalized ? "effective " : "",
                                number(inference.parameters, 6)));
  return facts;
}

// What both forms say, in their order.
struct SummaryParts {
  std::string heading;
  TextLines table;
  std::vector<std::string> facts;
};

SummaryParts parts_of(const Inference& inference, const SummaryOptions& options) {
  SummaryParts parts{what_is_modelled(inference), {}, facts_of(inference)};
  const std::optional<ErrorSource> source = options.source ? options.source : inference.usual_errors();
  parts.table = source ? table_of(inference, *source, options.level) : table_of_estimates(inference);
  if (!source) return parts;
  parts.facts.insert(parts.facts.begin(),
                     {source_text(inference, *source), interval_text(inference, *source, options.level)});
  return parts;
}

std::string escaped(std::string_view cell) {
  std::string text;
  for (const char c : cell) text += c == '|' ? "\\|" : std::string(1, c);
  return text;
}

}  // namespace

std::string inference_text(const Inference& inference, const SummaryOptions& options) {
  constexpr std::size_t width = 100;
  const SummaryParts parts = parts_of(inference, options);
  std::string text = parts.heading + "\n\n" + aligned(parts.table) + "\n";
  for (const std::string& fact : parts.facts) text += fact + "\n";
  for (const std::string& note : inference.notes) {
    text += "\n";
    for (const std::string& line : wrapped("Note: " + printable(note, note.size()), width)) text += line + "\n";
  }
  return text;
}

std::string inference_markdown(const Inference& inference, const SummaryOptions& options) {
  const SummaryParts parts = parts_of(inference, options);
  std::string text = parts.heading + "\n\n";
  for (std::size_t line = 0; line < parts.table.size(); ++line) {
    text += "|";
    for (const std::string& cell : parts.table[line]) text += " " + escaped(cell) + " |";
    text += "\n";
    if (line > 0) continue;
    text += "|---|";
    for (std::size_t column = 1; column < parts.table.front().size(); ++column) text += "---:|";
    text += "\n";
  }
  text += "\n";
  for (const std::string& fact : parts.facts) text += "* " + fact + "\n";
  for (const std::string& note : inference.notes) text += "* " + printable(note, note.size()) + "\n";
  return text;
}

}  // namespace driftless
