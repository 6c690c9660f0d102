#include "tests/network/table_silos.hpp"

#include "driftless/core/random.hpp"
#include "driftless/core/text.hpp"

#include <array>
#include <numeric>

namespace driftless {
namespace {

const std::vector<std::string>& three_sites() {
  static const std::vector<std::string> names{"north", "south", "west"};
  return names;
}

std::size_t clients_of(const TablePipeline& pipeline) {
  return std::accumulate(pipeline.hosts.begin(), pipeline.hosts.end(), std::size_t{0});
}

std::string frame(const TablePipeline& pipeline, const std::string& data, const std::string& federation) {
  return "seed = 3\n[problem]\nkind = \"glm\"\n" + data + "schema = '''\n" + table_schema(pipeline.label) + "'''\n" +
         pipeline.problem + "[federation]\n" + federation + "threads = 1\n" + pipeline.methods;
}

std::string of_sites(const TablePipeline& pipeline) {
  return frame(pipeline, "data = \"sites\"\n", "clients = " + std::to_string(clients_of(pipeline)) + "\n");
}

std::string hosts_line(const TablePipeline& pipeline) {
  std::vector<std::string> counts;
  for (const std::size_t count : pipeline.hosts) counts.push_back(std::to_string(count));
  return "hosts = [" + join(counts) + "]\n";
}

}  // namespace

std::string table_schema(const std::string& label) {
  return "[[column]]\nname = \"id\"\nrole = \"id\"\n"
         "[[column]]\nname = \"age\"\nrole = \"numeric\"\n"
         "[[column]]\nname = \"sex\"\nrole = \"categorical\"\nlevels = [\"F\", \"M\"]\n"
         "[[column]]\nname = \"dose\"\nrole = \"numeric\"\nmissing = \"drop\"\n"
         "[[column]]\nname = \"ward\"\nrole = \"categorical\"\n"
         "[[column]]\nname = \"stage\"\nrole = \"ordinal\"\nlevels = [\"I\", \"II\", \"III\"]\n"
         "[[column]]\nname = \"visits\"\nrole = \"" +
         std::string(label == "visits" ? "label" : "ignored") + "\"\n[[column]]\nname = \"outcome\"\nrole = \"" +
         (label == "visits" ? "ignored" : "label") + "\"\n";
}

std::string small_table(std::uint64_t seed, std::size_t rows) {
  constexpr std::array wards{"general", "surgery", "oncology", "cardiology"};
  constexpr std::array stages{"I", "II", "III", ""};
  constexpr std::array outcomes{"better", "same", "worse"};
  Stream chance(seed, Purpose::generator);
  std::string text = "id,age,sex,dose,ward,stage,visits,outcome\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t age = 20 + chance.index(60);
    const std::size_t ward = chance.index(2 + seed % 3);
    const std::size_t sick = chance.index(60) + age;
    text += std::to_string(row) + "," + (chance.index(12) == 0 ? "" : std::to_string(age)) + "," +
            (chance.index(2) == 0 ? "F" : "M") + "," +
            (chance.index(15) == 0 ? "NA" : number(0.25 * static_cast<double>(chance.index(40)))) + "," +
            wards.at(ward) + "," + stages.at(chance.index(stages.size())) + "," + std::to_string(sick / 30) + "," +
            outcomes.at(sick < 65   ? 0
                        : sick < 95 ? 1
                                    : 2) +
            "\n";
  }
  return text;
}

TableSilos::TableSilos(const TablePipeline& pipeline, std::size_t rows, const std::string& network_keys)
    : label_(pipeline.methods.empty() ? "auto" : "newton-cg"),
      silos_(of_sites(pipeline), three_sites(), hosts_line(pipeline) + network_keys) {
  std::vector<std::string> files;
  for (std::size_t site = 0; site < three_sites().size(); ++site) {
    std::vector<std::string> options;
    for (std::size_t k = 0; k < pipeline.hosts[site]; ++k) {
      const std::string name = "table-" + std::to_string(k) + ".csv";
      const std::uint64_t seed = files.size() + 1;
      files.push_back("'" + silos_.folder().write(three_sites()[site] + "/" + name, small_table(seed, rows)).string() +
                      "'");
      options.insert(options.end(), {"--data", name});
    }
    silos_.set_options(three_sites()[site], options);
  }
  silos_.folder().write("together.toml", frame(pipeline, "", "files = [" + join(files) + "]\n"));
}

std::string TableSilos::bits_alone(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", "together.toml", "--out", "alone"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = run_program({.arguments = arguments, .folder = silos_.folder().path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return table_files(silos_.folder() / "alone", label_);
}

std::string TableSilos::bits_at(const std::string& who) const { return table_files(silos_.results(who), label_); }

std::string TableSilos::fault(const std::string& bits) {
  constexpr double patience = 90;
  for (const std::string& who : silos_.peers()) {
    const std::optional<ProgramResult> result = silos_.wait_for(who, patience);
    if (!result) return who + " hangs\n" + silos_.standard_error_of(who);
    if (result->exit_code != 0) return who + " ended with " + std::to_string(result->exit_code) + "\n" + result->err;
    if (bits_at(who) != bits) return who + " has other bits";
  }
  return "";
}

}  // namespace driftless
