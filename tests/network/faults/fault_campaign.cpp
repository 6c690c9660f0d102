#include "tests/network/faults/fault_campaign.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/faults/fault_injector.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bad_runs = 20;  // each may take minutes

// How often each kind occurs in a deck, in the order of FaultKind.
constexpr std::array<std::size_t, fault_kinds> weights{4, 2, 2, 3, 3, 2, 2, 1, 3, 2, 2, 2, 3, 3, 3};

std::size_t faults_per_run(const CampaignCase& tested) {
  return tested.dim < 1000 ? 14 : tested.dim < 1'000'000 ? 11 : 7;
}

}  // namespace

FaultCampaign::FaultCampaign(CampaignOptions options)
    : options_(std::move(options)),
      chance_(options_.seed, Purpose::generator),
      silos_(options_.cases.front().config(), {"north", "south", "west"}, options_.cases.front().network_keys()),
      has_journal_bytes_(serve_knows("--journal-bytes")) {}

fs::path FaultCampaign::data_file(const CampaignCase& tested, const std::string& site, const std::string& data) const {
  return silos_.folder() / (site + "-" + std::to_string(tested.dim) + "-" + data + ".svm");
}

void FaultCampaign::set_data(const CampaignCase& tested, const std::string& data) {
  std::uint64_t seed = data == "own" ? 1 : 100;
  for (const std::string& site : silos_.sites()) {
    const fs::path file = data_file(tested, site, data);
    if (!fs::exists(file)) write_site_data(file, tested.dim, seed);
    silos_.set_options(site, {"--data", file.string(), "--wait", "120", "--grace", "120"});
    ++seed;
  }
}

void FaultCampaign::prepare(const CampaignCase& tested) {
  silos_.set_network_keys(tested.network_keys());
  silos_.set_config(tested.config());
  std::vector<std::string> options{"--wait", "120"};
  if (has_journal_bytes_) options.insert(options.end(), {"--journal-bytes", std::to_string(tested.journal_bytes())});
  silos_.set_options("server", options);
  set_data(tested, "own");
}

const std::map<std::string, std::string>& FaultCampaign::undisturbed(const CampaignCase& tested) {
  std::map<std::string, std::string>& bits = bits_[tested.name()];
  if (!bits.empty()) return bits;
  std::vector<fs::path> files;
  for (const std::string& site : silos_.sites()) files.push_back(data_file(tested, site, "own"));
  silos_.folder().write("alone.toml", tested.config_of_one_process(files));
  const ProgramResult result =
      run_program({.arguments = {"run", "alone.toml", "--out", "alone"}, .folder = silos_.folder().path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const std::string& label : tested.labels()) bits[label] = fingerprint(silos_.folder() / "alone", label);
  fs::remove_all(silos_.folder() / "alone");
  return bits;
}

const OtherRun& FaultCampaign::other_run(const CampaignCase& tested) {
  OtherRun& other = others_[tested.name()];
  if (!other.copies.empty()) return other;
  prepare(tested);
  set_data(tested, "other");
  Supervisor supervisor(silos_, tested);
  supervisor.start();
  for (std::size_t method = 0; method < tested.labels().size(); ++method) {
    const std::size_t half = method * (tested.rounds() + 1) + tested.rounds() / 2;
    if (!supervisor.advance([&] { return supervisor.progress() >= half; })) break;
    for (const std::string& who : silos_.peers()) supervisor.kill(who);
    const fs::path copy =
        silos_.folder() /
        ("other-" + std::to_string(tested.dim) + (tested.several ? "s" : "") + (tested.masked ? "m" : "")) /
        std::to_string(method);
    for (const std::string& who : silos_.peers()) {
      fs::create_directories(copy / who);
      fs::copy(silos_.home(who) / "run", copy / who / "run", fs::copy_options::recursive);
    }
    other.copies.push_back(copy);
    supervisor.start_missing();
  }
  silos_.forget_run();
  return other;
}

std::vector<std::pair<std::size_t, FaultKind>> FaultCampaign::draw_faults(const CampaignCase& tested) {
  std::vector<std::pair<std::size_t, FaultKind>> faults;
  for (std::size_t i = 0; i < faults_per_run(tested); ++i) {
    if (deck_.empty()) {
      for (std::size_t kind = 0; kind < fault_kinds; ++kind)
        deck_.insert(deck_.end(), weights[kind], static_cast<FaultKind>(kind));
      chance_.shuffle(std::span<FaultKind>(deck_));
    }
    const FaultKind kind = deck_.back();
    deck_.pop_back();
    const std::size_t late = tested.rows() - 1 - chance_.index(3);
    faults.emplace_back(kind == FaultKind::kill_late ? late : chance_.index(tested.rows() - 3), kind);
  }
  std::ranges::sort(faults);
  return faults;
}

CampaignRecord FaultCampaign::run_one(const CampaignCase& tested) {
  CampaignRecord record{.tested = tested};
  const std::vector<std::pair<std::size_t, FaultKind>> faults = draw_faults(tested);
  const bool swaps = std::ranges::any_of(faults, [](const auto& f) { return f.second == FaultKind::swap; });
  const OtherRun other = swaps ? other_run(tested) : OtherRun{};
  prepare(tested);
  undisturbed(tested);
  const auto start = std::chrono::steady_clock::now();
  Supervisor supervisor(silos_, tested);
  FaultInjector injector(silos_, supervisor, other, chance_, options_.longest_stop);
  supervisor.start();
  for (const auto& [row, kind] : faults) {
    if (!supervisor.advance([&] { return supervisor.progress() >= row; })) break;
    record.history +=
        "  row " + std::to_string(row) + ": " + std::string(fault_names[static_cast<std::size_t>(kind)]) + "\n";
    if (injector.inject(kind, record)) ++record.faults[static_cast<std::size_t>(kind)];
  }
  supervisor.advance([] { return false; });
  if (!supervisor.failed()) compare_bits(tested, supervisor);
  record.verdict = supervisor.verdict();
  record.reason = supervisor.reason();
  record.surprises = supervisor.surprises();
  record.journal_files = supervisor.journal_files();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  silos_.forget_run();
  return record;
}

void FaultCampaign::compare_bits(const CampaignCase& tested, Supervisor& supervisor) {
  for (const auto& [label, bits] : undisturbed(tested))
    for (const std::string& who : silos_.peers())
      if (fingerprint(silos_.results(who), label) != bits)
        supervisor.fail(CampaignVerdict::wrong, who + " has other bits for " + label);
}

void FaultCampaign::run() {
  std::size_t injected = 0;
  std::size_t bad = 0;
  while (injected < options_.faults && bad < most_bad_runs) {
    const CampaignCase& tested = options_.cases[records_.size() % options_.cases.size()];
    records_.push_back(run_one(tested));
    const CampaignRecord& record = records_.back();
    const std::size_t faults = std::accumulate(record.faults.begin(), record.faults.end(), std::size_t{0});
    injected += faults;
    bad += record.verdict == CampaignVerdict::right ? 0 : 1;
    std::printf("run %zu, %s: %zu faults, %s, %zu journal files, %.1f s\n", records_.size(), tested.name().c_str(),
                faults, std::string(verdict_names[static_cast<std::size_t>(record.verdict)]).c_str(),
                record.journal_files, record.seconds);
    if (record.verdict != CampaignVerdict::right)
      std::printf("%s\nafter\n%s", record.reason.c_str(), record.history.c_str());
    for (const std::string& surprise : record.surprises) std::printf("unexpected: %s\n", surprise.c_str());
    std::fflush(stdout);
  }
}

}  // namespace driftless
