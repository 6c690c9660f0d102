// driftless data generate quadratic | classification
#include "driftless/config/config_document.hpp"
#include "driftless/data/libsvm/libsvm_writer.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/problems/constants_json.hpp"

#include "apps/data/data_output.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Options of a generator as given on the command line: name and text.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

struct GenerateRequest {
  GivenOptions given;
  std::size_t seed = 1;
  std::string out;
  Format format = Format::text;
};

void set_given(auto& spec, const GivenOptions& given) {
  for (const auto& [name, text] : given)
    located(fmt::format("--{} {}", name, text), [&] { set_option(spec, name, parse_value(text)); });
}

void write_client(const fs::path& folder, const std::string& name, const DiagonalQuadratic& f) {
  write_npy(folder / (name + "-hessian.npy"), f.mean_curvature());
  write_npy(folder / (name + "-linear.npy"), f.linear());
}

void write_client(const fs::path& folder, const std::string& name, const RotatedQuadratic& f) {
  write_npy(folder / (name + "-hessian.npy"), f.mean().hessian());
  write_npy(folder / (name + "-linear.npy"), f.mean().linear());
}

// The mean matrix and the linear term of every client, f_i(x) = ½x'A_i x − c_i'x + const; a diagonal matrix as a
// vector.
void write_quadratic(const fs::path& folder, const QuadraticProblem& problem) {
  std::visit(
      [&](const auto& clients) {
        for (std::size_t i = 0; i < clients.size(); ++i)
          write_client(folder, "client-" + std::to_string(i), clients[i]);
      },
      problem.clients);
  write_npy(folder / "start.npy", problem.start);
  if (problem.minimizer) write_npy(folder / "minimizer.npy", *problem.minimizer);
  write_output_file(folder / "constants.json",
                    constants_file_text({.values = problem.constants, .exact = true, .at = "everywhere"}));
}

Json spec_json(const QuadraticSpec& spec) {
  Json json = Json::object();
  for (const auto& [key, value] : echo_options(spec)) json[key] = Json::parse(value, nullptr, false);
  return json;
}

ExitCode generate_quadratic(const GenerateRequest& request) {
  QuadraticSpec spec;
  spec.seed = request.seed;
  set_given(spec, request.given);
  const QuadraticProblem problem = driftless::generate_quadratic(spec);
  if (!request.out.empty()) {
    const fs::path folder = new_folder(request.out);
    write_to_flag(request.out, [&] { write_quadratic(folder, problem); });
  }
  const Constants& c = problem.constants;
  if (request.format == Format::json) {
    print_json({{"schema_version", 1},
                {"problem", spec_json(problem.spec)},
                {"constants", constants_json(c)},
                {"minimum", problem.minimum ? Json(*problem.minimum) : Json(nullptr)},
                {"directory", request.out}});
    return ExitCode::done;
  }
  for (const ConstantInfo& constant : constant_list) fmt::print("{:<12}{:.10g}\n", constant.name, c.*constant.member);
  if (problem.minimum) fmt::print("minimum     {}\n", number(*problem.minimum));
  if (!request.out.empty()) fmt::print("written to {}\n", request.out);
  return ExitCode::done;
}

ExitCode generate_classification(const GenerateRequest& request) {
  SparseClassificationSpec spec;
  set_given(spec, request.given);
  const Dataset data = driftless::generate_classification(spec, request.seed);
  write_to_flag(request.out, [&] { write_libsvm(request.out, data); });
  print_info(data, request.format);
  if (request.format == Format::text) fmt::print("written to {}\n", request.out);
  return ExitCode::done;
}

// One flag per field of the generator's table.
template <class Spec>
void add_generator(CLI::App& generate, const std::string& name, const std::string& help, const std::string& example,
                   bool out_required, const std::string& out_help, ExitCode (*make)(const GenerateRequest&),
                   Action& action) {
  CLI::App* command = generate.add_subcommand(name, help);
  const auto request = std::make_shared<GenerateRequest>();
  for (const OptionInfo& option : describe_options<Spec>()) {
    if (option.name == "seed") continue;
    const std::string initial = option.initial.empty() ? "" : "; " + option.initial + " if not given";
    command
        ->add_option_function<std::string>(
            "--" + option.name,
            [request, key = option.name](const std::string& text) { request->given.emplace_back(key, text); },
            option.help + " (" + option.allowed + initial + ")")
        ->type_name("VALUE");
  }
  command->add_option("--seed", request->seed, "everything random follows from it; 1 if not given")->type_name("S");
  command->add_option("--out", request->out, out_help)->required(out_required)->type_name("PATH");
  add_format(*command, request->format);
  command->footer("Example:\n  " + example);
  command->callback([&action, request, make] { action = [request, make] { return make(*request); }; });
}

}  // namespace

void declare_data_generate(CLI::App& command, Action& action) {
  command.require_subcommand(0, 1);
  add_generator<QuadraticSpec>(command, "quadratic", "Quadratic clients with exact constants; prints them",
                               "driftless data generate quadratic --dim 100 --L 50 --delta 2", false,
                               "folder for matrices, linear terms, start and minimiser as NumPy files",
                               &generate_quadratic, action);
  add_generator<SparseClassificationSpec>(
      command, "classification", "Sparse rows of two classes as a LIBSVM file",
      "driftless data generate classification --rows 2000 --dim 300 --out train.svm", true, "the file to write",
      &generate_classification, action);
  command.footer("Example:\n  driftless data generate quadratic --dim 100");
}

}  // namespace driftless::app
