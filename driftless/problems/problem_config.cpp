#include "driftless/problems/problem_config.hpp"

#include "driftless/data/find_data.hpp"

namespace driftless {

bool OptionType<StartPoint>::read(const OptionValue& value, StartPoint& out) {
  out = {};
  double entry = 0.0;
  if (OptionType<double>::read(value, entry)) {
    out.entry = entry;
    return true;
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  if (text->ends_with(".npy")) out.file = *text;
  return *text == "generator" || !out.file.empty();
}

std::string OptionType<StartPoint>::write(const StartPoint& v) {
  return v.entry ? number(*v.entry) : toml_string(v.file.empty() ? "generator" : v.file);
}

bool ProblemConfig::may_have_reference() const {
  return reference != ReferenceChoice::none && spec->reference_source() != ReferenceSource::none;
}

std::string absolute_path(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

void resolve_paths(ProblemConfig& problem, FederationConfig& federation) {
  if (!problem.x0.file.empty()) problem.x0.file = absolute_path(problem.x0.file);
  for (std::string& file : federation.files)
    file = located(location_of(federation.source, "files"), [&] { return absolute_path(find_data(file)); });
  if (auto resolved = problem.spec->with_absolute_paths(problem.source)) problem.spec = std::move(resolved);
}

std::string problem_text(const ProblemConfig& problem) {
  const ProblemKeys shared{
      .kind = problem.kind, .x0 = problem.x0, .reference = problem.reference, .seed = problem.seed};
  return "[problem]\n" + toml_lines(echo_options(shared)) + toml_lines(problem.spec->echo());
}

}  // namespace driftless
