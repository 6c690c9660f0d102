#include "tests/network/faults/campaign_case.hpp"

#include "driftless/core/random.hpp"

#include <fstream>
#include <set>

namespace driftless {
namespace {

std::string method_table(const std::string& name) {
  const std::string options = name == "gd" ? "step = 0.5\n" : "step = 0.1\nlocal_steps = 2\n";
  return "[[method]]\nname = \"" + name + "\"\n" + options;
}

std::string rest_of_config(const CampaignCase& c) {
  std::string text;
  for (const std::string& label : c.labels()) text += method_table(label);
  const std::string seconds = c.dim < 1'000'000 ? "0.05" : "0.5";
  return text + "[stop]\nrounds = " + std::to_string(c.rounds()) + "\n[output]\nsave_seconds = " + seconds + "\n";
}

// Without a reference optimum: its exchanges precede the run and are not disturbed.
constexpr const char* problem = "seed = 5\n[problem]\nkind = \"logistic\"\nreference = \"none\"\n";

}  // namespace

std::string CampaignCase::name() const {
  return "d = " + std::to_string(dim) + (several ? ", several methods" : ", one method") + (masked ? ", masked" : "");
}

std::vector<std::string> CampaignCase::labels() const {
  return several ? std::vector<std::string>{"gd", "scaffold", "fedavg"} : std::vector<std::string>{"scaffold"};
}

std::size_t CampaignCase::rounds() const {
  const std::size_t all = dim < 1000 ? 900 : dim < 1'000'000 ? 180 : 24;
  return all / labels().size();
}

std::uint64_t CampaignCase::journal_bytes() const {
  return dim < 1000 ? 32 << 10 : dim < 1'000'000 ? 2 << 20 : 24 << 20;
}

std::string CampaignCase::network_keys() const {
  return std::string("grace = 120\n") + (masked ? "secure_sum = true\n" : "");
}

std::string CampaignCase::config() const {
  return std::string(problem) + "data = \"sites\"\n[federation]\nclients = 3\nthreads = 1\n" + rest_of_config(*this);
}

std::string CampaignCase::config_of_one_process(const std::vector<std::filesystem::path>& files) const {
  std::string list;
  for (const std::filesystem::path& file : files) list += (list.empty() ? "\"" : ", \"") + file.string() + "\"";
  return std::string(problem) + "[federation]\nfiles = [" + list + "]\nthreads = 1\n" +
         (masked ? "sum = \"fixed\"\n" : "") + rest_of_config(*this);
}

std::vector<CampaignCase> all_campaign_cases() {
  std::vector<CampaignCase> cases;
  for (const std::size_t dim : {120, 20'000, 1'000'000})
    for (const bool several : {false, true})
      for (const bool masked : {false, true}) cases.push_back({.dim = dim, .several = several, .masked = masked});
  return cases;
}

void write_site_data(const std::filesystem::path& file, std::size_t dim, std::uint64_t seed) {
  constexpr int rows = 12;
  Stream chance(seed, Purpose::generator);
  std::ofstream text(file);
  for (int row = 0; row < rows; ++row) {
    std::set<std::size_t> columns{dim};
    while (columns.size() < 9) columns.insert(1 + chance.index(dim));
    text << (row % 2 == 0 ? "1" : "-1");
    for (const std::size_t column : columns) text << ' ' << column << ':' << chance.uniform(-1, 1);
    text << '\n';
  }
}

}  // namespace driftless
