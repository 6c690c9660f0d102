#include "driftless/bench/bench.hpp"
#include "driftless/console/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

std::string microseconds(double seconds) { return fmt::format("{:.1f}", 1e6 * seconds); }
std::string ratio(double value) { return fmt::format("{:.2f}", value); }
std::string gigabytes(double bytes_per_second) { return fmt::format("{:.1f}", 1e-9 * bytes_per_second); }

std::string machine_text(const MachineSpeed& m) {
  Lines lines{{"reading from", "size", "GB/s 1 thread", fmt::format("GB/s {} threads", m.threads)}};
  for (const MemoryLevel& level : m.levels)
    lines.push_back(
        {level.name, bytes_text(static_cast<double>(level.bytes)), gigabytes(level.one), gigabytes(level.all)});
  return fmt::format("{}, {} threads, {}\n{}arithmetic {:.1f} GFLOP/s on 1 thread, {:.1f} on {}; in the first cache "
                     "{:.3f} ns for an entry of a list, {:.2f} ns for a row's slope\n",
                     m.processor, m.threads, m.simd, aligned(lines), 1e-9 * m.flops_one, 1e-9 * m.flops_all, m.threads,
                     1e9 * m.entry_seconds, 1e9 * m.row_seconds);
}

std::string passes_text(const std::vector<PassSpeed>& passes) {
  if (passes.empty()) return "";
  Lines lines{{"gradient", "clients", "nonzeros", "us 1 thread", "us all", "ns/nonzero", "Eigen us", "Eigen/ours",
               "Hessian product us", "least us", "ours/least", "held in"}};
  for (const PassSpeed& p : passes)
    lines.push_back({p.data, std::to_string(p.clients), std::to_string(p.nonzeros), microseconds(p.one),
                     microseconds(p.all), fmt::format("{:.3f}", 1e9 * p.per_nonzero()), microseconds(p.eigen),
                     ratio(p.eigen / p.all), microseconds(p.product), microseconds(p.floor), ratio(p.all / p.floor),
                     p.level});
  return aligned(lines);
}

std::string solves_text(const std::vector<SolveSpeed>& solves) {
  if (solves.empty()) return "";
  Lines lines{{"solve", "method", "clients", "ms", "rounds", "exchanges", "gradient norm"}};
  for (const SolveSpeed& s : solves)
    lines.push_back({s.data, s.method, std::to_string(s.clients), fmt::format("{:.2f}", 1e3 * s.seconds),
                     std::to_string(s.rounds), std::to_string(s.exchanges), fmt::format("{:.1e}", s.grad_norm)});
  return aligned(lines, {0, 1});
}

std::string rounds_text(const std::vector<RoundSpeed>& rounds) {
  if (rounds.empty()) return "";
  Lines lines{{"round of dane+, 10 local steps", "clients", "ms"}};
  for (const RoundSpeed& r : rounds)
    lines.push_back({r.data, std::to_string(r.clients), fmt::format("{:.2f}", 1e3 * r.seconds)});
  return aligned(lines);
}

std::string exchanges_text(const std::vector<ExchangeSpeed>& exchanges) {
  if (exchanges.empty()) return "";
  Lines lines{{"exchange, nothing computed", "variables", "us"}};
  for (const ExchangeSpeed& e : exchanges)
    lines.push_back({fmt::format("{} clients", e.clients), std::to_string(e.dim), microseconds(e.seconds)});
  return aligned(lines);
}

Json json_of(const MachineSpeed& m) {
  Json levels = Json::array();
  for (const MemoryLevel& level : m.levels)
    levels.push_back({{"name", level.name}, {"bytes", level.bytes}, {"read_one", level.one}, {"read_all", level.all}});
  return {{"processor", m.processor},   {"simd", m.simd},           {"threads", m.threads},
          {"levels", levels},           {"flops_one", m.flops_one}, {"flops_all", m.flops_all},
          {"entry_s", m.entry_seconds}, {"row_s", m.row_seconds}};
}

Json json_of(const PassSpeed& p) {
  return {{"data", p.data},
          {"layout", p.layout},
          {"clients", p.clients},
          {"rows", p.rows},
          {"nonzeros", p.nonzeros},
          {"bytes", p.bytes},
          {"level", p.level},
          {"gradient_one_s", p.one},
          {"gradient_s", p.all},

          {"hessian_product_s", p.product},
          {"eigen_s", p.eigen},
          {"least_s", p.floor}};
}

Json json_of(const SolveSpeed& s) {
  return {{"data", s.data},     {"method", s.method},       {"clients", s.clients},    {"seconds", s.seconds},
          {"rounds", s.rounds}, {"exchanges", s.exchanges}, {"grad_norm", s.grad_norm}};
}

Json json_of(const RoundSpeed& r) { return {{"data", r.data}, {"clients", r.clients}, {"seconds", r.seconds}}; }

Json json_of(const ExchangeSpeed& e) { return {{"clients", e.clients}, {"dim", e.dim}, {"seconds", e.seconds}}; }

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(json_of(item));
  return list;
}

}  // namespace

std::string bench_text(const BenchResult& result) {
  std::string text = machine_text(result.machine);
  for (const std::string& part :
       {passes_text(result.passes), solves_text(result.solves), rounds_text(result.rounds),
        exchanges_text(result.exchanges), passes_text(result.growth), passes_text(result.spread)})
    if (!part.empty()) text += "\n" + part;
  return text;
}

std::string bench_json(const BenchResult& result) {
  const Json json{{"schema_version", 1},
                  {"machine", json_of(result.machine)},
                  {"passes", list_of(result.passes)},
                  {"solves", list_of(result.solves)},
                  {"dane_rounds", list_of(result.rounds)},
                  {"exchanges", list_of(result.exchanges)},
                  {"growth", list_of(result.growth)},
                  {"spread", list_of(result.spread)},
                  {"interrupted", result.interrupted}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless
