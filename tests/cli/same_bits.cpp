#include "tests/cli/same_bits.hpp"

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

namespace driftless {

std::vector<std::string> all_method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog()) names.push_back(entry.name);
  return names;
}

std::string quadratic_config(const std::vector<std::string>& methods) {
  std::string text = "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"rotated\"\ndim = 30\nsamples = "
                     "8\n[federation]\nclients = 7\n";
  for (const std::string& name : methods) {
    text += "[[method]]\nname = " + toml_string(name) + "\noutput = \"best\"\n";
    for (const auto& [key, value] : find_method(name).demo) text += key + " = " + to_text(value) + "\n";
  }
  return text + "[stop]\nrounds = 8\n";
}

std::string logistic_config() {
  return R"(
seed = 3
[problem]
kind = "logistic"
data = "generated"
rows = 300
dim = 40
nonzeros_per_row = 6
intercept = true
[federation]
clients = 6
split = "dirichlet"
alpha = 0.5
[[method]]
name = "fedred-sgd"
output = "weighted"
lambda = 0.05
eta = 2
p = 0.2
batch = 4
[[method]]
name = "dane+"
output = "best-gradient"
lambda = 0.1
solver = "newton-cg"
stop_rule = "absolute"
[stop]
rounds = 8
)";
}

std::vector<std::string> robust_method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog())
    if (entry.takes_robust_means) names.push_back(entry.name);
  return names;
}

std::string robust_config(const std::string& line) {
  std::string text = quadratic_config(robust_method_names());
  return text.insert(text.find("[[method]]"), line + "\n");
}

std::string fingerprint(const std::filesystem::path& run, const std::string& label) {
  return without_column(read_csv(run / label / "metrics.csv"), "wall_s") + TempFolder::read(run / label / "model.npy") +
         TempFolder::read(run / label / "output.npy");
}

}  // namespace driftless
