#include "driftless/problems/problem_config.hpp"

#include "driftless/data/find_data.hpp"
#include "driftless/config/config_table.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse(const ConfigTable& table, std::string_view key, const std::string& what,
                         const std::string& advice) {
  const ConfigKey* found = table.find(key);
  throw ConfigError(
      {.what = what, .seen = found != nullptr ? found->place + ": " + shown(*found) : table.place, .advice = advice});
}

ProblemKind read_kind(const ConfigTable& table) {
  const ConfigKey* key = table.find("kind");
  if (key == nullptr)
    throw ConfigError({.what = "the problem has no 'kind'",
                       .seen = table.place + ": [problem]",
                       .advice = "give kind = " + OptionType<ProblemKind>::allowed()});
  return located(key->place, [&] {
    ProblemKeys keys;
    set_if_known(keys, *key);
    return keys.kind.value_or(ProblemKind::quadratic);
  });
}

std::size_t required_clients(const FederationConfig& federation) {
  if (federation.clients) return *federation.clients;
  throw ConfigError({.what = "'clients' is required and has no default (n, number of clients)",
                     .seen = federation.place + ": [federation]",
                     .advice = "give clients = 5, or one file per client in 'files'"});
}

void read_quadratic(const ConfigTable& table, const FederationConfig& federation, ProblemKeys& keys,
                    ProblemConfig& problem) {
  if (table.find("clients") != nullptr)
    refuse(table, "clients", "'clients' stands in the table [federation]", "move it there");
  if (!federation.files.empty() || federation.split || federation.alpha)
    throw ConfigError(
        {.what = "quadratic problems are generated client by client: there is nothing to split and no file to read",
         .seen = federation.place + ": [federation] has files, split or alpha",
         .advice = R"(remove them, or use kind = "logistic" or "least-squares")"});
  QuadraticKeys quadratic;
  quadratic.clients = required_clients(federation);
  read_table(table, keys, quadratic);
  quadratic.seed = problem.seed = keys.seed.value_or(problem.seed);
  problem.x0 = keys.x0.value_or(StartPoint{});
  problem.details = located(table, [&] { return resolved(quadratic); });
}

void match_files(const ConfigTable& table, FederationConfig& federation) {
  if (table.find("data") != nullptr)
    refuse(table, "data", "data comes from 'data' or from federation.files, not from both", "remove one of them");
  if (federation.split || federation.alpha)
    throw ConfigError({.what = "one file per client leaves nothing to split",
                       .seen = federation.place + ": [federation] has files and split or alpha",
                       .advice = "remove 'split' and 'alpha', or give one file in problem.data"});
  if (federation.clients && *federation.clients != federation.files.size())
    throw ConfigError({.what = "the number of clients is not the number of files",
                       .seen = federation.place + ": clients = " + std::to_string(*federation.clients) + ", " +
                               std::to_string(federation.files.size()) + " files",
                       .advice = "leave 'clients' out: files settle it"});
  federation.clients = federation.files.size();
}

LinearProblem read_source(const ConfigTable& table, bool from_files, ProblemKeys& keys) {
  LinearProblem linear;
  const ConfigKey* data = table.find("data");
  if (!from_files && data == nullptr)
    throw ConfigError(
        {.what = "'data' is required and has no default (a path, the name of known data, or \"generated\")",
         .seen = table.place + ": [problem]",
         .advice = R"(give data = "generated", data = "file.svm", or federation.files)"});
  if (data != nullptr && data->value == OptionValue(std::string("generated"))) {
    read_table(table, keys, linear.keys, linear.source.emplace<SparseClassificationSpec>());
  } else {
    read_table(table, keys, linear.keys, linear.source.emplace<FileKeys>());
  }
  return linear;
}

void read_linear(const ConfigTable& table, FederationConfig& federation, ProblemKeys& keys, ProblemConfig& problem) {
  const bool from_files = !federation.files.empty();
  if (from_files) match_files(table, federation);
  federation.clients = required_clients(federation);
  LinearProblem linear = read_source(table, from_files, keys);
  problem.seed = keys.seed.value_or(problem.seed);
  problem.x0 = keys.x0.value_or(StartPoint{.entry = 0.0});
  if (problem.x0.generators_own())
    refuse(table, "x0", "data has no start of its own", "give x0 = 0, another number, or the path of a .npy file");
  if (problem.kind == ProblemKind::least_squares && table.find("positive_label") != nullptr)
    refuse(table, "positive_label", "'positive_label' has no meaning for least squares, whose labels are numbers",
           "remove it");
  if (linear.from_sites() && (federation.split || federation.alpha))
    throw ConfigError({.what = "where every site brings its own data there is nothing to split",
                       .seen = federation.place + ": [federation] has split or alpha",
                       .advice = "remove them, or give one file in problem.data"});
  if (!federation.split && !from_files && !linear.from_sites()) federation.split = Split::iid;
  problem.details = std::move(linear);
}

void read_net(const ConfigTable& table, FederationConfig& federation, ProblemKeys& keys, ProblemConfig& problem) {
  if (!federation.files.empty())
    throw ConfigError({.what = "images are read from one place and divided among the clients",
                       .seen = federation.place + ": [federation] has files",
                       .advice = "remove 'files', and say how to divide with 'split'"});
  federation.clients = required_clients(federation);
  if (!federation.split) federation.split = Split::iid;
  NetSpec net;
  read_table(table, keys, net);
  if (net.model.empty())
    throw ConfigError({.what = "'model' is required and has no default",
                       .seen = table.place + ": [problem]",
                       .advice = R"(give model = "softmax", "mlp", "cnn", "resnet18", or a TorchScript file (.pt))"});
  problem.seed = keys.seed.value_or(problem.seed);
  problem.x0 = keys.x0.value_or(StartPoint{});
  problem.details = std::move(net);
}

std::string absolute_path(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

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

bool OptionType<L2Weight>::read(const OptionValue& value, L2Weight& out) {
  double weight = 0.0;
  if (OptionType<double>::read(value, weight)) {
    out.value = weight;
    return weight >= 0.0;
  }
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == "1/M";
}

bool ProblemConfig::may_have_reference() const {
  if (reference == ReferenceChoice::none || std::holds_alternative<NetSpec>(details)) return false;
  const auto* quadratic = std::get_if<QuadraticSpec>(&details);
  return quadratic == nullptr || quadratic->beta.value_or(0.0) == 0.0;
}

SplitOptions FederationConfig::split_options() const {
  return {.clients = clients.value_or(1), .split = split.value_or(Split::iid), .alpha = alpha.value_or(1.0)};
}

FederationConfig read_federation(const ConfigTable& table) {
  FederationConfig federation;
  federation.place = table.place;
  read_table(table, federation);
  return federation;
}

ProblemConfig read_problem(const ConfigTable& table, FederationConfig& federation, std::size_t seed) {
  ProblemConfig problem{.kind = read_kind(table), .seed = seed, .place = table.place};
  ProblemKeys keys;
  if (problem.kind == ProblemKind::quadratic) read_quadratic(table, federation, keys, problem);
  else if (problem.kind == ProblemKind::torch) read_net(table, federation, keys, problem);
  else read_linear(table, federation, keys, problem);
  problem.reference = keys.reference;
  return problem;
}

void resolve_paths(ProblemConfig& problem, FederationConfig& federation) {
  if (!problem.x0.file.empty()) problem.x0.file = absolute_path(problem.x0.file);
  for (std::string& file : federation.files)
    file = located(federation.place, [&] { return absolute_path(find_data(file)); });
  if (auto* net = std::get_if<NetSpec>(&problem.details)) {
    if (net->is_file()) net->model = located(problem.place, [&] { return absolute_path(find_data(net->model)); });
    if (std::filesystem::is_directory(net->data)) net->data = absolute_path(net->data);
  }
  auto* linear = std::get_if<LinearProblem>(&problem.details);
  if (linear == nullptr || linear->generated() || linear->keys.data.empty() || linear->from_sites()) return;
  linear->keys.data = located(problem.place, [&] { return absolute_path(find_data(linear->keys.data)); });
}

std::string problem_text(const ProblemConfig& problem) {
  const ProblemKeys keys{.kind = problem.kind, .x0 = problem.x0, .reference = problem.reference, .seed = problem.seed};
  std::string text = "[problem]\n" + toml_lines(echo_options(keys));
  if (const auto* spec = std::get_if<QuadraticSpec>(&problem.details)) {
    QuadraticKeys quadratic;
    static_cast<QuadraticSpec&>(quadratic) = *spec;
    return text + toml_lines(echo_options(quadratic));
  }
  if (const auto* net = std::get_if<NetSpec>(&problem.details)) return text + toml_lines(echo_options(*net));
  const auto& linear = std::get<LinearProblem>(problem.details);
  text += toml_lines(echo_options(linear.keys));
  return text + std::visit([](const auto& source) { return toml_lines(echo_options(source)); }, linear.source);
}

std::string federation_text(const FederationConfig& federation) {
  FederationConfig shown = federation;
  const bool divided = shown.split.has_value();
  if (!divided || !uses_alpha(shown.split_options().split)) shown.alpha.reset();
  else shown.alpha = shown.split_options().alpha;
  return "[federation]\n" + toml_lines(echo_options(shown));
}

std::size_t ProblemSetup::clients() const {
  const auto* quadratic = std::get_if<QuadraticSpec>(&problem.details);
  return quadratic != nullptr ? quadratic->clients : federation.clients.value_or(1);
}

}  // namespace driftless
